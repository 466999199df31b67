import Quantities
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Pages
@testable import Reports
@testable import loopsim

/// What a page says that a difference between the records does to insulin on board.
@Suite("What a difference does to insulin on board")
struct DifferenceConsequenceTests {
  /// The sentences on insulin on board of the page of a run of four hours from midnight on, with a
  /// bolus of 3 U at 01:00.
  private func sentences(_ more: String, pump insulin: String? = nil) throws -> [String] {
    RunPage(try report(more, pump: insulin)).html.matches(
      of: /At [0-9:]{5,8} that makes insulin on board [^<]{1,40}\./
    )
    .map { String($0.output) }
  }

  private func report(_ more: String, pump insulin: String?) throws -> RunReport {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '4h' },
        patient: { model: 'tidepool-simple', initialGlucose: 200, needs: {
          basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false }, therapy: { insulinModel: '\(insulin ?? "rapidActingAdult")' },
        events: [{ at: '01:00', id: 'dose', bolus: { units: 3 } }, \(more)] }
      """, to: scratch.file("look.json5"))
    let selection = try RunSelection(nil, in: scratch.file("look.json5"))
    return try #require(ScenarioBatch.carryOut(selection.planned, seed: nil).report)
  }

  @Test("A dose is missing from when the app forgets it, and not before")
  func forgotten() throws {
    // Of 3 U there are 1.50 U left after two hours: by the curve with its peak at 75 minutes.
    #expect(
      try sentences("{ at: '03:00', delete: { from: 'both', match: { id: 'dose' } } }")
        == ["At 03:00 that makes insulin on board 1.50 U too low."])
    // An hour after the dose it has been missing for long.
    #expect(
      try sentences("{ at: '01:20', delete: { from: 'both', match: { id: 'dose' } } }")
        == ["At 02:00 that makes insulin on board 2.50 U too low."])
  }

  @Test("A dose acts as the insulin of the pump does, in the page and in its settings")
  func insulinOfPump() throws {
    let deleted = "{ at: '03:00', delete: { from: 'both', match: { id: 'dose' } } }"
    // By the curve with its peak at 55 minutes there are 1.09 U left of 3 U after two hours.
    #expect(
      try sentences(deleted, pump: "lyumjev")
        == ["At 03:00 that makes insulin on board 1.09 U too low."])
    let settings = RunTables.settings(try report(deleted, pump: "lyumjev"))
    #expect(settings["therapy"]?.items?.first?["insulin_model"] == .string("lyumjev"))
  }

  @Test("The settings say all that an event changes of how the app doses")
  func howTheAppDoses() throws {
    let report = try report(
      """
      { at: '01:00', settings: { applicationFactor: 'glucoseBased', integralRC: true,
        midAbsorptionISF: true, positiveMomentumAndRC: false } }
      """, pump: nil)
    let therapies = try #require(RunTables.settings(report)["therapy"]?.items)
    #expect(therapies.map { $0["application_factor"] } == [0.4, "glucoseBased"])
    #expect(therapies.map { $0["integral_rc"] } == [false, true])
    #expect(therapies.map { $0["mid_absorption_isf"] } == [false, true])
    #expect(therapies.map { $0["positive_momentum_and_rc"] } == [true, false])
  }

  @Test("Insulin on board without an injection is taken away by the curve of its insulin")
  func withoutInjection() throws {
    let injection =
      "{ at: '01:30', injection: { units: 2, insulin: 'fiasp' }, entry: { in: 'app' } }"
    let (alone, both) = (try report("", pump: nil), try report(injection, pump: nil))
    let expected = Dictionary(
      uniqueKeysWithValues: alone.run.trace.rows.map { ($0.instant, $0.insulinOnBoard) })
    #expect(both.withoutExternal.count >= 30)
    for (instant, units) in both.withoutExternal {
      let known = try #require(expected[instant] ?? nil)
      #expect(abs(units - known) < 1e-4)
    }
  }

  @Test("An injection that is logged late is taken away from when the app counts it on")
  func loggedLate() throws {
    let late = "{ at: '01:30', injection: { units: 2 }, entry: { at: '+61m' } }"
    let (alone, both) = (try report("", pump: nil), try report(late, pump: nil))
    let expected = Dictionary(
      uniqueKeysWithValues: alone.run.trace.rows.map { ($0.instant, $0.insulinOnBoard) })
    // Written at 02:31, which the app reads in the cycle of 02:35: that and 17 more until 04:00.
    #expect(both.withoutExternal.first?.instant == both.run.start + .minutes(155))
    #expect(both.withoutExternal.count == 18)
    for (instant, units) in both.withoutExternal {
      let known = try #require(expected[instant] ?? nil)
      #expect(abs(units - known) < 1e-4)
    }
  }

  @Test("Nothing is told of insulin on board without a dose while one acted that was deleted later")
  func withoutDeletedInjection() throws {
    let pens =
      "{ at: '01:30', injection: { units: 2 } }, "
      + "{ at: '02:00', id: 'gone', injection: { units: 1 } }, "
      + "{ at: '03:00', delete: { from: 'healthStore', match: { id: 'gone' } } }"
    let report = try report(pens, pump: nil)
    let told = report.withoutExternal.map { ($0.instant - report.run.start).minutes }
    // From 01:30 to 01:55 and from 03:00 to 04:00.
    #expect(told == (Array(18...23) + Array(36...48)).map { 5 * Double($0) })
  }

  @Test("Nothing is said of the time after the run")
  func afterTheEnd() throws {
    func injected(at time: String) throws -> [String] {
      try sentences("{ at: '\(time)', injection: { units: 3 }, entry: false }")
    }
    #expect(try injected(at: "02:30") == ["At 03:30 that makes insulin on board 2.50 U too low."])
    #expect(try injected(at: "03:10") == [])
  }

  @Test("An amount that was logged wrongly counts with what it has more or less")
  func misstated() throws {
    func logged(_ injected: Int, as units: Int) throws -> [String] {
      try sentences(
        "{ at: '02:30', injection: { units: \(injected) }, entry: { units: \(units) } }")
    }
    // Of 1 U there are 0.83 U left after an hour.
    #expect(try logged(2, as: 1) == ["At 03:30 that makes insulin on board 0.83 U too low."])
    #expect(try logged(1, as: 2) == ["At 03:30 that makes insulin on board 0.83 U too high."])
  }

  @Test("Of what was deleted later, and of basal insulin, nothing untrue is said")
  func deletedLater() throws {
    let pen = "{ at: '01:30', injection: { units: 2 } }, "
    // It counts until 03:50, when 0.7 of it have acted.
    let gone = try sentences(
      pen + "{ at: '03:50', delete: { from: 'healthStore', match: { kind: 'bolus' } } }")
    #expect(!gone.contains { $0.hasPrefix("At 02:30") }, "\(gone)")
    #expect(
      try sentences("{ at: '02:00', injection: { units: 9, insulin: 'glargine' }, entry: false }")
        == [])
  }

  @Test("Basal that did not reach the body is wrong in insulin on board as a bolus is")
  func leakOfBasal() throws {
    // A fifth is lost of the 3 U at 01:00, and of the pulses of 0.05 U at 00:33, 00:36 and so on
    // until 01:30. An hour after the first of these are left of them, by the curve with its peak at
    // 75 minutes, 0.574 U and 0.189 U; of the bolus alone the sentence would say 0.57 U.
    let leak = "], faults: [{ during: ['+30m', '1h'], pump: { leak: { fraction: 0.2 } } }"
    #expect(try sentences(leak) == ["At 01:33 that makes insulin on board 0.76 U too high."])
  }
}
