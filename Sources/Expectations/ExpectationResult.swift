public import Simulation
public import StructuredText

/// What became of one expectation of one run.
public struct ExpectationResult: Hashable, Sendable {
  /// How it ended.
  public enum Outcome: String, CaseIterable, Hashable, Sendable {
    /// It holds.
    case passed
    /// It does not hold.
    case failed
    /// It asks for something that this program cannot do.
    case skipped
    /// The run itself broke.
    case error
  }

  /// A time of a run, as the run's own clock shows it.
  public struct Moment: Hashable, Sendable {
    /// The name of the run.
    public var run: String
    /// ISO 8601 with the offset.
    public var time: String

    /// Creates a `Moment` from its parts; see the properties.
    public init(run: String, time: String) {
      self.run = run
      self.time = time
    }
  }

  /// The expectation's name within its scenario, the run, and the scenario file it stands in.
  public var expectation: String
  /// The name of the run.
  public var run: String
  /// The file of the scenario.
  public var file: String
  /// The place in the file, when it is known, counted from 1.
  public var line: Int?
  /// The column at which the expectation stands.
  public var column: Int?
  /// The file that the place is in, where that is another: one that the scenario extends, a table.
  public var source: String?
  /// How it ended.
  public var outcome: Outcome
  /// Whether a failure is only a warning and does not fail the run.
  public var isWarning: Bool
  /// What was found, what was expected and where, on one line; empty when it passed.
  public var message: String
  /// What else is wrong beside ``message``, each on one line: with a scenario that is refused.
  public var others: [String] = []
  /// More lines for a failure: the surroundings.
  public var body: String
  /// The number that decided, with its bounds; `nil` for an expectation about something else.
  public var measure: ExpectationMeasure?
  /// The ratio of a comparison that asks for a difference as well, which then is ``measure``.
  public var ratio: ExpectationMeasure?
  /// Why less was looked at than was asked for: runs that ended before the end of it, moments that
  /// one side of a comparison alone has; empty where all was.
  public var remark = ""
  /// Whether it holds for a part of what was asked for alone.
  public var holdsInPart: Bool { outcome == .passed && !remark.isEmpty }
  /// Where a failure is best looked at.
  public var moment: Moment?
  /// The command line that shows the run as it was then; empty when there is none.
  public var replay = ""

  /// Creates a `ExpectationResult` from its parts; see the properties.
  public init(
    _ outcome: Outcome, expectation: String, run: String, file: String, line: Int? = nil,
    column: Int? = nil, isWarning: Bool = false, message: String = "", body: String = "",
    measure: ExpectationMeasure? = nil, moment: Moment? = nil
  ) {
    self.outcome = outcome
    self.expectation = expectation
    self.run = run
    self.file = file
    self.line = line
    self.column = column
    self.isWarning = isWarning
    self.message = message
    self.body = body
    self.measure = measure
    self.moment = moment
  }

  /// The same result, which stands at a place of its file or of another.
  public func standing(at position: TextPosition?) -> Self {
    var result = self
    result.line = position?.line
    result.column = position?.column
    result.source = position?.file == file ? nil : position?.file
    return result
  }

  /// The file that the place is in.
  public var fileOfPlace: String { source ?? file }

  /// The message and the remark, and on lines of their own what else is wrong.
  public var messages: String {
    let found = [message, remark].filter { !$0.isEmpty }.joined(separator: "; ")
    return ([found] + others).joined(separator: "\n")
  }

  /// All that is told where that is more than ``message``, the surroundings of a failure, and how
  /// to look closer.
  public var details: String {
    [others.isEmpty ? remark : messages, body, replay].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// The expectation and what was found, on one line whatever its name holds; of a run that broke
  /// with the lines that a program wrote.
  public var sentence: String {
    let found = outcome == .error ? message : InertText.line(message)
    let parts = [found, remark].filter { !$0.isEmpty }
    return "\(InertText.line(expectation)): \(parts.joined(separator: "; "))"
  }

  /// The run and the expectation together, as `late-bolus/auto · lbgi`.
  public var title: String { "\(run) · \(expectation)" }
}

/// The results of the expectations of one scenario file.
public struct ExpectationSuite: Hashable, Sendable {
  /// The scenario's id.
  public var name: String
  /// The file of the scenario.
  public var file: String
  /// Facts about the suite in the order in which they are written, such as seed and version.
  public var properties: [Property]
  /// What came of each expectation.
  public var results: [ExpectationResult]
  /// What went wrong in the runs of the suite, run by run.
  public var troubles: [Trouble]

  /// What went wrong in one of the runs.
  public struct Trouble: Hashable, Sendable {
    /// The name of the run.
    public var run: String
    /// What went wrong.
    public var trouble: RunTrouble

    /// Creates a `Trouble` from its parts; see the properties.
    public init(_ trouble: RunTrouble, in run: String) {
      self.run = run
      self.trouble = trouble
    }
  }

  /// A named fact.
  public struct Property: Hashable, Sendable {
    /// What the fact is called.
    public var name: String
    /// The fact.
    public var value: String

    /// Creates a `Property` from its parts; see the properties.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a `ExpectationSuite` from its parts; see the properties.
  public init(
    name: String, file: String, properties: [Property] = [], results: [ExpectationResult],
    troubles: [Trouble] = []
  ) {
    self.name = name
    self.file = file
    self.properties = properties
    self.results = results
    self.troubles = troubles
  }

  /// How many results ended so.
  public func count(_ outcome: ExpectationResult.Outcome) -> Int {
    results.count { $0.outcome == outcome }
  }
}
