import Devices
import Quantities
import Testing

/// The example of LoopDocs' page on Apple Health: 0.4 U/h, 0.5 from 06:00, 0.4 from 08:00, and a
/// temp basal of zero from 07:15 to 07:45.
@Suite("The documented basal day")
struct WorkedExampleTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    var rule: ResidualRule
    var milliunits: [Int64]
    var nextPulseAfterEight: (Int64, Int64, Int64)
    var testDescription: String { rule.rawValue }
  }

  static let rules: [Expected] = [
    Expected(
      rule: .resetOnCommand, milliunits: [2_400, 600, 0, 100], nextPulseAfterEight: (8, 3, 45)),
    Expected(
      rule: .resetOnRateChange, milliunits: [2_400, 600, 0, 100],
      nextPulseAfterEight: (8, 7, 30)),
    Expected(rule: .carry, milliunits: [2_400, 600, 0, 150], nextPulseAfterEight: (8, 7, 30)),
    Expected(
      rule: .resetOnTempStart, milliunits: [2_400, 600, 0, 100], nextPulseAfterEight: (8, 3, 45)),
    Expected(
      rule: .scheduleGrid, milliunits: [2_400, 600, 0, 150], nextPulseAfterEight: (8, 7, 30)),
  ]

  static func run(_ profile: PumpProfile) throws -> (pump: Pump, occurrences: [PumpLogEntry]) {
    var pump = try Pump(
      profile: profile, schedule: Fixture.documentedSchedule(), clock: .utc,
      at: Fixture.midnight)
    var occurrences = pump.advance(to: Fixture.time(7, 15))
    try pump.startTempBasal(
      rate: .zero, duration: .minutes(30), at: Fixture.time(7, 15))
    occurrences += pump.advance(to: Fixture.time(9))
    return (pump, occurrences)
  }

  static func segments(_ pump: Pump) -> [Int64] {
    [
      pump.basal(Fixture.midnight, Fixture.time(6)),
      pump.basal(Fixture.time(6), Fixture.time(7, 15)),
      pump.basal(Fixture.time(7, 15), Fixture.time(7, 45)),
      pump.basal(Fixture.time(7, 45), Fixture.time(8)),
    ]
  }

  @Test("D34, D48 Each residual rule gives its documented segments", arguments: rules)
  func givesTheDocumentedSegments(expected: Expected) throws {
    let (pump, occurrences) = try Self.run(Fixture.profile(expected.rule))
    #expect(Self.segments(pump) == expected.milliunits)
    let after = occurrences.pulseTimes(.basal).first { $0 > Fixture.time(8) }
    let next = expected.nextPulseAfterEight
    #expect(after == Fixture.time(next.0, next.1, next.2))
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("The ledger at 08:00 shows what was programmed, delivered, discarded and pending")
  func balancesAtEight() throws {
    for (rule, discarded, pending) in [
      (ResidualRule.resetOnCommand, 25.0, 25.0), (.carry, 0, 0), (.resetOnTempStart, 25, 25),
    ] {
      var pump = try Pump(
        profile: Fixture.profile(rule), schedule: Fixture.documentedSchedule(), clock: .utc,
        at: Fixture.midnight)
      try pump.startTempBasal(
        rate: .zero, duration: .minutes(30), at: Fixture.time(7, 15))
      _ = pump.advance(to: Fixture.time(8))
      let basal = pump.ledger.basal
      #expect(basal.programmed.milliunits == 3_150)
      #expect(basal.discarded.milliunits == discarded)
      #expect(basal.pending.milliunits == pending)
    }
  }

  @Test("D45 A temp basal at half a pulse discards 25 mU")
  func discardsHalfAPulse() throws {
    var pump = try Fixture.pump(always: 500)
    try pump.startTempBasal(
      rate: .zero, duration: .minutes(30), at: Fixture.time(1, 15))
    #expect(pump.ledger.basal.discarded.milliunits == 25)
    #expect(pump.ledger.basal.discards == 1)
  }

  @Test("The ledger tells at what fractions were forgotten, and what an empty reservoir lacked")
  func namesDiscards() throws {
    // At 0.35 U/h half a pulse has been earned by 01:30.
    let schedule = try Fixture.schedule([("00:00", 350), ("01:30", 400)])
    var pump = try Pump(
      profile: Fixture.profile(.resetOnRateChange), schedule: schedule, clock: .utc,
      at: Fixture.midnight)
    // At 0.4 U/h two pulses of 450 s have been given by 01:47, and two minutes earn 13 mU.
    pump.begin(.alarm(.failure), id: "broken", at: Fixture.time(1, 47))
    #expect(pump.ledger.basal.discardsAtEntries == 1)
    #expect(pump.ledger.basal.discardsAtAlarms == 1)
    #expect(pump.ledger.basal.discards == 2)
    #expect(pump.ledger.basal.missed == .zero)
    pump.end(id: "broken", at: Fixture.time(2))
    pump.begin(.empty, id: "empty", at: Fixture.time(2))
    _ = pump.advance(to: Fixture.time(3))
    #expect(pump.activeAlarm == .reservoirEmpty)
    #expect(pump.ledger.basal.missed.milliunits == 50)
    #expect(pump.ledger.basal.discards == 2)
    #expect(pump.ledger.checkConservation() == nil)
  }

  @Test("D54 Pulses of 0.025 U give 2.4, 0.625, 0 and 0.125 U")
  func finerPulses() throws {
    let (pump, _) = try Self.run(Fixture.profile(.resetOnCommand, pulse: 25))
    #expect(Self.segments(pump) == [2_400, 625, 0, 125])
  }

  @Test("D38 At 0.4 U/h pulses come every 450 s, and the one at 06:00 belongs to the time before")
  func pulseTimes() throws {
    let (_, occurrences) = try Self.run(.generic50)
    let times = occurrences.pulseTimes(.basal)
    for index in 0..<48 {
      #expect(times[index] == Fixture.midnight + .seconds(450 * Int64(index + 1)))
    }
    #expect(times[47] == Fixture.time(6))
    #expect(times[48] == Fixture.time(6, 6))
  }
}
