public import Quantities
internal import StructuredText

extension GlucoseUnit {
  /// The unit in which most glucose at the beginning of a table is written: as its columns of
  /// glucose say, or the rows themselves; `nil` where nothing does.
  public init?(ofTable beginning: [UInt8]) {
    var reader = CSVReader(
      beginning, file: "table", separator: RecordTable.separator(of: beginning))
    var rows: [[CSVReader.Field]] = []
    while let row = reader.next() { rows.append(row) }
    let options = RecordTable.Options()
    guard !rows.isEmpty,
      let (layout, header) = RecordTable.layout(of: rows, options, ProblemList())
    else { return nil }
    let sections = TableSection.all(of: rows, layout, under: header)
    let stated = sections.flatMap { section in
      section.rows.flatMap { section.layout.statedUnits(of: $0) }
    }
    let columns = sections.flatMap(\.layout.columns).filter(\.isGlucose).compactMap(\.isMolar)
    self.init(most: stated.isEmpty ? columns : stated)
  }

  /// The unit in which most glucose at the beginning of an export from Apple Health is written;
  /// `nil` where no glucose is there.
  public init?(ofAppleHealth beginning: String) {
    let records = beginning.split(separator: "<").filter {
      $0.contains("\"HKQuantityTypeIdentifierBloodGlucose\"")
    }
    self.init(most: records.map { $0.contains("unit=\"mmol") })
  }

  /// The unit of glucose that documents of Tidepool or Nightscout name at their beginning; `nil`
  /// where they name none.
  ///
  /// Tidepool has ketones in mmol/L beside glucose in either unit.
  public init?(ofDocuments beginning: String) {
    let ketones = beginning.ranges(of: "\"bloodKetone\"").count
    let molar = beginning.ranges(of: "mmol").count
    let names = ["mg/dL", "mg/dl"]
    guard molar > ketones || names.contains(where: beginning.contains) else { return nil }
    self = molar > ketones ? .millimolesPerLitre : .milligramsPerDecilitre
  }

  private init?(most areMolar: [Bool]) {
    guard !areMolar.isEmpty else { return nil }
    let molar = areMolar.count(where: \.self)
    self = 2 * molar > areMolar.count ? .millimolesPerLitre : .milligramsPerDecilitre
  }
}

extension TableLayout {
  /// Whether each glucose of a row is in mmol/L, by the row or its column; not where neither says.
  fileprivate func statedUnits(of row: [CSVReader.Field]) -> [Bool] {
    func text(_ index: Int?) -> String {
      index.flatMap { row.indices.contains($0) ? row[$0].text.trimmed : nil } ?? ""
    }
    let word = text(kind?.index).lowercased()
    return columns.compactMap { column in
      guard column.isGlucose, !text(column.index).isEmpty else { return nil }
      if column.kind == .glucose, let kind {
        guard kind.sensor.contains(word) || kind.meter.contains(word) else { return nil }
      }
      return TableLayout.isMolar(text(unit)) ?? column.isMolar
    }
  }
}
