import ScenarioLanguage
import Scenarios
import StructuredText
import Testing

/// Remarks, which any object may have and nothing interprets.
@Suite("Remarks")
struct RemarkTests {
  @Test(
    "What a remark holds is no edit, names no table and no former key",
    arguments: [
      "note: { trace: { csv: 'none.csv' }, $append: 3 }",
      "'x-history': { glucose: { csv: 'none.csv' } }, 'x-list': [{ $merge: 1 }]",
      "healthStore: { 'x-former': { authorised: ['glucose'] } }",
      "events: [{ at: '08:00', meal: { grams: 10 }, note: { bolus: { by: 'unauthorised' } } }]",
      "cgm: { note: { bias: {} } }, faults: [{ at: '03:00', cgm: { note: 'x', dropout: {} } }]",
    ])
  func uninterpreted(body: String) {
    #expect(CheckTests.sentences(body) == [])
  }

  @Test("A remark takes the place of an inherited one")
  func replaced() throws {
    let read = Read([
      "Scenarios/b.json5": "{ format: 'loopsim/1', note: { a: 1 }, clock: { 'x-y': [1] } }",
      "Scenarios/a.json5": "{ extends: 'b.json5', note: { b: 2 }, clock: { duration: '1h' } }",
    ])
    #expect(read.sentences == [])
    let tree = try #require(read.document).tree
    #expect(tree["note"]?.members?.map(\.key) == ["b"])
    #expect(tree["clock"]?.members?.map(\.key) == ["x-y", "duration"])
  }

  @Test(
    "A remark stands among paths and their values too",
    arguments: [
      "zip: { note: 'both', 'therapy.maxBolus': [5, 6], 'therapy.maxBasal': [3, 4] }",
      """
      sobol: { n: 8, of: { 'x-why': 'both', 'therapy.maxBolus': { uniform: [5, 6] }, \
      'therapy.maxBasal': { uniform: [3, 4], note: 'more' } } }
      """,
    ])
  func swept(sweep: String) {
    #expect(CheckTests.sentences("therapy: {}, sweep: { \(sweep) }") == [])
  }

  @Test(
    "A sweep that sets remarks alone makes runs that are the same",
    arguments: [
      ("'clock.x-mark': [1, 2]", true), ("'events[m].note': ['a', 'b']", true),
      ("'clock.x-mark': [1]", false),
      ("zip: { 'clock.x-mark': [1, 2], 'therapy.maxBolus': [5, 6] }", false),
    ])
  func sweptAlone(sweep: String, isTold: Bool) {
    let told = CheckTests.sentences(
      "therapy: {}, events: [{ id: 'm', at: '08:00', meal: { grams: 10 } }], sweep: { \(sweep) }")
    #expect(told.count == (isTold ? 1 : 0), "\(told)")
    #expect(told.allSatisfy { $0.contains(" in that alone are the same. [W-NULL]") }, "\(told)")
  }

  @Test(
    "An object with a remark alone says nothing",
    arguments: [
      ("events: [{ at: '12:00', healthStore: { note: 'x' } }]", "Say what happens: write, revoke"),
      ("events: [{ at: '12:00', settings: { note: 'x' } }]", "no setting is named."),
      (
        "variants: { a: {}, 'x-b': {} }, expect: [{ metric: 'mean', min: 5, variants: ['x-b'] }]",
        "There is no variant \"x-b\"."
      ),
    ])
  func empty(body: String, sentence: String) {
    let told = CheckTests.sentences(body)
    #expect(told.count == 1 && told.allSatisfy { $0.contains(sentence) }, "\(told)")
  }

  @Test(
    "Where objects are called by names, none may be called as a remark is",
    arguments: [
      ("variants: { a: {}, note: { clock: { duration: '1h' } } }", true),
      ("variants: { note: {} }", true),
      ("therapy: { presets: { note: { target: [150, 170] } } }", true),
      ("variants: { a: {}, note: 'of both', 'x-b': { clock: { duration: '1h' } } }", false),
      ("therapy: { presets: { note: 'none yet' } }", false),
    ])
  func namesOfEntries(body: String, isRefused: Bool) {
    let told = CheckTests.sentences(body).filter { $0.contains("\"note\" is a remark here") }
    #expect(told.count == (isRefused ? 1 : 0), "\(told)")
  }

  @Test("A pump to which only a remark is made is told of when the run is built")
  func nothingDone() {
    let (built, problems) = BehaviourFixture.attempt(
      BehaviourFixture.text("events: [{ at: '12:00', pump: { note: 'x' } }]", days: 1))
    #expect(built == nil)
    #expect(problems.contains { $0.contains("error: Say what is done: replace") }, "\(problems)")
  }

  @Test("Without an app a health store with a remark alone is none")
  func withoutApp() {
    let (built, problems) = BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', app: 'none', healthStore: { note: 'x' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } } }
      """)
    #expect(built != nil, "\(problems)")
  }
}
