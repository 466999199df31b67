internal import StructuredText

extension TableLayout {
  /// Glooko: a table of boluses and one of basal, whose names are translated, and their order is
  /// not.
  ///
  /// What it has of glucose is a table of times and readings as any other.
  static func glooko(_ header: [CSVReader.Field]) -> TableLayout? {
    let names = header.map { $0.text.lowercased() }
    func isInsulin(_ index: Int) -> Bool {
      guard names.indices.contains(index) else { return false }
      return ["(u)", "(e)", "(units)", "(ie)"].contains { names[index].hasSuffix($0) }
    }
    if names.count >= 8, isMolar(names[2]) != nil, names[3].hasSuffix("(g)"), isInsulin(5) {
      return TableLayout(
        program: "Glooko", time: [0],
        columns: [column(header, 5, .bolus), column(header, 3, .carbohydrates)]
          .compactMap(\.self),
        // Of the insulin in the sixth column the eighth is what was given over a time.
        // Where it is empty the parts are the bolus.
        bolusTime: 7, bolusParts: [6, 7], device: names.count > 8 ? [8] : [], minimumFields: 8,
        allowsBareRows: true)
    }
    if names.count >= 6, names[2].contains("(min"), names[3].hasSuffix("(%)"), isInsulin(5) {
      return TableLayout(
        program: "Glooko", time: [0], columns: [],
        basal: (kind: 1, minutes: 2, rate: 4, units: 5), device: names.count > 6 ? [6] : [],
        minimumFields: 6, allowsBareRows: true)
    }
    return nil
  }
}

extension RecordTable.BasalKind {
  /// Reads the word of a table, in one of several languages.
  init(_ word: String) {
    let word = word.lowercased()
    self =
      ["susp", "unterbr", "stop", "onderb"].contains { word.contains($0) }
      ? .suspended : word.contains("temp") ? .temp : .scheduled
  }
}
