public import Quantities
import ScenarioLanguage
public import StructuredText

/// Two tables held against one another, row by row and column by column.
///
/// Rows belong together by the time in their first column, where that holds times, and by their
/// place otherwise. Numbers and times may differ by what the tolerances allow; other texts must be
/// equal, and so must identifiers, although many of them look like numbers.
public struct TableComparison: Sendable {
  /// A place where the tables differ.
  public struct Difference: Hashable, Sendable {
    /// What stands in the first column of the row; empty where a whole column is missing.
    public var row: String
    /// The name of the column.
    public var column: String
    /// What each side has; nothing where the row or the column is missing.
    public var left: String?
    /// The value of the second table; `nil` where it has no such row.
    public var right: String?
  }

  /// What became of one column.
  public struct Column: Hashable, Sendable {
    /// The name of the column.
    public var name: String
    /// The pairs of values that were compared.
    public var compared = 0
    /// Those that differ by more than is allowed.
    public var differing = 0
    /// The largest difference of two numbers, right less left, and the row it stands in.
    public var largest: Largest?
  }

  /// A difference of two numbers, and where it is.
  public struct Largest: Hashable, Sendable {
    /// How far apart the numbers are.
    public var difference: Double
    /// The row, by its time or its place.
    public var row: String
  }

  /// The first difference by row, then by column, one of names alone where there is no other;
  /// nothing when the tables are the same.
  public private(set) var first: Difference?
  /// The columns that both tables have.
  public private(set) var columns: [Column] = []
  /// The columns that only the first table has.
  public private(set) var columnsOnlyLeft: [String] = []
  /// The columns that only the second table has, unless it may have more.
  public private(set) var columnsOnlyRight: [String] = []
  /// How many rows stand on one side alone.
  public private(set) var rowsOnlyLeft = 0
  /// How many rows only the second table has.
  public private(set) var rowsOnlyRight = 0

  /// Whether nothing differs by more than is allowed.
  public var isSame: Bool { first == nil }

  /// Compares two tables.
  ///
  /// - Parameters:
  ///   - left: The table that is compared with.
  ///   - right: The table that is looked at.
  ///   - tolerances: How far values may lie apart.
  ///   - ignored: Columns that are left out.
  ///   - allowsMoreColumns: Whether the right table may have columns that the left one has not.
  ///   - isIncluded: Which rows are compared, where the first column holds times.
  public init(
    _ left: CSVTable, _ right: CSVTable, tolerances: ColumnTolerances,
    ignoring ignored: [String] = [], allowsMoreColumns: Bool = false,
    where isIncluded: (Instant) -> Bool = { _ in true }
  ) {
    let names = (left: left.header.map(\.text), right: right.header.map(\.text))
    columnsOnlyLeft = names.left.filter { !ignored.contains($0) && !names.right.contains($0) }
    if !allowsMoreColumns {
      columnsOnlyRight = names.right.filter { !ignored.contains($0) && !names.left.contains($0) }
    }
    for name in columnsOnlyLeft { note(Difference(row: "", column: name, left: name)) }
    for name in columnsOnlyRight { note(Difference(row: "", column: name, right: name)) }
    let shared = names.left.indices.compactMap { index -> Place? in
      let name = names.left[index]
      guard !ignored.contains(name), let other = right.index(of: name) else { return nil }
      return Place(
        left: index, right: other, name: name, tolerance: tolerances.difference(in: name),
        span: tolerances.span(in: name), holdsIdentifiers: Self.holdsIdentifiers(name))
    }
    columns = shared.map { Column(name: $0.name) }
    guard let key = shared.first else { return }
    let sides = (Side(left, key.left, isIncluded), Side(right, key.right, isIncluded))
    compareRows(sides.0, sides.1, shared, isTimed: sides.0.isTimed && sides.1.isTimed)
  }

  /// The rows of a table with the times in their first column, where it holds times.
  private struct Side {
    var rows: [[CSVReader.Field]]
    var times: [Instant?]
    var isTimed: Bool

    init(_ table: CSVTable, _ key: Int, _ isIncluded: (Instant) -> Bool) {
      rows = table.rows.filter { row in
        TableComparison.instant(row[key].text).map(isIncluded) ?? true
      }
      times = rows.map { TableComparison.instant($0[key].text) }
      isTimed = times.allSatisfy { $0 != nil }
    }
  }

