internal import Expectations
internal import Outcomes
internal import Quantities
public import Reports
public import RunPlans
internal import ScenarioLanguage
public import Scenarios
public import Simulation
internal import StructuredText

/// A run that a client of ``ServeSession`` lives through.
struct ServedRun: Sendable {
  var run: Run
  let built: BuiltRun
  let source: ExpandedRun
  /// The seed of the scenario, or that which took its place; the run's own may be drawn from it.
  let seed: UInt64
  /// What it shares with the other runs of its plan.
  let siblings: RunSiblings
  /// Where the files are that the run is compared with.
  let files: any ScenarioFiles
  var writer: QuestionWriter
  /// What the question at which the run stands says, or else the last one.
  var content: QuestionContent?
  var observation: RunObservation
  var transcript: Transcript?
  /// What came of the run, once it is over.
  var finished: ServedResult?

  /// The record of the client's body; `nil` where the body is one of ours.
  var lived: Transcript?

  /// Up to which instant the client has lived, where it is asked nothing.
  private(set) var reached: Instant?

  /// The file that the run is of, for sentences.
  private var file: String { siblings.file }

  /// Whether the client decides.
  var decides: Bool { run.setup.controller != .loop }

  /// Whether the client answers anything.
  var isAsked: Bool { decides || run.setup.isBodyAsked }

  /// Whether the client may see what only the body knows, before the run is over.
  var showsTruth: Bool { !decides || run.setup.controllerRules.isPrivileged }

  /// Answers the question at which the run stands, and keeps it with the answer; where it throws,
  /// the run still stands there.
  mutating func answer(_ question: Question, _ answer: Answer) throws(AnswerError) {
    try run.answer(answer)
    observation.observe(run)
    let asked = content?.asked ?? ""
    switch question.role {
    case .controller: transcript?.add(question, asked: asked, answer)
    case .body: lived?.add(question, asked: asked, answer)
    }
  }

  /// Lives on to the next question, through an instant where nothing is asked.
  mutating func goOn() -> Question? {
    while run.question == nil, run.step() { observation.observe(run) }
    guard let question = run.question else { return nil }
    content = QuestionContent(question, after: content)
    return question
  }

  /// Lives on through everything that is due up to an instant, where nothing is asked.
  ///
  /// Where nothing is due at the instant itself, body and pump stay at what was due last: a step of
  /// the body that a client's pause divides in two has other last digits, and a run does not depend
  /// on where a client looks at it.
  mutating func advance(through instant: Instant) {
    while run.step(through: instant) { observation.observe(run) }
    observation.observe(run)
    reached = max(reached ?? run.now, run.now, min(instant, run.lastInstant))
  }

  /// Ends the run.
  mutating func finish(version: String) -> ServedResult {
    if let finished { return finished }
    observation.end(run)
    let result = run.finish()
    let measurements = RunMeasurements(result)
    let surroundings = GoldenFiles(
      files: files, timeline: { RunTables.timeline($0).text })
    var verdicts = built.expectations.filter { !$0.joinsRuns }.map {
      $0.evaluate(result, measurements: measurements, file: file, in: surroundings)
    }
    let contributions = built.expectations.filter(\.joinsRuns).map {
      $0.contribution(
        of: result, measurements: measurements, place: source.place, file: file,
        in: surroundings)
    }
    if let failure = Expectation.survival(of: result, built.expectations, file: file) {
      verdicts.append(failure)
    }
    var summary = RunSummary(
      result, measurements, title: built.title, expectations: verdicts, version: version,
      scenarioDigest: built.scenarioDigest)
    summary.derivedTherapy = built.derivedTherapy
    summary.isPrivileged = run.setup.isPrivileged
    summary.coordinates = RunCoordinates(source, file: file)
    transcript?.digest = summary.digest
    lived?.digest = summary.digest
    let whole = ServedResult(
      result: result, summary: summary, built: built, source: source, seed: seed, file: file,
      observation: observation, transcripts: [transcript, lived].compactMap(\.self),
      contributions: contributions)
    finished = whole
    return whole
  }
}

/// A run under its name in a session.
///
/// A class, so that the run lives on in its place: it is large, and to take it out of a dictionary
/// and back takes longer than a step of it.
final class OpenRun {
  var served: ServedRun
  /// The table of which a part was given last, so that a long one is made once and not for each
  /// part; `nil` after its last part.
  var table: (name: String, columns: TableColumns)?

  init(_ served: ServedRun) { self.served = served }
}

/// What came of a run that a client lived through.
public struct ServedResult: Sendable {
  /// What the run left behind.
  public var result: RunResult
  /// What it comes to.
  public var summary: RunSummary
  /// What it was built as.
  public var built: BuiltRun
  /// The run among those of its scenario.
  public var source: ExpandedRun
  /// The seed of the scenario, or that which took its place; the run's own may be drawn from it.
  public var seed: UInt64
  /// The file of the scenario.
  public var file: String
  /// What was seen while it lived.
  public var observation: RunObservation
  /// The records of the client's answers.
  public var transcripts: [Transcript]
  /// What it contributes to expectations that look at several runs.
  let contributions: [Contribution]
  /// Whether the client wants the scenario of the run among its files.
  public var keepsScenario = false

  /// The scenario of the run, which takes the client's answers from their records: `loopsim run`
  /// gives the run again.
  ///
  /// - Parameters:
  ///   - folder: Where the scenario and the records will stand.
  ///   - working: The working folder, from which the run's scenario was named.
  /// - Returns: The text of the file, with warnings of what it leaves out.
  public func scenario(in folder: String, from working: String) -> FrozenScenario {
    let answers = transcripts.map {
      FrozenAnswers(
        of: $0.header.role, at: $0.fileName, isPrivileged: $0.header.isPrivileged)
    }
    return FrozenScenario(
      source, built: built, result: result, seed: seed, in: folder, from: working,
      answers: answers)
  }

  /// A table by the name of its file without the ending; `nil` for a name that is none.
  func table(_ name: String) -> String? { rows(name)?.text }

  private func rows(_ name: String) -> CSVRows? {
    switch name {
    case "timeline": RunTables.timeline(result)
    case "basal-segments": RunTables.basalSegments(result)
    case "event-history": RunTables.eventHistory(result, deleted: observation.deletedEvents)
    case "insulin-delivery": RunTables.insulinDelivery(result)
    case "happenings": RunTables.happenings(result)
    case "pulses": RunTables.pulses(result)
    case "doses": RunTables.doses(result, observation)
    case "cycles": RunTables.cycles(result, observation)
    case "predictions": RunTables.predictions(result, observation)
    default: nil
    }
  }

  /// The names of the tables.
  static let tables = [
    "timeline", "basal-segments", "event-history", "insulin-delivery", "happenings", "pulses",
    "doses", "cycles", "predictions",
  ]
}
