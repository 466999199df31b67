import Foundation
import RunPlans
import ScenarioLanguage
import Scenarios
import StructuredText
import TestSupport
import Testing

@Suite("Checking scenarios")
struct CheckTests {
  static func check(_ files: [String: String], _ path: String) -> (RunPlan?, [String]) {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    let plan = ScenarioCheck.plan(path, reader: &reader, problems: problems)
    return (plan, problems.sorted.map(\.description))
  }

  static let patient = "patient: { model: 'uva-padova-s2008', name: 'adult#001' }"

  static func sentences(_ body: String) -> [String] {
    check(
      ["Scenarios/a.json5": "{ format: 'loopsim/1', \(patient), \(body) }"], "Scenarios/a.json5"
    ).1
  }

  @Test("A scenario that uses everything has nothing but notes on the change of clocks")
  func tour() throws {
    let (plan, sentences) = Self.check(Tour.files, "Scenarios/tour.json5")
    #expect(plan?.count == 2 * 2 * 2 * 2 * 2)
    // On 25 October 2026 clocks in Berlin go back from 03:00 to 02:00.
    #expect(sentences.count == 1)
    #expect(
      sentences.first?.contains("note: The clock shows 2026-10-25 02:30 twice; the first is used.")
        == true, "\(sentences)")
  }

  @Test(
    "A key that is to be removed and that nothing has is unknown, unless a base has it",
    arguments: [
      ("therapi: { $remove: true }", "\"therapi\" is not a known key. Did you mean \"therapy\"?"),
      (
        "therapy: { suspendTreshold: { $remove: true } }",
        "\"suspendTreshold\" is not a known key in \"therapy\". Did you mean \"suspendThreshold\"?"
      ),
      (
        "events: [{ at: '01:00', meal: { grams: 5, gramms: { $remove: true } } }]",
        "\"gramms\" is not a known key in \"events[0].meal\". Did you mean \"grams\"?"
      ),
      (
        "variants: { a: { clok: { $remove: true } } }",
        "\"clok\" is not a known key in \"variants.a\". Did you mean \"clock\"?"
      ),
    ])
  func removedKeys(body: String, sentence: String) {
    let sentences = Self.sentences(body)
    #expect(sentences.count == 1, "\(sentences)")
    #expect(sentences.first?.hasSuffix("error: \(sentence)") == true, "\(sentences)")
    let (_, based) = Self.check(
      [
        "Scenarios/b.json5": "{ format: 'loopsim/1', \(Self.patient), old: 1 }",
        "Scenarios/a.json5": "{ extends: 'b.json5', old: { $remove: true } }",
      ], "Scenarios/a.json5")
    #expect(based == [])
  }

  @Test(
    "A known key or an item that nothing is inherited for is left alone, with a warning",
    arguments: [
      "therapy: { suspendThreshold: { $remove: true } }",
      "expect: { $merge: { byKey: 'id', items: [{ id: 'none', $remove: true }] } }",
    ])
  func idleRemoval(body: String) {
    let sentences = Self.sentences(body)
    #expect(sentences.count == 1, "\(sentences)")
    #expect(
      sentences.first?.hasSuffix(
        "warning: Nothing is inherited here, so there is nothing to remove. [W-NOEFFECT]") == true,
      "\(sentences)")
  }

  @Test("Five lines are enough")
  func short() { #expect(Self.sentences("clock: { duration: '1h' }") == []) }

  @Test("A format that is missing or not known is told once, with what else is wrong")
  func format() {
    let unknown = "The format \"loopsim/2\" is not known; this version of loopsim reads only "
    let missing = "\"format\" is missing. Write format: 'loopsim/1' as the first key."
    let list = "The format must be 'loopsim/1', not a list."
    for (text, sentence) in [
      ("{}", missing), ("{ format: 'loopsim/2' }", unknown), ("{ format: [] }", list),
    ] {
      let sentences = Self.check(["Scenarios/a.json5": text], "Scenarios/a.json5").1
      #expect(sentences.count { $0.contains("format") } == 1, "\(sentences)")
      #expect(sentences.contains { $0.contains(sentence) }, "\(sentences)")
      #expect(sentences.contains { $0.contains("\"patient\" is missing") }, "\(sentences)")
    }
  }

  @Test(
    "A mistake is named, located, and answered with what was expected",
    arguments: [
      ("clok: {}", "\"clok\" is not a known key. Did you mean \"clock\"?"),
      (
        "clock: { duraton: '1h' }",
        "\"duraton\" is not a known key in \"clock\". Did you mean \"duration\"?"
      ),
      (
        "clock: { duration: 24 }",
        "A span of time needs its unit, such as '24m' or '24h', not 24 alone."
      ),
      ("clock: { timeZone: 'Mars/Base' }", "\"Mars/Base\" is not a time zone."),
      ("clock: { start: '2026-02-30T00:00:00' }", "must be a date and a time such as"),
      (
        "clock: { loopEvery: '4m' }",
        "The Loop app begins no cycle within 4.2 minutes of the last; this run has one every '4m'."
      ),
      (
        "clock: { loopEvery: '1m', loopJitter: '2m' }",
        "loopJitter must be shorter than loopEvery ('1m')."
      ),
      (
        "app: { dosing: 'tempbasal' }",
        "it must be one of \"tempBasal\", \"automaticBolus\". Did you mean \"tempBasal\"?"
      ),
      (
        "app: { carbAbsorption: 'linear' }",
        "\"app.carbAbsorption\" is not supported by this version. Loop knows only"
      ),
      (
        "events: [{ at: '07:00', meal: { grams: 40, fat: 20 } }]",
        "None of the published models of the body has equations for fat"
      ),
      (
        "events: [{ at: '07:00', exercise: { duration: '1h', effect: { beta: 2 } } }]",
        "\"patient.parameters\" sets their parameters."
      ),
      ("pump: { model: 'omnipod' }", "There are several Omnipods: write 'omnipodDASH'"),
      ("pump: { history: 'none' }", "must be one of \"complete\", \"reservoir\""),
      ("events: [{ at: '07:00', suspend: 3 }]", "must be true, or an object, not 3."),
      (
        "app: { dosing: 'automaticBolus', applicationFactor: [] }",
        "must be a number from 0 to 1, or 'glucoseBased', not a list."
      ),
      (
        "therapy: { maxBolus: 99 }",
        "\"therapy.maxBolus\" must be a number from 0 to 50 (U), not 99."
      ),
      ("therapy: { maxBolus: 1.00005 }", "1.00005 U is not a whole number of thousandths."),
      (
        "therapy: { suspendThreshold: 4.2 }",
        "It looks like mmol/L; the file's glucoseUnit is mg/dL."
      ),
      (
        "therapy: { basal: [['00:00', 5]], maxBasal: 4 }",
        "The scheduled rate 5 U/h is above maxBasal (4 U/h), which bounds"
      ),
      (
        "therapy: { basal: [['00:00', 0.83]] }",
        "A scheduled rate of 0.83 U/h is not what the Generic 0.05 U pump can do: steps of 0.05 U/h"
      ),
      (
        "therapy: { target: [['00:00', [70, 90]]], suspendThreshold: 80 }",
        "The correction range begins at 70, below the suspend threshold (80)."
      ),
      (
        "events: [{ at: '07:00', meal: { grams: 1, carbs: 5 } }]",
        "\"carbs\" is not a known key in \"events[0].meal\""
      ),
      (
        "events: [{ at: '07:00', meal: {} }]",
        "\"events[0].meal.grams\" is missing; it must be a number from 0 to 1000 g."
      ),
      (
        "events: [{ meal: { grams: 5 } }]",
        "\"events[0].at\" is missing; it must be a time such as '18:30', 'd1 07:15', '+1h30m' or "
          + "'2026-03-07T18:00:00', or a list of them, or an object."
      ),
      (
        "events: [{ at: '07:00', bolus: 3 }]",
        "\"events[0].bolus\" must be an object in braces, such as { units: 3 }, not 3."
      ),
      (
        "events: [{ at: '07:00', bolus: 'recommended' }]",
        "\"events[0].bolus\" must be an object in braces, such as { take: \"recommended\" }, not "
          + "\"recommended\"."
      ),
      (
        "pump: 'omnipodDASH'",
        "\"pump\" must be an object in braces, such as { model: \"omnipodDASH\" }, not "
          + "\"omnipodDASH\"."
      ),
      (
        "events: [{ at: '07:00', basal: 0.5 }]",
        "\"events[0].basal\" must be an object, not 0.5."
      ),
      ("meals: [{ at: '07:00' }]", "\"meals\" is not a known key. Did you mean \"events\"?"),
      ("events: [{ at: '07:00' }]", "This is no event yet: it needs one of meal, entry, bolus"),
      (
        "events: [{ at: '07:00', bolos: { units: 1 } }]",
        "\"bolos\" is not a known key in \"events[0]\". Did you mean \"bolus\"?"
      ),
      (
        "events: [{ at: '07:00', tempBasal: { rate: 1, duration: '1h' } }]",
        "\"tempBasal\" is not a known key in \"events[0]\". Did you mean \"basal\"?"
      ),
      (
        "events: [{ at: '07:00', bolus: { units: 1 }, meal: { grams: 1 } }]",
        "An event is one thing; it cannot be \"meal\" and \"bolus\"."
      ),
      (
        "events: [{ at: '07:00', bolus: { units: 1 }, until: '+1h' }]",
        "\"until\" has a meaning only beside \"preset\"."
      ),
      (
        "events: [{ at: '07:00', bolus: {} }]",
        "A bolus needs \"units\", take: 'recommended', or \"calculator\"."
      ),
      (
        "events: [{ at: '07:00', bolus: { units: 1, calculator: { grams: 10 } } }]",
        "A bolus has one of \"units\", \"take\" and \"calculator\", not 2."
      ),
      (
        "events: [{ at: '07:00', bolus: { calculator: { gram: 10 } } }]",
        "\"gram\" is not a known key in \"events[0].bolus.calculator\". Did you mean \"grams\"?"
      ),
      (
        "faults: [{ at: '+1h', pump: { occlusion: {} }, xyz: 1 }]",
        "\"xyz\" is not a known key in \"faults[0]\". Known keys: id, at, during, every, "
          + "probability, pump, cgm, app, healthStore, phone, user."
      ),
      (
        "events: [{ at: '+25h', closedLoop: true }]",
        "outside the run from 2026-01-05T00:00:00Z to 2026-01-06T00:00:00Z"
      ),
      (
        "events: [{ at: '07:00', preset: 'runn' }], therapy: { presets: { run: {} } }",
        "There is no preset \"runn\" in therapy.presets. Did you mean \"run\"?"
      ),
      (
        "events: [{ at: '07:00', preset: 'workout' }]",
        "The preset \"workout\" needs therapy.workoutTarget."
      ),
      (
        "events: [{ id: 'a', at: '07:00', resume: true }, { id: 'a', at: '08:00', resume: true }]",
        "The id \"a\" is there twice"
      ),
      // Both would be found by the one name, whose occurrences have other names.
      (
        "events: [{ id: 'a', at: ['07:00', '08:00'], meal: { grams: 1 } }, "
          + "{ at: '09:00', entry: { grams: 1, id: 'a' } }]",
        "The id \"a\" is there twice"
      ),
      (
        "events: [{ at: ['07:00', '08:00'], meal: { grams: 1 }, entry: { id: 'a' } }, "
          + "{ id: 'a', at: '09:00', resume: true }]", "The id \"a\" is there twice"
      ),
      (
        "events: [{ at: '07:00', meal: { grams: -1 } }]",
        "must be a number from 0 to 1000 (g), not -1."
      ),
      ("faults: [{ cgm: { fail: {} } }]", "A fault needs a time: \"at\", \"during\" or \"every\"."),
      ("faults: [{ at: '+1h', cgm: { dropot: {} } }]", "Did you mean \"dropout\"?"),
      (
        "faults: [{ at: '+1h', during: ['+1h', '1h'], cgm: { dropout: {} } }]",
        "A fault comes in one way"
      ),
      ("faults: [{ during: ['+30h', '1h'], cgm: { dropout: {} } }]", "outside the run"),
      (
        "expect: [{ id: 'x', metric: 'mean' }]",
        "This expects nothing yet: beside \"metric\" it needs min or max or equals."
      ),
      (
        "behaviour: { rescue: { below: 70 } }",
        "\"behaviour.rescue.grams\" is missing; it must be a number or law from 0.1 to 200 g."
      ),
      ("expect: [{ id: 'x', invariant: 'no-gaps' }]", "must be one of"),
      (
        "expect: [{ id: 'x', metric: 'sd', min: 1, variants: ['autoo'] }], variants: { auto: {} }",
        "There is no variant \"autoo\". Did you mean \"auto\"?"
      ),
      (
        "expect: [{ id: 'x', metric: 'sd', min: 1, variants: [] }], "
          + "variants: { a: {}, b: {} }",
        "No variant is left to look at."
      ),
      (
        "expect: [{ id: 'x', compare: { metric: 'sd', this: 'a', other: 'a' }, "
          + "ratio: { min: 1 } }], "
          + "variants: { a: {}, b: {} }",
        "\"a\" is not compared with itself."
      ),
      (
        "expect: [{ id: 'x', compare: { metric: 'sd', other: 'a' }, "
          + "ratio: { min: 1 }, variants: 'a' }], "
          + "variants: { a: {}, b: {} }",
        "there is no variant beside \"a\"."
      ),
      (
        "expect: [{ id: 'x', compare: { metric: 'sd', this: 'b', other: 'a' }, "
          + "ratio: { min: 1 }, variants: 'a' }], "
          + "variants: { a: {}, b: {} }",
        "\"variants\" lacks \"b\"."
      ),
      (
        "expect: [{ id: 'x', compare: { metric: 'sd', other: 'a' }, "
          + "ratio: { min: 2, max: 1 } }], "
          + "variants: { a: {}, b: {} }",
        "Nothing can pass: \"min\" is above"
      ),
      (
        "expect: [{ id: 'x', metric: 'mean', min: 100, max: 150, equals: 90, tolerance: 5 }]",
        "Nothing can pass: \"equals\" is below \"min\"."
      ),
      (
        "expect: [{ id: 'x', event: { kind: 'bolus' }, count: 5, max: 3 }]",
        "Nothing can pass: \"count\" is above \"max\"."
      ),
      (
        "expect: [{ id: 'x', series: 'glucose.true', always: { above: 180, below: 70 } }]",
        "Nothing can pass: no value is from 180 on and at most 70."
      ),
      ("expect: [{ id: 'x', series: 'a', outside: ['f'], never: {} }]", "There is no fault \"f\"."),
      (
        "events: [{ at: '07:00', id: 'dose', bolus: { units: 1 } }, "
          + "{ at: '08:00', delete: { from: 'both', match: { id: 'dosse' } } }]",
        "There is no event \"dosse\". Did you mean \"dose\"?"
      ),
      ("cgm: { noise: { sd: 3 } }", "noise has no effect on the ideal CGM."),
      ("budget: { maxRun: 5 }", "Did you mean \"maxRuns\"?"),
      (
        "sweep: { 'therapy.maxBolus': [5, 60] }, therapy: {}",
        "must be a number from 0 to 50 (U), not 60."
      ),
    ])
  func mistakes(body: String, sentence: String) {
    let sentences = Self.sentences(body)
    #expect(sentences.count == 1, "\(sentences)")
    #expect(sentences.first?.hasPrefix("Scenarios/a.json5:1:") == true)
    #expect(sentences.first?.contains(sentence) == true, "\(sentences)")
  }

  @Test("For a figure in place of its key the key is named")
  func figureAsKey() {
    let sentences = Self.sentences("expect: [{ id: 'a', tir: [70, 180], min: 70 }]")
    let wanted = "\"tir\" is not a known key in \"expect[0]\". Did you mean \"metric\"?"
    #expect(sentences.contains { $0.contains(wanted) }, "\(sentences)")
  }

  @Test("All problems of a file come in one go, each where it was written")
  func allAtOnce() {
    let (_, sentences) = Self.check(
      [
        "Scenarios/a.json5":
          "{ format: 'loopsim/1', extends: 'b.json5', app: { closedLop: 1 },\n"
          + " sweep: { x: [] }, pump: 5,\n random: { seed: -1 }, random: {} }",
        "Scenarios/b.json5": "{ format: 'loopsim/1',\n patient: { model: 'uva' } }",
      ], "Scenarios/a.json5")
    #expect(
      sentences.map { $0.split(separator: ": ").first.map(String.init) } == [
        "Scenarios/a.json5:1:51", "Scenarios/a.json5:2:14", "Scenarios/a.json5:2:26",
        "Scenarios/a.json5:3:18", "Scenarios/a.json5:3:24", "Scenarios/b.json5:2:20",
      ], "\(sentences)")
  }
}

@Suite("The scenarios of this package")
struct PackageScenariosTests {
  @Test("Every scenario in the folder is without errors and warnings")
  func library() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Scenarios")
    let files = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []
    var reader = ScenarioReader(files: MachineFiles(), root: root.path)
    let scenarios = files.sorted().filter { $0.hasSuffix(".json5") && !$0.contains("base/") }
    for file in Extent.some(of: scenarios, every: 8) {
      let problems = ProblemList()
      let plan = ScenarioCheck.plan(root.path + "/" + file, reader: &reader, problems: problems)
      // Only what is built for a run reads the expectations, and tells how long supplies last.
      if let plan, plan.count > 0 {
        for place in Set([0, plan.count - 1]) {
          _ = RunBuilder.build(plan.run(at: place), problems: problems)
        }
      }
      #expect(!problems.hasErrorsOrWarnings, "\(problems.sorted.map(\.description))")
    }
  }
}
