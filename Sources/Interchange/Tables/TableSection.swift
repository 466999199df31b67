internal import StructuredText

/// Rows of a table below the names of their columns.
struct TableSection {
  /// What the columns hold.
  var layout: TableLayout
  /// The names of the columns.
  var header: [CSVReader.Field]
  /// The rows below them.
  var rows: ArraySlice<[CSVReader.Field]>

  /// The sections of a table from its first names on; one where its rows are all alike.
  static func all(
    of fields: [[CSVReader.Field]], _ layout: TableLayout, under first: Int
  ) -> [TableSection] {
    var starts = [(layout: layout, header: first)]
    if layout.hasSections {
      for index in fields.indices where index > first {
        if let next = TableLayout.tConnect(fields[index]) { starts.append((next, index)) }
      }
    }
    return starts.enumerated().map { place, start in
      let end = place + 1 < starts.count ? starts[place + 1].header : fields.count
      return TableSection(
        layout: start.layout, header: fields[start.header], rows: fields[(start.header + 1)..<end])
    }
  }

  /// The names of the columns of glucose, those of meters or the others.
  func glucoseNames(ofMeters: Bool) -> [String] {
    layout.glucoseNames(header, ofMeters: ofMeters)
  }
}
