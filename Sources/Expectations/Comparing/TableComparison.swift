public import Quantities
import ScenarioLanguage
public import StructuredText

/// Two tables held against one another, row by row and column by column.
///
/// Rows belong together by the time in their first column, where that holds times, in whatever
/// order they stand, and by their place otherwise. Numbers and times may differ by what the
/// tolerances allow; other texts must be equal, and so must identifiers, although many of them look
/// like numbers.
public struct TableComparison: Sendable {
  /// A place where the tables differ.
  public struct Difference: Hashable, Sendable {
    /// The row, by what stands in its first column; `nil` where a whole column is missing.
    public var row: Row?
    /// The name of the column.
    public var column: String
    /// What each side has; nothing where the row or the column is missing.
    public var left: String?
    /// The value of the second table; `nil` where it has no such row.
    public var right: String?
  }

  /// A row by what stands in its first column, and by which of those that have it there it is.
  public struct Row: Hashable, Sendable, CustomStringConvertible {
    /// What stands in its first column.
    public let cell: String
    /// Which of the rows with that cell it is, from 1.
    public let number: Int
    /// How many rows have that cell.
    let count: Int

    /// The cell, and where it is empty or stands in several rows, which of these it is.
    public var description: String {
      guard cell.isEmpty || count > 1 else { return cell }
      let which = "\(number) of \(count)"
      return cell.isEmpty ? "without its first cell, \(which)" : "\(cell) (\(which))"
    }
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
    /// The row in which they stand.
    public var row: Row
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
    for name in columnsOnlyLeft { note(Difference(column: name, left: name)) }
    for name in columnsOnlyRight { note(Difference(column: name, right: name)) }
    let shared = names.left.indices.compactMap { index -> Place? in
      let name = names.left[index]
      guard !ignored.contains(name), let other = right.index(of: name) else { return nil }
      return Place(
        left: index, right: other, name: name, tolerance: tolerances.difference(in: name),
        span: tolerances.span(in: name), holdsIdentifiers: Self.holdsIdentifiers(name))
    }
    columns = shared.map { Column(name: $0.name) }
    guard let key = shared.first else { return }
    var sides = (Side(left, key.left, isIncluded), Side(right, key.right, isIncluded))
    let isTimed = sides.0.isTimed && sides.1.isTimed
    if isTimed {
      sides.0.sort()
      sides.1.sort()
    }
    compareRows(sides.0, sides.1, shared, isTimed: isTimed)
  }

  /// The rows of a table with the times in their first column, where it holds times.
  private struct Side {
    var rows: [(fields: [CSVReader.Field], name: Row, time: Instant?)]
    var isTimed: Bool

    init(_ table: CSVTable, _ key: Int, _ isIncluded: (Instant) -> Bool) {
      var counts: [String: Int] = [:]
      for row in table.rows { counts[row[key].text, default: 0] += 1 }
      var numbers: [String: Int] = [:]
      rows = table.rows.compactMap { row in
        let cell = row[key].text
        let number = (numbers[cell] ?? 0) + 1
        numbers[cell] = number
        let time = TableComparison.instant(cell)
        guard time.map(isIncluded) ?? true else { return nil }
        return (row, Row(cell: cell, number: number, count: counts[cell] ?? number), time)
      }
      isTimed = rows.allSatisfy { $0.time != nil }
    }

    /// Puts the rows into the order of their times, those of one time as they stand.
    mutating func sort() {
      func isInOrder(_ one: Instant?, _ next: Instant?) -> Bool {
        guard let one, let next else { return true }
        return one <= next
      }
      guard !zip(rows, rows.dropFirst()).allSatisfy({ isInOrder($0.time, $1.time) }) else { return }
      rows = rows.enumerated().sorted { one, other in
        guard let first = one.element.time, let second = other.element.time, first != second
        else { return one.offset < other.offset }
        return first < second
      }.map(\.element)
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
      } else if isTimed, let first = left.rows[i].time, let second = right.rows[j].time,
        (first - second).magnitude > key.span
      {
        order = first < second ? -1 : 1
      }
      switch order {
      case 0:
        compare(left.rows[i].fields, right.rows[j].fields, in: left.rows[i].name, places)
        (i, j) = (i + 1, j + 1)
      case -1:
        let row = left.rows[i].name
        note(Difference(row: row, column: key.name, left: row.cell, right: nil))
        rowsOnlyLeft += 1
        i += 1
      default:
        let row = right.rows[j].name
        note(Difference(row: row, column: key.name, left: nil, right: row.cell))
        rowsOnlyRight += 1
        j += 1
      }
    }
  }

  private mutating func compare(
    _ left: [CSVReader.Field], _ right: [CSVReader.Field], in row: Row, _ places: [Place]
  ) {
    for (index, place) in places.enumerated() {
      let (first, second) = (left[place.left].text, right[place.right].text)
      columns[index].compared += 1
      guard first != second else { continue }
      if !place.holdsIdentifiers, let old = Double(decimal: first),
        let new = Double(decimal: second)
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
  public var instant: Instant? { row.flatMap { TableComparison.instant($0.cell) } }

  /// The difference in one sentence without its end, each side under its name.
  public func sentence(_ leftName: String, _ rightName: String) -> String {
    guard let row else {
      return left == nil
        ? "the column \(column) is only in \(rightName)"
        : "the column \(column) is only in \(leftName)"
    }
    let name = InertText.line(row.description)
    switch (left, right) {
    case (_, nil): return "the row \(name) is only in \(leftName)"
    case (nil, _): return "the row \(name) is only in \(rightName)"
    case (let left?, let right?):
      return
        "row \(name), column \(column): \(leftName) \(shown(left)), \(rightName) \(shown(right))"
    }
  }

  private func shown(_ text: String) -> String {
    if text.isEmpty { return "nothing" }
    let isNumber = Double(decimal: text) != nil && !TableComparison.holdsIdentifiers(column)
    return isNumber ? text : "\"\(InertText.line(text))\""
  }
}
