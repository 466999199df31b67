internal import StructuredText

/// A row of a table, and what its layout says that stands where.
struct TableRow {
  /// The fields, of which there may be fewer than columns.
  let fields: [CSVReader.Field]
  /// The columns of amounts in which something stands.
  let filled: [TableLayout.Column]
  /// The fields whose sum is the bolus; none where the sum stands beside them, so that nothing
  /// counts twice.
  let bolusParts: [(field: CSVReader.Field, mayBeBelowZero: Bool)]
  /// The word that says which kind of row it is, in small letters; empty where there is none.
  let word: String
  /// What a person marked; `nil` where nobody did.
  let marker: EventMarker?
  /// Why that is left out which stands in columns that are not read.
  let unreadReasons: [String]
  /// Where the row begins.
  let position: TextPosition
  private let layout: TableLayout

  /// Looks through a row; `nil` for one without fields.
  init?(_ fields: [CSVReader.Field], _ layout: TableLayout) {
    guard let first = fields.first else { return nil }
    func text(_ column: Int) -> String { Self.text(column, of: fields) }
    self.fields = fields
    self.layout = layout
    position = first.position
    filled = layout.columns.filter { !text($0.index).isEmpty }
    bolusParts =
      filled.contains { $0.kind == .bolus }
      ? []
      : layout.bolusParts.filter { !text($0).isEmpty }
        .map { (fields[$0], layout.bolusChanges.contains($0)) }
    word = layout.kind.map { text($0.index).lowercased() } ?? ""
    marker = layout.marker.flatMap { EventMarker(text($0)) }
    unreadReasons = layout.unread.filter { $0.columns.contains { !text($0).isEmpty } }
      .map(\.reason)
  }

  /// Whether a column of amounts holds something.
  var holdsAmounts: Bool { !filled.isEmpty || !bolusParts.isEmpty }

  /// The text in a column without blanks at its ends; empty where the row is shorter.
  func text(_ column: Int) -> String { Self.text(column, of: fields) }

  private static func text(_ column: Int, of fields: [CSVReader.Field]) -> String {
    fields.indices.contains(column) ? fields[column].text.trimmed : ""
  }

  /// The field of the time, or of the date where the time stands in another.
  ///
  /// A row of the table has as many fields as that.
  var timeField: CSVReader.Field { fields[layout.time[0]] }

  /// Whose row it is; `nil` where the table does not say it.
  var person: String? {
    layout.person.map(text).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The device, in the words of all columns that name it; `nil` where none does.
  var device: String? {
    let words = layout.device.map(text).filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
