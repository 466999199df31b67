import Physiology
import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import Testing

@testable import Scenarios

@Suite("The keys of the body")
struct BodyKeysTests {
  private static func build(
    _ patient: String, events: String = "", cgm: String = "{}", unit: String = "mg/dL",
    sensitivity: Double = 50
  ) -> (BuiltRun?, [String]) {
    let problems = ProblemList()
    let text = """
      { format: 'loopsim/1', clock: { duration: '6h' }, patient: \(patient),
        glucoseUnit: '\(unit)',
        therapy: { basal: [['00:00', 0.8]], sensitivity: [['00:00', \(sensitivity)]],
          carbRatio: [['00:00', 10]] },
        app: { closedLoop: false }, cgm: \(cgm), events: [\(events)] }
      """
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    guard let document = reader.read("s.json5", problems: problems),
      let plan = RunPlan(document, reader: reader, problems: problems)
    else { return (nil, problems.problems.map(\.description)) }
    let run = plan.run(at: 0)
    ScenarioCheck.check(run, of: document, problems: problems)
    let built = RunBuilder.build(run, problems: problems)
    return (built, problems.sorted.map(\.description))
  }

  private static let simple = """
    { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]], sensitivity: [['00:00', 50]],
      carbRatio: [['00:00', 10]] }, KEY }
    """

  /// A patient of each model, with place for another key.
  private static let patients = [
    simple, "{ model: 'uva-padova-s2008', name: 'adult#001', KEY }",
    "{ model: 'uva-padova-s2013', name: 'adult#001', KEY }", "{ model: 'hovorka', KEY }",
    "{ model: 'ivp', name: 'ivp#003', KEY }", "{ model: 'bergman', KEY }",
  ]

  private static func patient(_ model: Int, _ key: String) -> String {
    patients[model].replacing("KEY", with: key)
  }

  @Test("Every model of the vocabulary is read, checked and built", arguments: 0..<6)
  func models(model: Int) throws {
    let (built, problems) = Self.build(Self.patient(model, ""))
    #expect(built != nil)
    #expect(problems == [])
    #expect(Vocabulary.patientModels.dropFirst(Self.patients.count) == [Vocabulary.external])
    #expect(Self.patients[model].contains("'\(Vocabulary.patientModels[model])'"))
  }

