public import Interchange
public import StructuredText

/// How a file of another program is read.
public enum ImportMode: String, CaseIterable, Hashable, Sendable {
  /// As that program really behaves, settings without effect included: for comparing numbers.
  case literal
  /// As the author wrote it: every setting takes effect.
  case asIntended = "as-intended"
}

/// What came of importing one file.
public struct ImportOutcome: Sendable {
  /// The scenario in our own format; nothing when the file could not be carried over.
  public var scenario: JSONValue?
  /// The scenario's id; made from the file's name where the file states none.
  public var id: String
  /// How many runs the scenario holds.
  public var runs: Int
  /// How many runs of the file could not be carried over.
  public var lostRuns: Int
  /// What could not be carried, what had no effect in the other program, and what was decided.
  public var problems: [TextProblem]
  /// What insulin and carbohydrates of the runs came to.
  public var account: ImportAccount

  /// Creates a `ImportOutcome` from its parts; see the properties.
  public init(
    scenario: JSONValue?, id: String, runs: Int, lostRuns: Int = 0, problems: [TextProblem],
    account: ImportAccount = ImportAccount()
  ) {
    assert(runs >= 0 && lostRuns >= 0, "Runs are counted from 0.")
    assert(scenario != nil || runs == 0, "A file that was not carried over has no runs.")
    self.scenario = scenario
    self.id = id
    self.runs = runs
    self.lostRuns = lostRuns
    self.problems = problems
    self.account = account
  }

  /// What came of the file as JSON: counts in and out, reasons with places, and amounts.
  public func json(file: String) -> JSONValue {
    [
      "file": .string(file), "id": .string(id), "imported": .bool(scenario != nil),
      "in": ["simulations": .integer(Int64(runs + lostRuns))],
      "out": ["runs": .integer(Int64(runs))],
      "problems": .array(
        problems.map { problem in
          [
            "place": .string(problem.position.description),
            "severity": .string(problem.severity.rawValue),
            "code": problem.code.map { .string($0) } ?? .null,
            "sentence": .string(problem.sentence),
          ]
        }), "amounts": account.json,
    ]
  }

  /// The id that a file's name gives: lower-case letters, digits and hyphens.
  public static func id(ofFile name: String) -> String {
    let stem = name.split(separator: "/").last.map(String.init) ?? name
    return ImportText.slug(String(stem.prefix { $0 != "." }))
  }

  /// The same outcome under another id, for a folder in which several files state one.
  public func renamed(_ id: String) -> Self {
    var outcome = self
    outcome.id = id
    guard case .object(var members)? = scenario,
      let place = members.firstIndex(where: { $0.key == "id" })
    else { return outcome }
    members[place].value = .string(id)
    outcome.scenario = .object(members)
    return outcome
  }

  /// The scenario file as people would write it, with lines above it as comments.
  public func text(header: [String] = []) -> String? {
    scenario.map { JSONWriter(style: .json5).text($0, header: header) }
  }
}

/// What the problems of an import are filed under when thousands of files are counted.
public enum ImportReason: String, CaseIterable, Hashable, Sendable {
  /// The file cannot be read as one of its kind.
  case syntax = "I-SYNTAX"
  /// A pointer names a part that is not there.
  case pointer = "I-POINTER"
  /// A pointer names a part in other letter case.
  case pointerCase = "I-POINTER-CASE"
  /// A pointer names a part that the other program does not find.
  case pointerMoved = "I-POINTER-MOVED"
  /// A key is not in the base.
  case key = "I-KEY"
  /// A value cannot be used.
  case value = "I-VALUE"
  /// Something lies outside the simulated time.
  case time = "I-TIME"
  /// A name or an instant is there twice.
  case duplicate = "I-DUPLICATE"
  /// Something lies between the five-minute steps.
  case offGrid = "I-OFF-GRID"
  /// A setting has no effect in the other program.
  case ignored = "I-IGNORED"
  /// Something is not carried over.
  case lost = "I-LOST"
  /// A part is named for another stage than it is.
  case stage = "I-STAGE"
  /// A choice was made on import.
  case decided = "I-DECIDED"
  /// A simulation cannot be run here.
  case refused = "I-REFUSED"

  /// What the code means, for a table of counts.
  public var meaning: String {
    switch self {
    case .syntax: "not readable as a file of this kind"
    case .pointer: "points to a part that is not there"
    case .pointerCase: "points to a part by other letter case"
    case .pointerMoved: "points to a part that the other program does not find"
    case .key: "a key that the base does not have"
    case .value: "a value that cannot be used"
    case .time: "outside the simulated time"
    case .duplicate: "the same name or instant twice"
    case .offGrid: "between the five-minute steps"
    case .ignored: "without effect in the other program"
    case .lost: "not carried over"
    case .stage: "named for another stage than it is"
    case .decided: "a choice made on import"
    case .refused: "a simulation that cannot be run here"
    }
  }
}

/// Counts over many imported files, by reason.
public struct ImportTally: Hashable, Sendable {
  /// How many files were counted.
  public private(set) var files = 0
  /// Files that gave a scenario, and the runs in those.
  public private(set) var imported = 0
  /// How many runs were carried over.
  public private(set) var runs = 0
  /// How many runs were not.
  public private(set) var lostRuns = 0
  /// What insulin and carbohydrates of all files came to.
  public private(set) var account = ImportAccount()
  private var counts: [Int]
  private var fileCounts: [Int]
  private var unfiled = 0

  /// Creates counts of nothing.
  public init() {
    counts = Array(repeating: 0, count: ImportReason.allCases.count)
    fileCounts = counts
  }

  /// Counts one file.
  public mutating func add(_ outcome: ImportOutcome) {
    files += 1
    if outcome.scenario != nil { imported += 1 }
    runs += outcome.runs
    lostRuns += outcome.lostRuns
    account.add(outcome.account)
    for (index, reason) in ImportReason.allCases.enumerated() {
      let count = outcome.problems.count { $0.code == reason.rawValue }
      counts[index] += count
      if count > 0 { fileCounts[index] += 1 }
    }
    if outcome.problems.contains(where: { $0.code == nil }) { unfiled += 1 }
  }

  /// The reasons that occurred, in the order of ``ImportReason``, with places and files.
  public var reasons: [(reason: ImportReason, places: Int, files: Int)] {
    ImportReason.allCases.enumerated().compactMap { index, reason in
      counts[index] > 0 ? (reason, counts[index], fileCounts[index]) : nil
    }
  }
}

extension ProblemList {
  func add(
    _ severity: TextProblem.Severity, _ reason: ImportReason, at position: TextPosition,
    _ sentence: String
  ) {
    add(TextProblem(severity, at: position, code: reason.rawValue, sentence))
  }
}

extension TextProblem {
  /// The problem with a reason, when it has none yet.
  func filed(under reason: ImportReason) -> Self {
    var problem = self
    problem.code = code ?? reason.rawValue
    return problem
  }
}
