import ClosedLoop
import Devices
import Dosing
import Quantities
import Simulation
import TestSupport
import Testing

@Suite("Insulin counted wrongly or at another time, which totals do not show")
struct WrongInsulinOnBoardTests {
  /// A run in open loop, from a glucose so high that no bolus takes it out of the model's range.
  private func run(
    _ events: [ScenarioEvent], hours: Int64 = 6,
    basal: [(hour: Int, milliunitsPerHour: Int64)]? = nil, pump: PumpProfile = .generic50
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(hours)
    fixture.events = events
    fixture.glucose = 380
    fixture.profile = pump
    if let basal { fixture.basal = basal }
    return try fixture.result()
  }

  /// A pump that dates its history by its own clock, which no app sets.
  private static let unset: PumpProfile = {
    var profile = PumpProfile.medtronic722
    profile.clockTolerance = nil
    return profile
  }()

  private func bolus(_ units: Double, at instant: Instant, reported: Int64? = nil) -> ScenarioEvent
  {
    ScenarioEvent(
      at: instant, id: "bolus \(instant)",
      .bolus(BolusRequest(.units(units), by: .user, reported: reported.map { .milliunits($0) })))
  }

  @Test("What one bolus lost and another got too much does not cancel")
  func oppositeSigns() throws {
    let result = try run([
      bolus(2, at: .at(1), reported: 5_000), bolus(5, at: .at(3), reported: 2_000),
    ])
    let named = result.agreement.differences.filter { $0.kind == .notAbsorbed }
    #expect(named.map(\.units) == [-3, 3])
    // A pulse of what is counted every two seconds, 40 s for each unit.
    #expect(
      named.map(\.text) == [
        "3.00 U that the pump counted did not reach the body between 01:00:02 and 01:03:20: the "
          + "pump reported another amount than it gave.",
        "3.00 U more than the pump counted reached the body between 03:00:02 and 03:01:20: the "
          + "pump reported another amount than it gave.",
      ])
    #expect(!result.agreement.differences.contains { $0.severity == .fault })
    let wrong = result.troubles.filter { $0.kind == .wrongInsulinOnBoard }
    #expect(wrong.count == 2)
    #expect(wrong[0].text.contains(" U too high for "))
    #expect(wrong[1].text.contains(" U too low for "))
  }

  @Test("A bolus that begins in a row, which the app counts as a whole, makes nothing worse")
  func beginningBolus() throws {
    // From 01:00 on the app counts 3 U too many; at 02:00 it counts 6 U that are still to come.
    let result = try run([bolus(2, at: .at(1), reported: 5_000), bolus(6, at: .at(2))])
    let wrong = result.troubles.filter { $0.kind == .wrongInsulinOnBoard }
    #expect(wrong.count == 1)
    let words = /The app's insulin on board was up to (2\.[89]\d*|3\.[01]\d*) U too high/
    #expect(wrong.first?.text.prefixMatch(of: words) != nil, "\(wrong)")
  }

  @Test("What a pump gives beyond what it counts reaches nobody while it is taken off")
  func takenOff() throws {
    let off = [
      ScenarioEvent(at: .at(1), id: "off", .pump(.remove)), bolus(5, at: .at(2), reported: 2_000),
    ]
    let on = [ScenarioEvent(at: .at(4), id: "on", .pump(.attach))]
    let named = try run(off + on).agreement.differences.filter { $0.records == [.body] }
    // Three hours of the schedule of 0.4 U/h, and 2 U of the bolus.
    #expect(
      named.map(\.text) == [
        "3.20 U that the pump counted did not reach the body between 01:07:30 and 04:00:00: the "
          + "pump was taken off."
      ])
    #expect(named[0].start == .at(1, 7, 30) && named[0].end == .at(4))
    let twice = try run(off + on + [bolus(3, at: .at(5), reported: 2_000)])
    #expect(
      twice.agreement.differences.filter { $0.records == [.body] }.map(\.text) == [
        "1.00 U more than the pump counted reached the body: the pump reported another amount than "
          + "it gave.",
        "3.20 U that the pump counted did not reach the body between 01:07:30 and 04:00:00: the "
          + "pump was taken off.",
      ])
    #expect(!twice.agreement.differences.contains { $0.severity == .fault })
  }

  @Test("What a pump gives without a command while it is taken off is not called counted")
  func takenOffUnrequested() throws {
    let more = Fault(id: "more", .pump(.unrequested(.milliunits(1_000))))
    let result = try run([
      ScenarioEvent(at: .at(1), id: "off", .pump(.remove)),
      ScenarioEvent(at: .at(1, 30), id: "more", .beginFault(more)),
      ScenarioEvent(at: .at(2), id: "on", .pump(.attach)),
    ])
    // An hour of 0.4 U/h, and the unit that nobody asked for.
    let lost = try #require(result.agreement.differences.first { $0.kind == .pumpTakenOff })
    #expect(
      lost.text == "1.40 U that the pump gave, 1.00 U of it without counting it, did not reach the "
        + "body: the pump was taken off.")
    #expect(abs(lost.units + 1.4) < 1e-9)
    #expect(
      result.agreement.differences.contains {
        $0.text == "The pump gave 1.00 U at 01:30:00 without a command, of which none reached the "
          + "body, and no record knows of it."
      })
    #expect(!result.agreement.differences.contains { $0.severity == .fault })
  }

  @Test("What is wrong by a factor besides does not reach the body from a pump that is taken off")
  func takenOffUnrequestedByFactor() throws {
    let more = Fault(id: "more", .pump(.unrequested(.milliunits(1_000))))
    let factor = Fault(id: "factor", .pump(.scale(basal: 1, bolus: 1.5)))
    let result = try run([
      ScenarioEvent(at: .at(1), id: "off", .pump(.remove)),
      ScenarioEvent(at: .at(1, 15), id: "factor", .beginFault(factor)),
      ScenarioEvent(at: .at(1, 30), id: "more", .beginFault(more)),
      ScenarioEvent(at: .at(1, 45), id: "factor", .endFault(id: "factor")),
      ScenarioEvent(at: .at(2), id: "on", .pump(.attach)),
    ])
    // Half a unit more than the unit was spilled with it, and nobody had any of both.
    #expect(abs(result.ledger.body.excess.units - 0.5) < 1e-9)
    #expect(
      result.agreement.differences.filter { $0.records.contains(.body) }.map(\.text) == [
        "1.40 U that the pump gave, 1.00 U of it without counting it, did not reach the body: the "
          + "pump was taken off."
      ])
    #expect(!result.agreement.differences.contains { $0.severity == .fault })
  }

  @Test("A bolus that the pump does not count is no insulin without a command, also one in vain")
  func uncountedInVain() throws {
    let off = [
      ScenarioEvent(at: .at(1), id: "off", .pump(.remove)), bolus(2, at: .at(1, 30), reported: 0),
      ScenarioEvent(at: .at(2), id: "on", .pump(.attach)),
    ]
    func told(_ result: RunResult) -> [String] {
      result.agreement.differences.filter { $0.kind == .unrequestedDelivery }.map(\.text)
    }
    let one = try run(off)
    #expect(
      told(one) == [
        "The pump gave 2.00 U at 01:30:00 in a bolus that it did not count, of which none reached "
          + "the body, and no record knows of it."
      ])
    let two = try run(off + [bolus(1, at: .at(3, 30), reported: 0)])
    #expect(
      told(two) == [
        "The pump gave 3.00 U between 01:30:00 and 03:30:00 in boluses that it did not count, of "
          + "which 1.00 U reached the body, and no record knows of them."
      ])
    for result in [one, two] {
      #expect(!result.agreement.differences.contains { $0.severity == .fault })
    }
  }

  @Test("A bolus that the pump does not count reaches the body by a factor that is wrong")
  func uncountedByFactor() throws {
    let factor = Fault(id: "factor", .pump(.scale(basal: 1, bolus: 1.5)))
    let result = try run([
      ScenarioEvent(at: .at(1), id: "factor", .beginFault(factor)),
      bolus(2, at: .at(1, 30), reported: 0),
    ])
    let told = result.agreement.differences.filter { $0.kind == .unrequestedDelivery }
    #expect(
      told.map(\.text) == [
        "The pump gave 2.00 U at 01:30:00 in a bolus that it did not count, but 3.00 U reached the "
          + "body, and no record knows of it."
      ])
    #expect(told.allSatisfy { abs($0.units + 3) < 1e-9 })
    #expect(!result.agreement.differences.contains { $0.severity == .fault })
  }

  @Test("Beside it, what comes without a command is told by what reached the body of each")
  func uncountedBesideUnrequested() throws {
    let factor = Fault(id: "factor", .pump(.scale(basal: 1, bolus: 1.5)))
    let more = Fault(id: "more", .pump(.unrequested(.milliunits(1_000))))
    func told(_ rest: [ScenarioEvent] = []) throws -> [String] {
      let result = try run(
        [
          ScenarioEvent(at: .at(1), id: "factor", .beginFault(factor)),
          bolus(2, at: .at(1, 30), reported: 0),
          ScenarioEvent(at: .at(2), id: "factor", .endFault(id: "factor")),
        ] + rest + [ScenarioEvent(at: .at(2, 30), id: "more", .beginFault(more))])
      #expect(!result.agreement.differences.contains { $0.severity == .fault })
      return result.agreement.differences.filter { $0.kind == .unrequestedDelivery }.map(\.text)
    }
    let ofBolus = "The pump gave 2.00 U at 01:30:00 in a bolus that it did not count, but 3.00 U "
    let alone = "The pump gave 1.00 U at 02:30:00 without a command"
    let unknown = ", and no record knows of it."
    #expect(try told() == [ofBolus + "reached the body" + unknown, alone + unknown])
    let off = ScenarioEvent(at: .at(2, 10), id: "off", .pump(.remove))
    #expect(
      try told([off]) == [
        ofBolus + "reached the body" + unknown,
        alone + ", of which none reached the body" + unknown,
      ])
  }

  @Test("A bolus that the pump dates half an hour late counts half an hour late, and it is said")
  func misdated() throws {
    let ahead = Fault(id: "ahead", .pump(.clockError(.minutes(30))))
    let result = try run(
      [ScenarioEvent(at: .at(1), id: "ahead", .beginFault(ahead)), bolus(4, at: .at(2))],
      pump: Self.unset)
    let named = try #require(result.agreement.differences.first { $0.kind == .misdated })
    #expect(named.severity == .check)
    #expect(named.units == 0)
    #expect(named.records == [.app, .healthStore])
    #expect(
      named.text == "The bolus of 02:00:00 (4.00 U) is recorded at 02:30:00, 30m too late: "
        + "the pump's clock was wrong.")
    let wrong = try #require(result.troubles.first { $0.kind == .wrongInsulinOnBoard })
    #expect(wrong.text.hasPrefix("The app's insulin on board was up to "))
    #expect(wrong.text.contains(" U too low for "))
    #expect(wrong.text.hasSuffix(" U; the pump's clock was wrong."), "\(wrong.text)")
    #expect(wrong.start < .at(2, 15))
    // What it counts from 02:30 on is seen in the row of 02:35 at the latest.
    #expect(wrong.end <= .at(2, 35))
    #expect(
      result.troubles.filter { $0.kind == .wrongInApp }.map(\.text) == [
        "From 01:00:00 to the end the pump's clock, by which it dates its history and runs its "
          + "schedule, was 30m ahead."
      ])
  }

  @Test("Insulin on board that jumps from too low to too high every five minutes is told")
  func byTurns() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.glucose = 250
    var result = try fixture.result()
    #expect(result.troubles.allSatisfy { $0.kind != .wrongInsulinOnBoard })
    var difference = 2.0
    for index in result.trace.rows.indices
    where result.trace.rows[index].instant > .at(1) && result.trace.rows[index].instant <= .at(2) {
      result.trace.rows[index].insulinOnBoard? += difference
      difference = -difference
    }
    let wrong = try #require(result.troubles.first { $0.kind == .wrongInsulinOnBoard })
    // The last of the wrong figures, of 02:00, stands until that of 02:05.
    #expect((wrong.start, wrong.end) == (.at(1, 5), .at(2, 5)))
    #expect(
      wrong.text.contains(" U off, by turns too high and too low, for 1h from 01:05:00"),
      "\(wrong.text)")
  }

  @Test("What boluses that come every five minutes do not explain is told")
  func underBoluses() throws {
    var result = try run(
      (0..<36).map { bolus(0.5, at: .at(0, 5 * $0 + 1)) }, hours: 4)
    #expect(result.troubles.allSatisfy { $0.kind != .wrongInsulinOnBoard })
    for index in result.trace.rows.indices
    where result.trace.rows[index].instant > .at(1) && result.trace.rows[index].instant <= .at(2) {
      result.trace.rows[index].insulinOnBoard? -= 5
    }
    let wrong = try #require(result.troubles.first { $0.kind == .wrongInsulinOnBoard })
    #expect((wrong.start, wrong.end) == (.at(1, 5), .at(2, 5)))
    #expect(wrong.text.contains(" U too low for 1h from 01:05:00"), "\(wrong.text)")
  }

  @Test("A clock that is right again is no cause of what another fault makes of insulin on board")
  func rightAgain() throws {
    let behind = Fault(id: "behind", .app(.clockJump(-.hours(2))))
    let air = Fault(id: "air", .pump(.airBubble(.milliunits(2_000))))
    let result = try run([
      ScenarioEvent(at: .at(1), id: "behind", .beginFault(behind)), bolus(2, at: .at(1, 30)),
      ScenarioEvent(at: .at(3), .endFault(id: "behind")),
      ScenarioEvent(at: .at(3, 50), id: "air", .beginFault(air)), bolus(2, at: .at(4)),
    ])
    let wrong = result.troubles.filter { $0.kind == .wrongInsulinOnBoard }.map(\.text)
    #expect(wrong.count == 2, "\(wrong)")
    #expect(wrong.first?.hasSuffix("; the phone's clock was wrong.") == true, "\(wrong)")
    // 2 U that never came.
    #expect(wrong.last?.contains(" U too high for ") == true, "\(wrong)")
    #expect(wrong.last?.contains("clock") == false, "\(wrong)")
  }

  @Test("Several boluses that the pump dates wrongly are told in one sentence, in whole seconds")
  func misdatedTogether() throws {
    let behind = Fault(id: "behind", .pump(.clockError(.milliseconds(-1_800_400))))
    let result = try run(
      [ScenarioEvent(at: .at(1), id: "behind", .beginFault(behind))]
        + (2...5 as ClosedRange<Int64>).map { bolus(1, at: .at($0)) },
      pump: Self.unset)
    #expect(result.agreement.differences.count { $0.kind == .misdated } == 4)
    let told = result.troubles.filter { $0.kind == .wrongRecord }
    #expect(
      told.map(\.sentence) == [
        "4 boluses from 02:00:00 to 05:00:00 are recorded at wrong times; that of 02:00:00 "
          + "(1.00 U) is recorded at 01:30:00, 30m too early: the pump's clock was wrong."
      ])
    #expect(told.first?.count == 4)
  }

  @Test("A bolus that is dated right is no difference, and insulin on board no trouble")
  func right() throws {
    let result = try run([bolus(4, at: .at(2))])
    #expect(!result.agreement.differences.contains { $0.kind == .misdated })
    #expect(result.troubles.isEmpty)
  }

  @Test("What waited behind an occlusion and came late is named with its time")
  func released() throws {
    let blocked = Fault(
      id: "blocked", .pump(.occlusion(Occlusion(detection: .never, releasedFraction: 1))))
    let result = try run(
      [
        ScenarioEvent(at: .at(1), id: "blocked", .beginFault(blocked)), bolus(3, at: .at(2)),
        ScenarioEvent(at: .at(4), .endFault(id: "blocked")),
      ], hours: 8)
    let named = try #require(result.agreement.differences.first { $0.kind == .heldBack })
    #expect(named.units == 0)
    #expect(named.records == [.body])
    // Three hours of the schedule of 0.4 U/h, and the bolus.
    #expect(
      named.text == "4.20 U that the pump counted waited behind an occlusion and reached the body "
        + "late, at 04:00:00.")
    #expect(
      result.troubles.map(\.kind) == [.wrongDelivery, .wrongInsulinOnBoard, .wrongInsulinOnBoard])
  }

  @Test("A pump whose clock is ahead changes its rate before the app believes it does")
  func scheduleByClock() throws {
    let ahead = Fault(id: "ahead", .pump(.clockError(.minutes(30))))
    let result = try run(
      [ScenarioEvent(at: .at(1), id: "ahead", .beginFault(ahead))],
      basal: [(0, 400), (3, 1_000)])
    let named = try #require(result.agreement.differences.first { $0.kind == .scheduleDiffers })
    #expect(
      named.text == "The app believes in a basal schedule that the pump does not run from "
        + "02:30:00 to 03:00:00: 0.40 U/h in place of 1.00 U/h.")
  }

  @Test(
    "Right records are no trouble, whatever is given",
    arguments: 0..<Extent.of(2 as UInt64, whole: 12))
  func noFalseAlarm(seed: UInt64) throws {
    var chance = Chance(state: seed)
    var fixture = Fixture()
    fixture.duration = .hours(24)
    fixture.seed = seed
    fixture.isClosedLoop = true
    fixture.strategy = seed.isMultiple(of: 2) ? .tempBasal : .automaticBolus
    fixture.basal = [
      (0, 400 + 50 * Int64(chance.below(12))), (7, 400 + 50 * Int64(chance.below(12))),
    ]
    fixture.events = (0..<6).map { _ in
      bolus(0.05 * Double(1 + chance.below(160)), at: .at(Int64(chance.below(23)), 7))
    }
    let result = try fixture.result()
    #expect(!result.troubles.contains { $0.kind == .wrongInsulinOnBoard }, "\(result.troubles)")
    #expect(!result.agreement.differences.contains { $0.kind == .misdated })
    #expect(!result.agreement.differences.contains { $0.kind == .scheduleDiffers })
  }
}
