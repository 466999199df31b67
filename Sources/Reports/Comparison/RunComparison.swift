public import Expectations
internal import Scenarios
public import StructuredText

/// What a run left behind, as it is compared with another: its tables and its figures.
public struct RecordedRun: Sendable {
  /// A table and its file's name.
  public struct Table: Sendable {
    /// The name of the table's file.
    public var name: String
    /// The table.
    public var table: CSVTable
    /// Whether it tells how things were at the end, whenever that came about.
    var isOfEnd = false

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
  /// What the summary and the ledger say in words, such as what went wrong.
  public var statements: [String]
  /// Which run it is: scenario, seed, times, zone and unit, each with its name.
  public var identity: [(name: String, text: String)]
  /// The names of the files that are no tables.
  public var documents: [String]

  /// Whether it says which run it is, as tables alone do not.
  package var isOfRun: Bool { !identity.isEmpty }

  /// Creates a `RecordedRun` from its parts; see the properties.
  public init(
    tables: [Table], figures: [Figure] = [], statements: [String] = [],
    identity: [(name: String, text: String)] = [], documents: [String] = []
  ) {
    assert(Set(tables.map(\.name)).count == tables.count, "A table stands in a result once.")
    self.tables = tables
    self.figures = figures
    self.statements = statements
    self.identity = identity
    self.documents = documents
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
    var isOfEnd: Bool
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
  /// What one side alone says.
  let statements: (onlyLeft: [String], onlyRight: [String])
  /// What tells which run it is, where the sides are not of the same run.
  let identity: [(name: String, left: String, right: String)]
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
        rows: (table.table.rows.count, other.table.rows.count), isOfEnd: table.isOfEnd)
    }
    let names = (
      left: left.tables.map(\.name) + left.documents,
      right: right.tables.map(\.name) + right.documents
    )
    tablesOnlyLeft = Self.missing(names.left, in: names.right)
    tablesOnlyRight = Self.missing(names.right, in: names.left)
    var pairs = left.figures.map { Pair(name: $0.name, left: $0.value) }
    for figure in right.figures {
      if let index = pairs.firstIndex(where: { $0.name == figure.name }) {
        pairs[index].right = figure.value
      } else {
        pairs.append(Pair(name: figure.name, right: figure.value))
      }
    }
    // Of a file that one side lacks it is said once that it is missing, and not at every figure.
    let shared = Set(left.documents).intersection(right.documents)
    let isTable = left.documents.isEmpty && right.documents.isEmpty
    let ledger = OutputSelection.File.ledger.fileName
    figures = pairs.filter {
      isTable
        || shared.contains($0.name.hasPrefix("ledger.") ? ledger : OutputSelection.summaryName)
    }
    let isSaid = shared.contains(OutputSelection.summaryName)
    statements = (
      isSaid ? left.statements.filter { !right.statements.contains($0) } : [],
      isSaid ? right.statements.filter { !left.statements.contains($0) } : []
    )
    identity = left.identity.compactMap { fact in
      right.identity.first { $0.name == fact.name && $0.text != fact.text }.map {
        (fact.name, fact.text, $0.text)
      }
    }
    self.figuresDecide = figuresDecide
  }

  /// The names that the other side lacks; of a file's tables none where the file itself is missing.
  private static func missing(_ names: [String], in others: [String]) -> [String] {
    let missing = names.filter { !others.contains($0) }
    return missing.filter { name in !missing.contains { name.hasPrefix("\($0) ") } }
  }

  /// Whether nothing differs by more than is allowed.
  public var isSame: Bool {
    tables.allSatisfy(\.comparison.isSame) && tablesOnlyLeft.isEmpty && tablesOnlyRight.isEmpty
      && (!figuresDecide
        || figures.allSatisfy { $0.left == $0.right } && statements.onlyLeft.isEmpty
          && statements.onlyRight.isEmpty)
  }

  /// The columns of all tables.
  public static func columns(of run: RecordedRun) -> [String] {
    run.tables.flatMap { $0.table.header.map(\.text) }
  }

  /// The earliest difference of all tables, with the table's name; one of how things were at the
  /// end where there is no other, and one of what only names a sample or a dose last of all.
  package var first: (table: String, difference: TableComparison.Difference)? {
    let named = tables.filter { $0.comparison.first?.isOfNames == true }.map(\.name)
    return first { !$0.isOfEnd && !named.contains($0.name) }
      ?? first { $0.isOfEnd && !named.contains($0.name) } ?? first { _ in true }
  }

  private func first(
    where isMeant: (Compared) -> Bool
  ) -> (table: String, difference: TableComparison.Difference)? {
    let found = tables.filter(isMeant).compactMap { table in
      table.comparison.first.map { (table: table.name, difference: $0) }
    }
    // Local times are in order as instants and not as texts: an hour comes twice in autumn.
    return found.enumerated().min { one, other in
      let (first, second) = (one.element.difference, other.element.difference)
      if let earlier = first.instant, let later = second.instant, earlier != later {
        return earlier < later
      }
      if (first.instant == nil) != (second.instant == nil) { return first.instant == nil }
      return (first.instant == nil ? first.row?.cell ?? "" : "", one.offset)
        < (second.instant == nil ? second.row?.cell ?? "" : "", other.offset)
    }?.element
  }
}