  @Test("A glucose that no basal rate holds is a located error", arguments: 1..<6)
  func infeasible(model: Int) {
    let glucose = model == 5 ? 599 : 590
    // The minimal model reaches 807 mg/dL, so that every start the format allows is feasible.
    let (built, problems) = Self.build(Self.patient(model, "initialGlucose: \(glucose)"))
    guard model != 5 else {
      #expect(built != nil, "\(problems)")
      return
    }
    #expect(built == nil)
    let sentence = problems.first { $0.contains("cannot be in steady state at 590.0 mg/dL") }
    #expect(sentence?.hasPrefix("s.json5:1:") == true, "\(problems)")
    // 32.7 mmol/L are 589.1 mg/dL.
    let (_, molar) = Self.build(
      Self.patient(model, "initialGlucose: 32.7"), unit: "mmol/L", sensitivity: 3)
    #expect(
      molar.contains { $0.contains(/steady state at 32.7 mmol\/L: .* [0-9.]+ mmol\/L. Start/) },
      "\(molar)")
  }

  @Test(
    "A key that a model has no equations for is a warning",
    arguments: [
      ("secretion: { perGlucose: 0.01 }", [1, 2, 3, 4, 5]),
      ("secretion: { basalProduction: 0.1, basalGlucose: 90 }", [1, 2, 3, 4, 5]),
      ("secretion: { basalGlucose: 90 }", [0, 1, 2, 3, 4, 5]), ("integration: 'reference'", [0]),
      ("gastricMemory: 'wholeMeal'", [0, 3, 4, 5]), ("uptakeInLows: false", [0, 1, 3, 4, 5]),
      ("heartRate: { resting: 55 }", [0, 1, 4]),
      ("pattern: { insulinAbsorption: [['00:00', 0.5]] }", [0]),
      ("variability: { oscillation: { of: 'insulinAbsorption', amplitude: 0.4 } }", [0]),
      ("variability: { oscillation: { of: 'gastricEmptying', amplitude: 0.4 } }", []),
      ("variability: { correlation: '2h' }", [0, 1, 2, 3, 4, 5]),
      ("variability: { withinDay: { glucoseProduction: 0.1 } }", []),
      ("weight: 90", [0, 4]), ("parameters: {}", [0]),
      ("dawn: { amplitude: 0.3 }", []), ("circadian: { class: 'drawn' }", []),
    ])
  func warns(key: String, models: [Int]) {
    for model in 0..<6 {
      let (built, problems) = Self.build(Self.patient(model, key))
      #expect(built != nil)
      let hasWarning = problems.contains { $0.contains("W-NOEFFECT") }
      #expect(hasWarning == models.contains(model), "\(model): \(problems)")
    }
  }

  @Test("A body that has no patients has no name")
  func named() {
    let (built, problems) = Self.build(Self.patient(0, "name: 'adult#001'"))
    #expect(built != nil)
    #expect(
      problems.count == 1
        && problems.allSatisfy { $0.contains("\"patient.name\" has no effect: tidepool-simple") },
      "\(problems)")
  }

  @Test("Where a sensor sits makes no difference to a body of one glucose", arguments: 0..<6)
  func sites(model: Int) {
    let (_, problems) = Self.build(Self.patient(model, ""), cgm: "{ site: 'interstitium' }")
    let sentence =
      "\"cgm.site\" has no effect: in tidepool-simple glucose is the same everywhere. [W-NOEFFECT]"
    #expect(problems.contains { $0.hasSuffix(sentence) } == (model == 0), "\(problems)")
    #expect(problems.count == (model == 0 ? 1 : 0))
  }

  @Test(
    "What cannot be is a located error",
    arguments: [
      ("integration: { step: '1m', tolerance: 1e-8 }", "a step or with a tolerance"),
      ("integration: { step: '10m' }", "'2m'"), ("integration: {}", "step"),
      ("integration: { longestStep: '5m' }", "tolerance"),
      ("heartRate: { resting: 120, maximum: 110 }", "below the highest"),
      ("parameters: { HRrest: 65, HRmax: 40 }", "below the highest"),
      ("circadian: { class: 8 }", "7"), ("circadian: { class: 'any' }", "drawn"),
      ("dawn: {}", "amplitude"), ("pattern: { insulin: [['00:00', 1]] }", "insulinSensitivity"),
      (
        "variability: { sensitivitySD: 0.1, withinDay: { insulinSensitivity: 0.1 } }",
        "are the same"
      ),
      ("variability: { oscillation: { period: '3h' } }", "amplitude"),
      ("parameters: { SIX: 0.01 }", "SIT"), ("parameters: { SIT: -1 }", "SIT"),
      ("parameters: { EGP0: 0.001 }", "cannot be in steady state"), ("weight: 1", "kg"),
      ("parameters: { tmaxG: 1e-6 }", "from 0.1 to 10000"),
      ("parameters: { ke: 1e6 }", "from 0.0001 to 100"), ("parameters: { BW: 1 }", "from 2 to 300"),
    ])
  func refuses(key: String, part: String) {
    let (built, problems) = Self.build(Self.patient(3, key))
    #expect(built == nil)
    #expect(problems.contains { $0.contains(part) }, "\(problems)")
    #expect(problems.allSatisfy { $0.hasPrefix("s.json5:") })
  }

  @Test("The short form of a deviation of sensitivity is the long one, its chance included")
  func shortDeviation() throws {
    func glucose(_ variability: String) throws -> [GlucoseConcentration] {
      let (built, problems) = Self.build(Self.patient(3, "variability: { \(variability) }"))
      return BehaviourFixture.result(try #require(built, "\(problems)")).trace.rows.map(
        \.trueGlucose)
    }
    let short = try glucose("sensitivitySD: 0.3")
    #expect(short == (try glucose("withinDay: { insulinSensitivity: 0.3 }")))
    #expect(Set(short).count > 10)
  }

  @Test("Exercise works on the models that have it, and is a warning on the others")
  func exercise() {
    for (model, works) in [false, false, true, true, false, true].enumerated() {
      let (built, problems) = Self.build(
        Self.patient(model, ""),
        events: "{ at: '01:00', exercise: { heartRate: 120, duration: '30m' } }")
      #expect(built?.setup.events.count == (works ? 2 : 0))
      #expect(problems.contains { $0.contains("Exercise has no effect") } != works)
    }
    let (_, problems) = Self.build(
      Self.patient(3, ""),
      events: "{ at: '01:00', exercise: { heartRate: 60, duration: '30m' } }")
    #expect(problems.contains { $0.contains("65 at rest and 185 at most") }, "\(problems)")
    let (_, nameless) = Self.build(
      "{}", events: "{ at: '01:00', exercise: { duration: '30m' } }")
    #expect(nameless.contains { $0.contains("\"patient.model\" is missing") }, "\(nameless)")
    #expect(!nameless.contains { $0.contains("the model") }, "\(nameless)")
  }

  @Test(
    "A heart rate is a share of the body's own reserve, wherever that is stated",
    arguments: [
      "heartRate: { resting: 60, maximum: 160 }", "parameters: { HRrest: 60, HRmax: 160 }",
      "parameters: { HRrest: 60 }, heartRate: { maximum: 160 }",
    ])
  func heartRate(key: String) throws {
    let (built, problems) = Self.build(
      Self.patient(3, key),
      events: "{ at: '01:00', exercise: { heartRate: 85, duration: '30m' } }")
    let setup = try #require(built, "\(problems)").setup
    #expect(problems == [])
    guard case .apply(.exercise(let share), _) = setup.events[0].action else {
      Issue.record("The events are \(setup.events).")
      return
    }
    #expect(share == 0.25)
  }

  @Test(
    "Exercise that is none, or harder than any, is said to be so",
    arguments: [
      ("mets: 10", nil), ("mets: 20", "More than 10 MET have no effect"),
      ("mets: 1", "Exercise has no effect: at this intensity the body is at rest."),
      ("heartRate: 65", "Exercise has no effect: at this intensity the body is at rest."),
    ] as [(String, String?)])
  func oddIntensities(key: String, words: String?) {
    let (built, problems) = Self.build(
      Self.patient(3, ""), events: "{ at: '01:00', exercise: { \(key), duration: '30m' } }")
    #expect(built?.setup.events.count == 2)
    #expect(problems.count == (words == nil ? 0 : 1), "\(problems)")
    #expect(problems.allSatisfy { $0.contains(words ?? "") }, "\(problems)")
  }

  @Test("A heart rate among the parameters has no effect beside one that is stated for itself")
  func heartRateTwice() {
    let (built, problems) = Self.build(
      Self.patient(3, "parameters: { HRmax: 170 }, heartRate: { maximum: 160 }"))
    #expect(built != nil)
    let words = "\"HRmax\" has no effect beside \"heartRate.maximum\". [W-NOEFFECT]"
    #expect(problems.filter { $0.hasSuffix(words) }.count == 1, "\(problems)")
  }

  @Test("Every insulin a pump can hold is put into it; one that only a pen gives is refused")
  func pumpInsulin() throws {
    for insulin in Vocabulary.pumpedInsulins {
      let (built, problems) = Self.build(Self.patient(3, "insulinType: '\(insulin)'"))
      let setup = try #require(built, "\(problems)").setup
      // The body takes it up as any rapid-acting insulin, which is said.
      #expect(problems.isEmpty == (insulin != "rapidActingChild"), "\(problems)")
      let wanted = InsulinFormulation.named(insulin)?.absorption ?? .rapid
      #expect(setup.pumpInsulin == wanted)
    }
    #expect(Vocabulary.pumpedInsulins.contains("regular"))
    let (built, problems) = Self.build(Self.patient(3, "insulinType: 'glargine'"))
    #expect(built == nil)
    #expect(problems.contains { $0.contains("glargine") && $0.hasPrefix("s.json5:1:") })
  }

  @Test("Every insulin of the catalogue can be injected, and only quick ones are logged as boluses")
  func injections() throws {
    for insulin in InsulinFormulation.catalogue {
      let (built, problems) = Self.build(
        Self.patient(4, ""),
        events: "{ at: '01:00', injection: { units: 4, insulin: '\(insulin.id)' } }")
      let events = try #require(built, "\(problems)").setup.events
      guard case .inject(4, let given, _) = events[0].action,
        case .writeToHealthStore(let written) = events[1].action
      else {
        Issue.record("The events are \(events).")
        continue
      }
      #expect(given == insulin)
      if case .bolus = written.content {
        #expect(insulin.countsAsInsulinOnBoard)
      } else {
        #expect(!insulin.countsAsInsulinOnBoard)
      }
    }
  }

  @Test("Illness, stress and a short night work on every model", arguments: 0..<6)
  func varying(model: Int) throws {
    for event in ["illness: { severity: 1 }", "stress: { level: 0.4 }", "shortNight: true"] {
      let (built, problems) = Self.build(
        Self.patient(model, ""), events: "{ at: '00:30', \(event) }")
      #expect(problems == [])
      var setup = try #require(built).setup
      var ill = setup.patient
      var well = ill
      guard case .apply(let condition, _) = setup.events[0].action else {
        Issue.record("The event is \(setup.events[0]).")
        return
      }
      setup.events = []
      for step: Int64 in 1...4 {
        let instant = setup.start + .minutes(30 * step)
        ill.advance(to: instant)
        well.advance(to: instant)
        if step == 1 {
          let isKnown = ill.apply(condition)
          #expect(isKnown)
        }
        ill.receive(.pulse(units: 1))
        well.receive(.pulse(units: 1))
      }
      #expect(ill.glucose.mgdL > well.glucose.mgdL + 0.05, "\(event), model \(model)")
    }
  }
}
