import Quantities
import TestSupport
import Testing

@testable import Devices

@Suite("What a pump delivers")
struct PumpDeliveryTests {
  private static func delivery(holding filled: InsulinAmount) throws -> PumpDelivery {
    let profile = PumpProfile.generic50
    let timetable = PumpTimetable(
      programmed: try Fixture.documentedSchedule(), foreign: nil,
      clock: PumpClock(zone: .utc, at: Fixture.midnight))
    return PumpDelivery(
      of: profile, by: timetable, from: Fixture.midnight, activation: Fixture.midnight,
      holding: filled, serial: 1)
  }

  /// An act that the pump itself would let through.
  private static func act(
    _ delivery: inout PumpDelivery, _ chance: inout Chance, _ faults: inout PumpFaults
  ) throws {
    let pulses = InsulinAmount.milliunits(50 * Int64(1 + chance.below(40)))
    switch chance.below(14) {
    case 0: delivery.suspend()
    case 1: delivery.resume()
    case 2: delivery.cancelTempBasal()
    case 3 where delivery.alarms.first == nil && !delivery.basal.isSuspended:
      delivery.startTempBasal(
        rate: Fixture.rate(50 * Int64(chance.below(60))), percent: nil, duration: .minutes(30),
        automatic: true, dropping: chance.below(2) == 0)
    case 4 where delivery.alarms.first == nil && delivery.boluses.running == nil:
      delivery.startBolus(pulses, over: .seconds(40), automatic: false)
    case 5: delivery.endBolus(.cancelled)
    case 6: delivery.follow(programmed: try Fixture.schedule([("00:00", 50), ("07:30", 900)]))
    case 7: delivery.jumpClock(by: .minutes(Int64(chance.below(600)) - 300))
    case 8: delivery.raise(.occlusion, heldBy: "kink")
    case 9: delivery.clearAlarm(heldBy: "kink")
    case 10: delivery.replaceReservoir(with: pulses, priming: .milliunits(100), isPod: false)
    case 11: delivery.prime(min(pulses, delivery.supply.remaining))
    case 12: delivery.giveUnrequested(pulses, through: &faults)
    default: delivery.setClock(to: .utc)
    }
  }

  @Test(
    "The accounts balance after every act, in whatever order they come",
    arguments: 0..<Extent.of(8, whole: 60))
  func balances(seed: UInt64) throws {
    var chance = Chance(state: seed)
    var delivery = try Self.delivery(holding: .milliunits(5_000))
    var faults = PumpFaults(seed: seed)
    for _ in 0..<300 {
      try Self.act(&delivery, &chance, &faults)
      #expect(delivery.ledger.checkConservation() == nil)
      let target = delivery.now + .minutes(Int64(chance.below(40)))
      while delivery.now < target {
        delivery.enterDueEntry()
        delivery.run(
          to: min(target, max(delivery.nextInstant, delivery.now + .milliseconds(1))),
          through: &faults)
        #expect(delivery.ledger.checkConservation() == nil)
      }
    }
  }

  @Test("What is told is told once, in the order of time")
  func tellsOnce() throws {
    var delivery = try Self.delivery(holding: .milliunits(5_000))
    var faults = PumpFaults(seed: 1)
    delivery.startBolus(.milliunits(100), over: .seconds(2), automatic: false)
    while delivery.boluses.running != nil {
      delivery.run(to: delivery.nextInstant, through: &faults)
    }
    let log = delivery.takeLog()
    #expect(log.pulseTimes(.bolus) == [Fixture.time(0, 0, 1), Fixture.time(0, 0, 2)])
    #expect(delivery.takeLog().isEmpty)
  }
}
