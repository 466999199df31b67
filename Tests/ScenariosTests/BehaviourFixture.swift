import Quantities
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Testing

/// Builds and carries out scenarios of the person who acts by chance.
enum BehaviourFixture {
  /// A closed loop on the body that does what its settings say.
  static func text(_ rest: String, days: Int = 3, seed: UInt64 = 1, app: String = "") -> String {
    """
    { format: 'loopsim/1',
      clock: { start: '2026-01-15T00:00:00', timeZone: 'America/Chicago', duration: '\(days)d' },
      random: { seed: \(seed) },
      patient: { model: 'tidepool-simple', initialGlucose: 120,
        needs: { basal: [['00:00', 0.8]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } },
      therapy: { maxBolus: 12, maxBasal: 4 },
      cgm: { model: 'ar1', lag: '6m', noise: { sd: 5, phi: 0.7 } },
      app: { closedLoop: true, \(app) },
      \(rest) }
    """
  }

  static func built(_ text: String) throws -> BuiltRun {
    let (built, problems) = attempt(text)
    return try #require(built, "\(problems)")
  }

  /// The run, and every problem as a sentence.
  static func attempt(_ text: String) -> (BuiltRun?, [String]) {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    guard let document = reader.read("s.json5", problems: problems),
      let plan = RunPlan(document, reader: reader, problems: problems)
    else { return (nil, problems.sorted.map(\.description)) }
    let built = RunBuilder.build(plan.run(at: 0), problems: problems)
    return (built, problems.sorted.map(\.description))
  }

  static func result(_ text: String) throws -> RunResult { result(try built(text)) }

  static func result(_ built: BuiltRun) -> RunResult {
    var run = Run(built.setup)
    while run.step() {}
    return run.finish()
  }
}

extension RunResult {
  /// The happenings of a kind whose name is one of an event's occurrences.
  func happenings(_ kind: Happening.Kind, of id: String = "") -> [Happening] {
    trace.happenings.filter { $0.kind == kind && (id.isEmpty || $0.name.hasPrefix(id)) }
  }
}
