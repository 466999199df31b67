public import Expectations
public import StructuredText

/// What a run left behind, as it is compared with another: its tables and its figures.
public struct RecordedRun: Sendable {
  /// A table and its file's name.
  public struct Table: Sendable {
    /// The name of the table's file.
    public var name: String
    /// The table.
    public var table: CSVTable

    /// Creates a `Table` from its parts; see the properties.
    public init(_ name: String, _ table: CSVTable) {
      self.name = name
      self.table = table
    }
  }

  /// A figure of the summary or the ledger, by its path such as `glucose.mean_mgdL`.
  public struct Figure: Hashable, Sendable {
    /// The path of the figure.
    public var name: String
    /// Its value.
    public var value: Double
  }

  /// The tables, in the order in which they are compared.
  public var tables: [Table]
  /// The figures.
  public var figures: [Figure]

  /// Creates a `RecordedRun` from its parts; see the properties.
  public init(tables: [Table], figures: [Figure] = []) {
    assert(Set(tables.map(\.name)).count == tables.count, "A table stands in a result once.")
    self.tables = tables
    self.figures = figures
  }

  /// The numbers of a JSON tree by their paths; what stands in lists is left out.
  public static func figures(of tree: JSONValue, prefix: String = "") -> [Figure] {
    switch tree {
    case .object(let members):
      members.flatMap { member in
        figures(of: member.value, prefix: prefix.isEmpty ? member.key : "\(prefix).\(member.key)")
      }
    case .integer(let integer): [Figure(name: prefix, value: Double(integer))]
    case .number(let number): [Figure(name: prefix, value: number)]
    default: []
    }
  }
}

/// Two runs held against one another.
public struct RunComparison: Sendable {
  /// One table that both have.
  struct Compared: Sendable {
    var name: String
    var comparison: TableComparison
    var rows: (left: Int, right: Int)
  }

  /// A figure on both sides.
  struct Pair: Hashable, Sendable {
    var name: String
    var left: Double?
    var right: Double?
  }

  let tables: [Compared]
  let tablesOnlyLeft: [String]
  let tablesOnlyRight: [String]
  let figures: [Pair]
  /// Whether figures that differ make the runs different.
  let figuresDecide: Bool

  /// Compares two runs.
  ///
  /// - Parameters:
  ///   - left: One run.
  ///   - right: The other.
  ///   - tolerances: How far values of the tables may lie apart.
  ///   - ignored: Columns that are left out.
  ///   - figuresDecide: Whether figures that differ make the runs different: where values of the
  ///     tables may differ, the figures made of them do too.
  public init(
    _ left: RecordedRun, _ right: RecordedRun, tolerances: ColumnTolerances,
    ignoring ignored: [String], figuresDecide: Bool
  ) {
    tables = left.tables.compactMap { table in
      guard let other = right.tables.first(where: { $0.name == table.name }) else { return nil }
      return Compared(
        name: table.name,
        comparison: TableComparison(
          table.table, other.table, tolerances: tolerances, ignoring: ignored),
        rows: (table.table.rows.count, other.table.rows.count))
    }
    let names = (left: left.tables.map(\.name), right: right.tables.map(\.name))
    tablesOnlyLeft = names.left.filter { !names.right.contains($0) }
    tablesOnlyRight = names.right.filter { !names.left.contains($0) }
    var pairs = left.figures.map { Pair(name: $0.name, left: $0.value) }
    for figure in right.figures {
      if let index = pairs.firstIndex(where: { $0.name == figure.name }) {
        pairs[index].right = figure.value
      } else {
        pairs.append(Pair(name: figure.name, right: figure.value))
      }
    }
    figures = pairs
    self.figuresDecide = figuresDecide
  }

  /// Whether nothing differs by more than is allowed.
  public var isSame: Bool {
    tables.allSatisfy(\.comparison.isSame) && tablesOnlyLeft.isEmpty && tablesOnlyRight.isEmpty
      && (!figuresDecide || figures.allSatisfy { $0.left == $0.right })
  }

  /// The columns of all tables.
  public static func columns(of run: RecordedRun) -> [String] {
    run.tables.flatMap { $0.table.header.map(\.text) }
  }

  /// The earliest difference of all tables, with the table's name.
  var first: (table: String, difference: TableComparison.Difference)? {
    let found = tables.compactMap { table in
      table.comparison.first.map { (table: table.name, difference: $0) }
    }
    // Rows are named by local times; one clock made them all, so that texts of a run are in order.
    return found.enumerated().min {
      ($0.element.difference.row, $0.offset) < ($1.element.difference.row, $1.offset)
    }?.element
  }
}
