public import Quantities
public import StructuredText

/// How far apart the values of a table's columns may lie and still count as equal.
///
/// A name means the column of that name, and every column whose name goes on after it with an
/// underscore: `glucose` means `glucose_true_mgdL` and `glucose_cgm_mgdL`. Points stand for
/// underscores, as in the names of series. The longest name that fits a column counts.
public struct ColumnTolerances: Hashable, Sendable {
  private struct Entry: Hashable {
    var name: String
    /// For numbers, in the unit of the column.
    var difference: Double?
    /// For times.
    var span: TimeSpan?
  }

  private var entries: [Entry] = []
  /// What holds for columns that no name fits.
  public var standard: Double

  /// Creates tolerances with one for all columns.
  public init(standard: Double = 0) { self.standard = standard }

  /// Allows numbers of a column to differ, in the column's unit.
  public mutating func allow(_ difference: Double, in column: String) {
    entries.append(Entry(name: Self.normalised(column), difference: difference))
  }

  /// Allows times of a column to differ.
  public mutating func allow(_ span: TimeSpan, in column: String) {
    entries.append(Entry(name: Self.normalised(column), span: span))
  }

  /// How far apart two numbers of a column may lie.
  func difference(in column: String) -> Double {
    entry(for: column) { $0.difference != nil }?.difference ?? standard
  }

  /// How far apart two times of a column may lie.
  func span(in column: String) -> TimeSpan {
    entry(for: column) { $0.span != nil }?.span ?? .zero
  }

  /// The names that fit none of the columns.
  public func namesWithoutColumn(among columns: [String]) -> [String] {
    entries.map(\.name).filter { name in !columns.contains { Self.fits(name, $0) } }
  }

  /// Why a tolerance has no effect on any of the tables: it is a number for a column of times, or
  /// for one of words, or a span for one of numbers; `nil` where each has one.
  ///
  /// Of columns that are empty in all tables nobody can say it.
  public func complaint(on tables: [CSVTable]) -> String? {
    for entry in entries {
      var kinds: Set<CellKind> = []
      for table in tables {
        for (place, title) in table.header.enumerated() where Self.fits(entry.name, title.text) {
          let holdsIdentifiers = TableComparison.holdsIdentifiers(title.text)
          kinds.formUnion(
            table.rows.lazy.map { CellKind($0[place].text, isIdentifier: holdsIdentifiers) })
        }
      }
      kinds.remove(.empty)
      guard !kinds.isEmpty, !kinds.contains(entry.span == nil ? .number : .time) else { continue }
      let holds = kinds.contains(.time) ? "times" : kinds.contains(.number) ? "numbers" : "words"
      let advice =
        switch holds {
        case "times": "write a span, such as \(entry.name)=1s"
        case "numbers": "write a number, such as \(entry.name)=0.1"
        default: "those must be equal, or the column ignored"
        }
      return "The tolerance of \"\(entry.name)\" has no effect: its column holds \(holds); "
        + "\(advice)."
    }
    return nil
  }

  /// What a value of a table is.
  private enum CellKind {
    case empty
    case number
    case time
    case word

    init(_ text: String, isIdentifier: Bool) {
      if text.isEmpty {
        self = .empty
      } else if isIdentifier {
        self = .word
      } else if Double(decimal: text) != nil {
        self = .number
      } else {
        self = TableComparison.instant(text) == nil ? .word : .time
      }
    }
  }

  private func entry(for column: String, _ isUsable: (Entry) -> Bool) -> Entry? {
    entries.filter { isUsable($0) && Self.fits($0.name, column) }
      .max { $0.name.utf8.count < $1.name.utf8.count }
  }

  private static func fits(_ name: String, _ column: String) -> Bool {
    let column = normalised(column)
    return column == name || column.hasPrefix("\(name)_")
  }

  private static func normalised(_ name: String) -> String { name.replacing(".", with: "_") }
}
