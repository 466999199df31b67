import Quantities
import Simulation
import Testing

/// What is done on a phone that is off does not happen, and the check says so.
@Suite("A phone that is off, in scenarios")
struct PhoneForecastTests {
  private static func text(_ rest: String) -> String {
    """
    { format: 'loopsim/1', clock: { duration: '6h', timeZone: 'America/Chicago' },
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false },
      \(rest) }
    """
  }

  private static func warnings(_ rest: String) -> [String] {
    BehaviourFixture.attempt(text(rest)).1
  }

  @Test("Each act on the phone while it is off is a warning at its event, and is not done")
  func warns() throws {
    let rest = """
      events: [
      { at: ['01:10', '01:40'], meal: { grams: 20 } },
      { at: '02:10', meal: { grams: 20 } },
      { at: '01:20', bolus: { units: 2, by: 'pump' } },
      { at: '01:30', bolus: { take: 'recommended' } }],
      faults: [{ during: ['01:00', '1h'], phone: { off: {} } }]
      """
    let warnings = Self.warnings(rest)
    #expect(warnings.count == 2, "\(warnings)")
    #expect(
      warnings.first?.hasSuffix(
        ":6:1: warning: The entry of 20 g does not happen: the phone is off from "
          + "2026-01-05T01:00:00-06:00 to 2026-01-05T02:00:00-06:00. [W-REFUSED]") == true,
      "\(warnings)")
    #expect(warnings.last?.contains(":9:1: warning: A recommended bolus does not") == true)
    let result = try BehaviourFixture.result(Self.text(rest))
    #expect(result.trace.rows.reduce(0) { $0 + $1.carbsEaten.grams } == 60)
    #expect(result.trace.rows.reduce(0) { $0 + $1.carbsEntered.grams } == 20)
    #expect(result.boluses.map(\.delivered.milliunits) == [2_000])
  }

  @Test("An entry that has a name of its own is told of at its event")
  func namedEntry() {
    let warnings = Self.warnings(
      """
      events: [
      { at: '00:30', id: 'b', bolus: { units: 1 } },
      { at: ['01:10', '01:20'], id: 'tea', meal: { grams: 20 }, entry: { id: 'biscuits' } }],
      faults: [{ during: ['01:00', '1h'], phone: { off: {} } }]
      """)
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.contains(":7:1: warning: The entry of 20 g") == true, "\(warnings)")
  }

  @Test("An event whose id has a number is told of by itself, where it stands")
  func numberedIDs() {
    let warnings = Self.warnings(
      """
      events: [
      { at: '00:30', id: 'a', bolus: { units: 1 } },
      { at: '01:10', id: 'a#1', bolus: { units: 1 } },
      { at: '01:20', id: 'a#2', bolus: { units: 1 } }],
      faults: [{ during: ['01:00', '1h'], phone: { off: {} } }]
      """)
    #expect(warnings.count == 2, "\(warnings)")
    #expect(warnings.first?.contains(":7:1: warning: A bolus of 1.00 U") == true, "\(warnings)")
    #expect(warnings.last?.contains(":8:1: warning: A bolus of 1.00 U") == true, "\(warnings)")
  }

  @Test("A phone that is switched off stays off until it is switched on")
  func switchesOff() {
    let warnings = Self.warnings(
      "events: [{ at: '02:00', phone: 'off' }, { at: '05:00', suspend: { duration: '10m' } }]")
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("from 2026-01-05T02:00:00-06:00 to the end. [W-") == true)
  }

  @Test("A phone that is switched off only on a condition may be on")
  func condition() throws {
    let rest = """
      events: [{ at: '02:00', phone: 'off', if: 'glucose.true > 300' },
        { at: '03:00', bolus: { units: 1 } }]
      """
    #expect(Self.warnings(rest) == [])
    let result = try BehaviourFixture.result(Self.text(rest))
    #expect(result.boluses.map(\.delivered.milliunits) == [1_000])
    let on = "{ at: '02:30', phone: 'on', if: 'glucose.true > 300' }"
    #expect(
      Self.warnings(
        "events: [{ at: '02:00', phone: 'off' }, \(on), { at: '03:00', bolus: { units: 1 } }]")
        == [])
  }

  @Test("A scenario that expects a refusal is not warned, nor one that acts in time")
  func meant() {
    let off = "faults: [{ during: ['01:00', '1h'], phone: { off: {} } }]"
    #expect(Self.warnings("events: [{ at: '00:59', bolus: { units: 1 } }], \(off)").isEmpty)
    #expect(Self.warnings("events: [{ at: '02:00', bolus: { units: 1 } }], \(off)").isEmpty)
    let meant = """
      events: [{ at: '01:30', bolus: { units: 1 } }], \(off),
      expect: [{ event: { kind: 'warning', name: 'bolus-1' }, min: 1 }]
      """
    #expect(Self.warnings(meant).isEmpty)
  }
}
