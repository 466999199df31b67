internal import Determinism
internal import Devices
public import Expectations
public import Outcomes
internal import Physiology
internal import Quantities
internal import Scenarios
public import Simulation
public import StructuredText
internal import Typesetting

/// What a run comes to: the figures a person asks for first, as text and as a JSON tree.
public struct RunSummary: Sendable {
  /// The result.
  public var run: RunResult
  /// The scenario's title.
  public var title: String
  /// What metrics are measured on.
  public let measurements: RunMeasurements
  /// The insulin of the run, summed up.
  let insulinTotals: InsulinTotals
  /// The true glucose of the run, and the sensor's, in the figures that several forms of the answer
  /// have.
  let trueGlucose, cgm: GlucoseFigures
  /// What went wrong, the worst first.
  public let troubles: [RunTrouble]
  /// The expectations of the scenario and what became of them.
  public var expectations: [ExpectationResult]
  /// The version of the program.
  public var version: String
  /// The digest of the scenario as it was expanded.
  public var scenarioDigest: String
  /// What of the therapy the scenario does not state, and where it comes from.
  public var derivedTherapy: String?
  /// Where the run lies among the runs of its file; `nil` for a run without a file.
  public var coordinates: RunCoordinates?
  /// Whether a program decided that was told the truth about the body.
  public var isPrivileged = false {
    didSet { if isPrivileged, !oldValue { title += Self.privilegedMark } }
  }

  /// What every heading says of such a run.
  package static let privilegedMark =
    " (decided by a program that was told the truth about the body)"

