import Expectations
import Scenarios
import Testing

/// The names by which expectations and deletions refer to faults and events.
@Suite("Names that other keys refer to")
struct KnownNamesTests {
  private static func told(_ faults: String, _ name: String, _ rest: String = "") -> [String] {
    CheckTests.sentences(
      "faults: [\(faults)], \(rest) expect: [{ series: 'glucose.true', never: { above: 500 }, "
        + "outside: ['\(name)'] }]")
  }

  @Test(
    "A fault has its id, or the name of its kind, and the number of its occurrence from the second",
    arguments: [
      ("{ at: '01:00', cgm: { fail: {} } }", "cgm.fail", true),
      (
        "{ at: '01:00', cgm: { fail: {} } }, { at: '02:00', cgm: { fail: {} } }", "cgm.fail-2", true
      ),
      ("{ at: '01:00', cgm: { fail: {} } }", "cgm-fail", false),
      ("{ at: ['01:00', '02:00'], id: 'f', cgm: { fail: {} } }", "f", true),
      ("{ at: ['01:00', '02:00'], id: 'f', cgm: { fail: {} } }", "f#2", true),
      ("{ at: ['01:00', '02:00'], id: 'f', cgm: { fail: {} } }", "f#3", false),
      ("{ at: ['01:00', '02:00'], id: 'f', cgm: { fail: {} } }", "f#1", false),
      ("{ at: ['01:00', '02:00'], id: 'f', cgm: { fail: {} } }", "f#02", false),
      ("{ at: '01:00', id: 'f', cgm: { fail: {} } }", "f#2", false),
      ("{ every: { mean: '6h' }, id: 'f', cgm: { dropout: {} } }", "f#12", true),
    ])
  func faults(faults: String, name: String, isKnown: Bool) {
    let told = Self.told(faults, name)
    #expect(told.count == (isKnown ? 0 : 1), "\(told)")
    #expect(told.allSatisfy { $0.contains("There is no fault \"\(name)\".") }, "\(told)")
  }

  @Test(
    "An expectation may name a fault that another variant or value of the sweep has",
    arguments: [
      "variants: { a: {}, b: { faults: [{ id: 'x', at: '01:00', cgm: { fail: {} } }] } },",
      """
      variants: { b: { faults: { $append: [{ id: 'x', at: '01:00', cgm: { fail: {} } }] } } },
      """,
      "sweep: { faults: [[], [{ id: 'x', at: '01:00', cgm: { fail: {} } }]] },",
    ])
  func elsewhere(rest: String) {
    #expect(Self.told("", "x", rest) == [])
    #expect(Self.told("", "y", rest).contains { $0.contains("There is no fault \"y\".") })
  }

  @Test(
    "The run leaves out the time of each fault that the check knows",
    arguments: [
      ("faults: [{ at: '01:00', cgm: { fail: {} } }],", "cgm.fail"),
      (
        "faults: [{ at: '01:00', cgm: { spike: {} } }, { at: '02:00', cgm: { spike: {} } }],",
        "cgm.spike-2"
      ),
      ("faults: [{ at: ['01:00', '02:00'], id: 'f', cgm: { spike: {} } }],", "f#2"),
      (
        "variants: { a: {}, b: { faults: [{ id: 'x', at: '01:00', cgm: { fail: {} } }] } },", "x"
      ),
    ])
  func leftOut(rest: String, name: String) throws {
    let (built, problems) = BehaviourFixture.attempt(
      BehaviourFixture.text(
        "\(rest) expect: [{ series: 'glucose.true', never: { above: 500 }, outside: ['\(name)', "
          + "'03:00..+1h'] }]", days: 1))
    #expect(!problems.contains { $0.contains("error: ") }, "\(problems)")
    let expectation = try #require(built?.expectations.first, "\(problems)")
    #expect(expectation.scope.outsideFaults == [name])
    #expect(expectation.scope.outside.count == 1)
  }

  @Test("What an occurrence of an event or a daily meal has made can be deleted by its name")
  func events() {
    func told(_ name: String) -> [String] {
      CheckTests.sentences(
        """
        behaviour: { meals: [{ name: 'tea', window: ['12:00', '13:00'], grams: 40 },
        { name: 'late', window: ['23:00', '01:00'], grams: 40 }], bolus: {}, \
        rescue: { below: 70, grams: 15, entry: true } }, \
        events: [{ at: '00:30', id: 'nut#2', meal: { grams: 5 } }, \
        { at: ['01:00', '02:00'], id: 'dose', bolus: { units: 1 } }, \
        { at: ['03:00', '04:00'], meal: { grams: 9 }, entry: { id: 'fig' } }, \
        { at: '20:00', delete: { from: 'both', match: { id: '\(name)' } } }]
        """)
    }
    for name in [
      "dose", "dose#1", "dose#2", "fig", "fig#2", "tea", "tea#1", "tea-bolus#1", "rescue",
      "rescue#3", "nut", "nut#2", "late#0", "late-bolus#0",
    ] {
      #expect(told(name) == [], "\(name)")
    }
    for name in ["dose#0", "dose#3", "fig#3", "tea#0", "dosis", "correction", "nut#1"] {
      #expect(told(name).contains { $0.contains("There is no event \"\(name)\".") }, "\(name)")
    }
  }
}
