public import Expectations
public import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// What came of one run that was held against its reference result.
public struct ReplayOutcome: Sendable {
  /// How a run came out, the gravest first.
  public enum State: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// It could not be carried out.
    case broken
    /// An expectation fails, or a law does not hold.
    case failed
    /// It holds, and its result is not the one that was kept.
    case changed
    /// There is a result and no scenario that has it.
    case gone
    /// There is no reference result yet.
    case new
    /// It is the same, and its expectations hold.
    case passed

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The state in one word.
    public var word: String {
      switch self {
      case .broken: "broken"
      case .failed: "failed"
      case .changed: "changed"
      case .gone: "gone"
      case .new: "new"
      case .passed: "passed"
      }
    }
  }

  /// A stretch of basal as a table of results has it.
  public struct Segment: Hashable, Sendable {
    /// When it begins.
    public var start: Instant
    /// When it ends.
    public var end: Instant
    /// What it has, in U.
    public var units: Double

    /// Creates a `Segment` from its parts; see the properties.
    public init(start: Instant, end: Instant, units: Double) {
      self.start = start
      self.end = end
      self.units = units
    }
  }

  /// A place where a kept file and the one that was found are not the same.
  public struct Difference: Hashable, Sendable {
    /// The name of the file.
    public var file: String
    /// When it is, where the file is a table over time.
    public var instant: Instant?
    /// What was kept, as the file has it; `nil` for a row that is not there.
    public var kept: String?
    /// What was found; `nil` where there is nothing.
    public var found: String?
    /// How many rows of the file differ.
    public var count: Int
    /// The line of the first of them, from 1; `nil` for what is no line.
    public var line: Int?
    /// What is different, in place of two lines; empty where these say it.
    public var words = ""
    /// Whether it says that the scenario is another, and nothing of the result.
    public var isScenarioText = false

    /// Creates a `Difference` from its parts; see the properties.
    public init(
      file: String, instant: Instant? = nil, kept: String? = nil, found: String? = nil,
      count: Int = 1, line: Int? = nil, words: String = ""
    ) {
      self.file = file
      self.instant = instant
      self.kept = kept
      self.found = found
      self.count = count
      self.line = line
      self.words = words
    }
  }

  /// The run's name.
  public var id: String
  /// The scenario's file.
  public var file: String
  /// The scenario's title.
  public var title: String
  /// How it came out.
  public var state: State
  /// What came of its expectations.
  public var verdicts: [ExpectationResult]
  /// The laws that it broke, each in a sentence.
  public var violations: [String]
  /// Where files differ.
  public var differences: [Difference]
  /// The basal segments of the result that is kept.
  public var kept: [Segment]
  /// The basal segments that were found.
  public var found: [Segment]
  /// The clock of the run.
  public var clock: WallClock
  /// The command that mends it; empty for that which keeps the new result.
  public var command = ""
  /// The command that keeps the new result; empty where it is not known.
  public var update = ""

  /// Creates a `ReplayOutcome` from its parts; see the properties.
  public init(
    id: String, file: String, title: String, state: State, verdicts: [ExpectationResult] = [],
    violations: [String] = [], differences: [Difference] = [], kept: [Segment] = [],
    found: [Segment] = [], clock: WallClock = .utc
  ) {
    self.id = id
    self.file = file
    self.title = title
    self.state = state
    self.verdicts = verdicts
    self.violations = violations
    self.differences = differences
    self.kept = kept
    self.found = found
    self.clock = clock
  }

  /// The first difference in time, which is the cause; later ones usually follow from it.
  public var first: Difference? { Self.ordered(differences).first }

  /// The expectations that fail the run, without those that only warn.
  package var failures: [ExpectationResult] {
    verdicts.filter { $0.outcome != .passed && !$0.isWarning }
  }

  /// What makes two failures alike: the file, the expectation, and what was found instead.
  package var cause: String {
    let names = failures.map(\.expectation).joined(separator: ",")
    return "\(state.rawValue)|\(names)|\(first?.file ?? "")|\(first == nil ? "" : "differs")"
  }

  /// The folder of the scenario's file.
  package var folder: String {
    let parts = file.split(separator: "/")
    return parts.count > 1 ? String(parts[parts.count - 2]) : "."
  }
}

extension ReplayOutcome {
  /// The stretches of a table of basal segments.
  public static func segments(_ table: String) -> [Segment] {
    let problems = ProblemList()
    guard let table = CSVTable(Array(table.utf8), file: "", problems: problems),
      let start = table.header.firstIndex(where: { $0.text == "start" }),
      let end = table.header.firstIndex(where: { $0.text == "end" }),
      let units = table.header.firstIndex(where: { $0.text == "units" })
    else { return [] }
    return table.rows.compactMap { row in
      guard case .absolute(let from)? = TimeText(row[start].text),
        case .absolute(let to)? = TimeText(row[end].text),
        let amount = Double(decimal: row[units].text)
      else { return nil }
      return Segment(start: from, end: to, units: amount)
    }
  }
}
