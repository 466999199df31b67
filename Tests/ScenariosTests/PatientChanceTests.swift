import Devices
import Physiology
import Quantities
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import TestSupport
import Testing

/// Chance belongs to a person: arms share it, and patients do not.
@Suite("The chance of patients")
struct PatientChanceTests {
  private static let cohortBlock =
    "cohort: { from: 'c.csv', columns: { g: 'patient.initialGlucose' } },"

  /// A day of a person by chance, with a sensor's noise, over a cohort.
  private static func text(
    seed: UInt64 = 7, random: String = "", patients: String = "", rest: String = "",
    behaviour: String = """
    meals: [{ name: 'lunch', window: ['12:00', '14:00'],
      grams: { normal: { mean: 60, sd: 12, min: 10, max: 120 } } }]
    """
  ) -> String {
    """
    { format: 'loopsim/1', clock: { duration: '1d' }, random: { seed: \(seed), \(random) },
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      cgm: { model: 'ar1' }, behaviour: { \(behaviour) },
      \(patients.isEmpty ? "" : Self.cohortBlock)
      \(rest) }
    """
  }

  /// All runs of a scenario with a cohort of the patients that a table names.
  private static func built(_ text: String, patients: String = "") throws -> [String: BuiltRun] {
    let table = "id,g\n" + patients.split(separator: " ").map { "\($0),120\n" }.joined()
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text, "c.csv": table]))
    let read = reader.read("s.json5", problems: problems)
    let document = try #require(read, "\(problems.sorted)")
    let plan = try #require(
      RunPlan(document, reader: reader, problems: problems), "\(problems.sorted)")
    var runs: [String: BuiltRun] = [:]
    for place in 0..<plan.count {
      let run = plan.run(at: place)
      let made = RunBuilder.build(run, problems: problems)
      let built: BuiltRun = try #require(made, "\(problems.sorted)")
      runs[String(run.id.dropFirst(2))] = built
    }
    return runs
  }

  private static func cohort(_ text: String, _ patients: String) throws -> [String: BuiltRun] {
    try built(text, patients: patients)
  }

  /// What the sensor of a run adds to a glucose of 120 mg/dL in a day.
  private static func errors(_ run: BuiltRun?) throws -> [Double] {
    let setup = try #require(run).setup
    var sensor = setup.sensor
    var errors: [Double] = []
    var instant = setup.start
    while instant < setup.end {
      instant = sensor.nextSample(after: instant)
      if let reading = sensor.observe(.mgdL(120), at: instant) {
        errors.append(reading.glucose.mgdL - 120)
      }
    }
    return errors
  }

  /// The grams eaten in a run.
  private static func grams(_ run: BuiltRun?) throws -> Double {
    try #require(run).setup.events.reduce(0) { sum, event in
      if case .eat(let meal, _) = event.action { sum + meal.grams } else { sum }
    }
  }

  private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
    let (mean, other) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
    var (ab, aa, bb) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      ab += (x - mean) * (y - other)
      aa += (x - mean) * (x - mean)
      bb += (y - other) * (y - other)
    }
    return ab / (aa * bb).squareRoot()
  }

  // MARK: - Seeds

  @Test("A run without a cohort has the scenario's own seed")
  func ownSeed() throws {
    #expect(RunSeed.value(seed: 7) == 7)
    #expect(try Self.built(Self.text())[""]?.setup.seed == 7)
  }

  @Test("Arms share the seed of a patient; adding a patient or sorting the rows moves nobody")
  func seedsOfRuns() throws {
    let text = Self.text(
      patients: "c", rest: "variants: { a: {}, b: { app: { closedLoop: false } } }")
    let two = try Self.cohort(text, "p1 p2")
    let more = try Self.cohort(text, "p0 p2 p1")
    for name in ["p1", "p2"] {
      let seed = try #require(two["a/\(name)"]).setup.seed
      #expect(two["b/\(name)"]?.setup.seed == seed)
      #expect(more["a/\(name)"]?.setup.seed == seed)
      #expect(seed == RunSeed.value(seed: 7, patient: name))
    }
  }

  private static let unpaired = """
    variants: { a: {}, b: { app: { closedLoop: false } } },
    study: { control: 'a', paired: false,
      primary: [{ metric: 'tir(70,180)', better: 'higher', superior: true }] },
    """

  @Test("Arms of a study that is not paired have chance of their own, whatever runs them")
  func unpairedArms() throws {
    let runs = try Self.cohort(Self.text(patients: "c", rest: Self.unpaired), "p1 p2 p3 p4 p5")
    for arm in ["a", "b"] {
      for name in ["p1", "p5"] {
        let seed = RunSeed.value(seed: 7, patient: "\(name)/\(arm)")
        #expect(runs["\(arm)/\(name)"]?.setup.seed == seed)
      }
    }
  }

  @Test("patients: 'same' gives all of them the same day")
  func sameDay() throws {
    let text = Self.text(random: "patients: 'same'", patients: "c")
    let runs = try Self.cohort(text, "p1 p2")
    #expect(runs["p1"]?.setup.seed == 7)
    #expect(runs["p2"]?.setup.seed == 7)
  }

  @Test("A patient that a single run names has the chance of the cohort's")
  func singleRun() throws {
    let one = try Self.built(Self.text(random: "patient: 'p1'"))
    #expect(one[""]?.setup.seed == RunSeed.value(seed: 7, patient: "p1"))
  }

  /// The second of five patients: of the last arm, where there are arms.
  @Test("A frozen run of a cohort is that run", arguments: ["", unpaired])
  func frozen(study: String) throws {
    let text = Self.text(
      patients: "c", rest: study + "faults: [{ every: { mean: '4h' }, cgm: { dropout: {} } }]"
    ).replacing("duration: '1d'", with: "duration: '15h'")
    let problems = ProblemList()
    let table = "id,g\np1,120\np2,130\np3,120\np4,120\np5,120\n"
    let files = MemoryFiles(["s.json5": text, "c.csv": table])
    var reader = ScenarioReader(files: files)
    let read = reader.read("s.json5", problems: problems)
    let document = try #require(read)
    let plan = try #require(RunPlan(document, reader: reader, problems: problems))
    let run = plan.run(at: plan.count - 4)
    let made = RunBuilder.build(run, problems: problems)
    let built = try #require(made)
    let result = BehaviourFixture.result(built)
    let frozen = FrozenScenario(run, built: built, result: result)
    let again = try BehaviourFixture.result(frozen.text)
    #expect(again.seed == result.seed)
    #expect(again.digest == result.digest)
  }

  // MARK: - Independence

  /// Four standard errors of a correlation of independent pairs are 4 / √n.
  @Test("Errors of the sensor and meals of two patients do not go together; of two arms they do")
  func independence() throws {
    let count = Extent.of(64, whole: 160)
    let table = (0..<count).map { "p\($0)" }.joined(separator: " ")
    let text = Self.text(patients: "c", rest: "variants: { a: {}, b: {} }")
    let runs = try Self.cohort(text, table)
    var errors: (even: [Double], odd: [Double]) = ([], [])
    var meals: (even: [Double], odd: [Double]) = ([], [])
    for number in 0..<count {
      let own = try Self.errors(runs["a/p\(number)"])
      #expect(try own == Self.errors(runs["b/p\(number)"]))
      let grams = try Self.grams(runs["a/p\(number)"])
      #expect(try grams == Self.grams(runs["b/p\(number)"]))
      let first = try #require(own.first)
      if number % 2 == 0 {
        errors.even.append(first)
        meals.even.append(grams)
      } else {
        errors.odd.append(first)
        meals.odd.append(grams)
      }
    }
    let bound = 4 / Double(count / 2).squareRoot()
    #expect(Self.correlation(errors.even, errors.odd).magnitude < bound)
    #expect(Self.correlation(meals.even, meals.odd).magnitude < bound)
    // One patient's sensor goes with its own arms and with nobody else's.
    let (one, other) = (try Self.errors(runs["a/p0"]), try Self.errors(runs["a/p1"]))
    #expect(Self.correlation(one, other).magnitude < 0.7)
  }

  /// A one-sample t test at 5 % of six differences: |t| above 2.5706, the quantile of Student's law
  /// with five degrees of freedom.
  private static func rejects(_ differences: [Double]) -> Bool {
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / count
    let variance = differences.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / (count - 1)
    return mean.magnitude > 2.5706 * (variance / count).squareRoot()
  }

  /// Runs studies of patients who differ from arm to arm by chance alone.
  ///
  /// Patients who all had the same day would differ by the same amount, and every study would
  /// reject. Of 60 studies at 5 %, three reject on average; more than ten come with a probability
  /// below 0.001.
  @Test("Of studies of equal arms with other chance, as many reject as the level says")
  func nullStudies() throws {
    var rejected = (errors: 0, meals: 0)
    let table = (1...6).map { "p\($0)" }.joined(separator: " ")
    for study in 0..<Extent.of(8, whole: 60) {
      let seed = UInt64(study * 2 + 1)
      let a = try Self.cohort(Self.text(seed: seed, patients: "c"), table)
      let b = try Self.cohort(Self.text(seed: seed + 1, patients: "c"), table)
      let errors = try (1...6).map { number in
        let (one, other) = (try Self.errors(a["p\(number)"]), try Self.errors(b["p\(number)"]))
        return (one.reduce(0, +) - other.reduce(0, +)) / Double(one.count)
      }
      let meals = try (1...6).map { number in
        try Self.grams(a["p\(number)"]) - Self.grams(b["p\(number)"])
      }
      if Self.rejects(errors) { rejected.errors += 1 }
      if Self.rejects(meals) { rejected.meals += 1 }
    }
    // 3 of 60 by the level; more than 10 of 60, or than 3 of 8, are 4 chances in 10,000 at most.
    let most = Extent.of(3, whole: 10)
    #expect(rejected.errors <= most, "errors of the sensor")
    #expect(rejected.meals <= most, "grams")
  }

  @Test("Every stream of a run differs between patients: class of sensitivity, faults, slips, pump")
  func everyStream() throws {
    let text = """
      { format: 'loopsim/1', clock: { duration: '1d' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001', circadian: { class: 'drawn' } },
        app: { closedLoop: false },
        events: [{ id: 'lunch', at: { daily: '12:00', jitter: '1h' }, meal: { grams: 40 } }],
        faults: [{ every: { mean: '6h' }, cgm: { dropout: {} } },
          { during: ['+1h', '20h'], pump: { scatter: {} } },
          { user: { misestimate: { sd: 0.4 } } }],
        cohort: { from: 'c.csv', columns: { g: 'patient.initialGlucose' } } }
      """
    let runs = try Self.cohort(text, "p1 p2 p3 p4 p5 p6")
    func different(_ describe: (BuiltRun) -> String) -> Int { Set(runs.values.map(describe)).count }
    func events(_ run: BuiltRun, _ isMeant: (ScenarioEvent.Action) -> Bool) -> String {
      "\(run.setup.events.filter { isMeant($0.action) }.map(\.instant))"
    }
    #expect(different { events($0) { if case .eat = $0 { true } else { false } } } == 6)
    #expect(different { events($0) { if case .beginFault = $0 { true } else { false } } } == 6)
    #expect(
      different { run in
        let entries = run.setup.events.compactMap { event -> Double? in
          if case .enterCarbs(let entry) = event.action { entry.grams } else { nil }
        }
        return "\(entries)"
      } == 6)
    // What the pump gives differs by chance, though all have the same schedule.
    #expect(
      different { run in
        var pump = run.setup.pump
        pump.begin(.scatter(deviation: 0.34), id: "pump.scatter", at: run.setup.beginning)
        return "\(pump.advance(to: run.setup.beginning + .hours(6)))"
      } == 6)
  }

  // MARK: - Arms in step

  private static func jitter(_ events: String) throws -> Instant? {
    let text = """
      { format: 'loopsim/1', clock: { duration: '1d' }, random: { seed: 7 },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        events: [\(events)] }
      """
    return try built(text)[""]?.setup.events.last { event in
      if case .eat = event.action { true } else { false }
    }?.instant
  }

  @Test(
    "An event more in one arm moves no other",
    arguments: ["", "id: 'lunch', "])
  func jitterStaysInStep(name: String) throws {
    let lunch = "{ \(name)at: { daily: '12:30', jitter: '1h' }, meal: { grams: 40 } }"
    let alone = try Self.jitter(lunch)
    #expect(alone != nil)
    let snack = "{ at: { daily: '10:00', jitter: '20m' }, meal: { grams: 10 } }"
    #expect(try Self.jitter("\(snack), \(lunch)") == alone)
  }

  @Test("A fault more in one arm moves no other, whether it has a name or not")
  func faultsStayInStep() throws {
    func dropouts(_ before: String) throws -> [Instant] {
      let text = Self.text(
        rest: "faults: [\(before){ every: { mean: '3h' }, cgm: { dropout: {} } }]")
      let run = try #require(try Self.built(text)[""])
      return run.setup.events.compactMap { event in
        guard case .beginFault = event.action, event.id.hasPrefix("cgm.dropout") else { return nil }
        return event.instant
      }
    }
    let alone = try dropouts("")
    #expect(!alone.isEmpty)
    #expect(try dropouts("{ at: '+1h', cgm: { spike: {} } }, ") == alone)
  }

  @Test("Reactions are in step again from midnight on, whatever the day before was like")
  func reactionsInStep() throws {
    /// The grams eaten against lows on the first and on the second day.
    func grams(_ events: String) throws -> [[Double]] {
      let text = """
        { format: 'loopsim/1', clock: { duration: '36h' }, random: { seed: 5 },
          patient: { model: 'tidepool-simple', initialGlucose: 150, needs: {
            basal: [['00:00', 0.8]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
          app: { closedLoop: false }, events: [\(events){ at: '+30h', bolus: { units: 3 } }],
          behaviour: { rescue: { below: 100, grams: { uniform: [1, 9] }, lockout: '30m' } } }
        """
      let result = BehaviourFixture.result(try BehaviourFixture.built(text))
      var days: [[Double]] = [[], []]
      for reaction in result.reactions {
        guard case .rescue(let grams, _, _) = reaction.action else { continue }
        days[reaction.instant < result.start + .days(1) ? 0 : 1].append(grams)
      }
      return days
    }
    let quiet = try grams("")
    let rough = try grams("{ at: '+2h', bolus: { units: 3 } }, ")
    #expect(quiet[0].isEmpty)
    #expect(rough[0].count > 2)
    let count = min(quiet[1].count, rough[1].count)
    #expect(count > 2)
    #expect(quiet[1].prefix(count) == rough[1].prefix(count))
  }
}