  /// Where a column stands in both tables, and what is allowed in it.
  private struct Place {
    var left: Int
    var right: Int
    var name: String
    var tolerance: Double
    var span: TimeSpan
    var holdsIdentifiers: Bool
  }

  private mutating func note(_ difference: Difference) {
    // Every seed gives the samples other names: what they hold comes first.
    guard let first else { return self.first = difference }
    if first.isOfNames, !difference.isOfNames { self.first = difference }
  }

  // MARK: - Rows

  private mutating func compareRows(
    _ left: Side, _ right: Side, _ places: [Place], isTimed: Bool
  ) {
    let key = places[0]
    var (i, j) = (0, 0)
    while i < left.rows.count || j < right.rows.count {
      var order = 0
      if i == left.rows.count {
        order = 1
      } else if j == right.rows.count {
        order = -1
      } else if isTimed, let first = left.times[i], let second = right.times[j],
        (first - second).magnitude > key.span
      {
        order = first < second ? -1 : 1
      }
      switch order {
      case 0:
        compare(left.rows[i], right.rows[j], places)
        (i, j) = (i + 1, j + 1)
      case -1:
        let text = left.rows[i][key.left].text
        note(Difference(row: text, column: key.name, left: text, right: nil))
        rowsOnlyLeft += 1
        i += 1
      default:
        let text = right.rows[j][key.right].text
        note(Difference(row: text, column: key.name, left: nil, right: text))
        rowsOnlyRight += 1
        j += 1
      }
    }
  }

  private mutating func compare(
    _ left: [CSVReader.Field], _ right: [CSVReader.Field], _ places: [Place]
  ) {
    let row = left[places[0].left].text
    for (index, place) in places.enumerated() {
      let (first, second) = (left[place.left].text, right[place.right].text)
      columns[index].compared += 1
      guard first != second else { continue }
      if !place.holdsIdentifiers, let old = Double(first), let new = Double(second),
        old.isFinite, new.isFinite
      {
        let difference = new - old
        if difference.magnitude > columns[index].largest?.difference.magnitude ?? 0 {
          columns[index].largest = Largest(difference: difference, row: row)
        }
        if DecimalNumbers.areNear(new, old, within: place.tolerance) { continue }
      } else if let old = Self.instant(first), let new = Self.instant(second),
        (new - old).magnitude <= place.span
      {
        continue
      }
      columns[index].differing += 1
      note(Difference(row: row, column: place.name, left: first, right: second))
    }
  }

  /// Whether a column holds identifiers: two of them are the same or not, and nothing lies between.
  ///
  /// Two seeds of 64 bits may even be the same number once they are read as one with 53.
  static func holdsIdentifiers(_ column: String) -> Bool {
    ["id", "identifier", "seed", "digest"].contains(column) || column.hasSuffix("_id")
  }

  static func instant(_ text: String) -> Instant? {
    guard text.utf8.count >= 20, case .absolute(let instant)? = TimeText(text) else { return nil }
    return instant
  }
}

extension TableComparison.Difference {
  /// Whether both sides have the row, and only name it otherwise.
  public var isOfNames: Bool {
    left != nil && right != nil && TableComparison.holdsIdentifiers(column)
  }

  /// The time of the row, where its first column holds times.
  public var instant: Instant? { TableComparison.instant(row) }

  /// The difference in one sentence without its end, each side under its name.
  public func sentence(_ leftName: String, _ rightName: String) -> String {
    if row.isEmpty {
      return left == nil
        ? "the column \(column) is only in \(rightName)"
        : "the column \(column) is only in \(leftName)"
    }
    switch (left, right) {
    case (_, nil): return "the row \(row) is only in \(leftName)"
    case (nil, _): return "the row \(row) is only in \(rightName)"
    case (let left?, let right?):
      return
        "row \(row), column \(column): \(leftName) \(shown(left)), \(rightName) \(shown(right))"
    }
  }

  private func shown(_ text: String) -> String {
    if text.isEmpty { return "nothing" }
    let isNumber = Double(text) != nil && !TableComparison.holdsIdentifiers(column)
    return isNumber ? text : "\"\(text)\""
  }
}