  /// How often each guard changed a command of a program or held it back, by name.
  public var guards: [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for happening in run.trace.happenings where happening.kind == .guarded {
      counts[happening.name, default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Creates a `RunSummary` from its parts; see the properties.
  ///
  /// The measurements are those of the run.
  public init(
    _ run: RunResult, _ measurements: RunMeasurements, title: String,
    expectations: [ExpectationResult], version: String, scenarioDigest: String
  ) {
    self.run = run
    self.title = title
    self.measurements = measurements
    insulinTotals = measurements.insulinTotals
    trueGlucose = GlucoseFigures(measurements.trueGlucose)
    cgm = GlucoseFigures(measurements.cgm)
    troubles = run.troubles
    self.expectations = expectations
    self.version = version
    self.scenarioDigest = scenarioDigest
  }

  /// The digest of the run in hexadecimal.
  public var digest: String { RunningDigest.hexadecimal(of: run.digest) }

  /// One digest for the lines of several runs, in hexadecimal.
  public static func digest(of lines: [String]) -> String {
    var digest = RunningDigest()
    for line in lines { digest.absorb(line) }
    return digest.hexadecimal
  }

  /// Glucose in the unit of the scenario, for sentences.
  var words: GlucoseWords { GlucoseWords(coordinates?.glucoseUnit ?? .milligramsPerDecilitre) }

  /// The run in one line: what holds, time in range, extremes, whether the records agree.
  public var oneLine: String {
    let hasFailed = !failureLines.isEmpty || !run.violations.isEmpty
    let state = hasFailed ? "failed" : troubles.isEmpty ? "ok    " : "check "
    let values = measurements.trueGlucose.values
    let inRange = trueGlucose.shares?.from70To180 ?? 0
    let shares =
      "\(words.text(values.min() ?? 0))–\(words.text(values.max() ?? 0)) "
      + "\(words.unit.rawValue), \(PercentText.number(inRange, decimals: 0)) % in range"
    let records = run.agreement.shortAnswer
    let held = "\(self.held)/\(WordList.counted(expectations.count, "expectation"))"
    let end = run.lethalEnd == nil ? "" : ", ended as lethal"
    let model = measurements.modelMark.map { ", \($0)" } ?? ""
    let settings = coordinates?.settingWords ?? ""
    let swept = settings.isEmpty ? "" : ", with \(settings)"
    return "\(state)  \(run.id)  \(shares), \(records), \(held)\(model)\(end)\(swept)\(troubleNote)"
  }

  // MARK: - JSON

  /// The summary as a JSON tree, with units in the names.
  public var json: JSONValue {
    guard case .object(var members) = figures else { return figures }
    if let end = run.lethalEnd { members.append(.init("lethal", json(of: end))) }
    if !run.modelExcursions.isEmpty { members.append(.init("outside_model", outsideModel)) }
    if let place = members.firstIndex(where: { $0.key == "troubles" }), !run.faultWindows.isEmpty {
      members.insert(.init("faults", faultsJSON), at: place + 1)
    }
    members.insert(.init("format", 1), at: 0)
    members.append(.init("outcomes", outcomes))
    if run.hasApp {
      members.append(.init("reporting", reporting))
    } else {
      members.removeAll { $0.key == "loop" }
      members.append(.init("app", .string("none")))
    }
    if isPrivileged { members.append(.init("privileged", true)) }
    if !guards.isEmpty {
      let counts = guards.map { JSONValue.Member($0.name, .integer(Int64($0.count))) }
      members.append(.init("guards", .object(counts)))
    }
    if let coordinates { members.append(.init("source", coordinates.json)) }
    if let stepCheck = run.stepCheck { members.append(.init("step_check", json(of: stepCheck))) }
    return .object(members)
  }

  private func json(of end: LethalEnd) -> JSONValue {
    [
      "at": .string(run.clock.iso8601(end.instant)),
      "glucose_mgdL": .rounded(end.glucose.mgdL, 2), "floor_mgdL": .rounded(end.floor.mgdL, 2),
    ]
  }

  /// When glucose lay outside the range of the patient model, and how far.
  private var outsideModel: JSONValue {
    [
      "hours": .rounded(measurements.timeOutsideModel.hours, 3),
      "marks": "Every figure of glucose is computed over this time too.",
      "stretches": .array(
        run.modelExcursions.map {
          [
            "from": .string(run.clock.iso8601($0.start)), "to": .string(run.clock.iso8601($0.end)),
            "lowest_mgdL": .rounded($0.lowest.mgdL, 1),
            "highest_mgdL": .rounded($0.highest.mgdL, 1),
            "clipped": .bool($0.isClipped),
          ]
        }),
    ]
  }

  /// That glucose left the range of the patient model, in a sentence; `nil` where it did not.
  public var modelLine: String? {
    guard let first = run.modelExcursions.first, let mark = measurements.modelMark else {
      return nil
    }
    let lowest = run.modelExcursions.map(\.lowest.mgdL).min() ?? 0
    let highest = run.modelExcursions.map(\.highest.mgdL).max() ?? 0
    let extremes =
      lowest == highest
      ? words.text(lowest) : "\(words.text(lowest)) to \(words.text(highest))"
    let isClipped = run.modelExcursions.contains(where: \.isClipped)
    let clipped = isClipped ? ", shown as 0 where the equations leave none" : ""
    return "\(mark) (\(extremes) \(words.unit.rawValue)\(clipped)), first at "
      + "\(run.clock.iso8601(first.start)): no physiology"
  }

  /// That the body did not survive, in a sentence; nothing where it did.
  public var lethalLine: String? {
    let unit = words.unit
    return run.lethalEnd.map { end in
      let decimals = end.decimals(inUnitOf: unit.mgdL)
      return """
        The run ended as lethal at \(run.clock.iso8601(end.instant)): glucose fell to \
        \(FixedDecimal.text(end.glucose.mgdL / unit.mgdL, decimals: decimals)) \
        \(unit.rawValue), below the floor of \
        \(FixedDecimal.text(end.floor.mgdL / unit.mgdL, decimals: decimals)).
        """
    }
  }

  private func json(of check: StepCheck) -> JSONValue {
    switch check {
    case .noStep: ["has_step": false]
    case .largestDifference(let mgdL, let instant):
      [
        "has_step": true, "largest_difference_mgdL": .rounded(mgdL, 6),
        "at": .string(run.clock.iso8601(instant)),
      ]
    }
  }

  /// What half the step would change, in a sentence; nothing where that was not asked.
  public var stepLine: String? {
    switch run.stepCheck {
    case nil: nil
    case .noStep: "The body's model has no step: its effects have closed forms."
    case .largestDifference(let mgdL, let instant):
      """
      Half the step changes glucose by \
      \(FixedDecimal.text(mgdL / words.unit.mgdL, decimals: 6)) \(words.unit.rawValue) at most, at \
      \(run.clock.iso8601(instant)).
      """
    }
  }

  private var figures: JSONValue {
    [
      "id": .string(run.id), "title": .string(title), "version": .string(version),
      "seed": .string("\(run.seed)"), "scenario_digest": .string(scenarioDigest),
      "digest": .string(digest), "start": .string(run.clock.iso8601(run.start)),
      "end": .string(run.clock.iso8601(run.end)), "glucose": glucose, "insulin": insulin,
      "loop": loop, "troubles": troublesJSON, "records": records,
      "violations": .array(
        run.violations.map {
          [
            "law": .string($0.name), "time": .string(run.clock.iso8601($0.instant)),
            "text": .string($0.text),
          ]
        }),
      "expectations": .array(expectations.map { $0.json(named: false) }),
      "notice": "Not a medical device. Do not use these figures to decide about therapy.",
    ]
  }

  private var glucose: JSONValue {
    guard let shares = trueGlucose.shares else { return ["rows": 0] }
    let values = measurements.trueGlucose.values
    return [
      "rows": .integer(Int64(values.count)),
      "mean_mgdL": .rounded(Statistics.mean(values), 2),
      "sd_mgdL": .rounded(Statistics.standardDeviation(values), 2),
      "min_mgdL": .rounded(values.min(), 2), "max_mgdL": .rounded(values.max(), 2),
      "below_54_percent": .rounded(shares.below54, 3),
      "from_54_to_69_percent": .rounded(shares.from54To69, 3),
      "from_70_to_180_percent": .rounded(shares.from70To180, 3),
      "from_181_to_250_percent": .rounded(shares.from181To250, 3),
      "above_250_percent": .rounded(shares.above250, 3),
    ]
  }

  private var insulin: JSONValue {
    let totals = insulinTotals
    return [
      "basal_U": .number(totals.basal.units), "user_bolus_U": .number(totals.userBolus.units),
      "automatic_bolus_U": .number(totals.automaticBolus.units),
      "external_U": .number(totals.external.units),
      "discarded_U": .rounded(run.ledger.basal.discarded.units, 6),
      "lost_to_pulses_percent": measurements.basalLostPercent.map { .rounded($0, 3) } ?? .null,
    ]
  }

  private var loop: JSONValue {
    [
      "cycles_due": .integer(Int64(run.cycles.due)),
      "cycles_completed": .integer(Int64(run.cycles.completed)),
      "cycles_enacted": .integer(Int64(run.cycles.enacted)),
    ]
  }

  private var records: JSONValue { run.agreement.json(clock: run.clock) }
}
