import Determinism
import Devices
import Quantities
import Testing

@Suite("Conservation and steps")
struct ConservationTests {
  /// A command at an instant.
  struct Step: Sendable {
    var instant: Instant
    var command: PumpCommand
  }

  /// A random schedule and random commands of two days.
  static func plan(_ seed: UInt64) throws -> (DailySchedule<InsulinRate>, [Step]) {
    var stream = RandomStream(seed: seed, name: "plan")
    func pick(_ count: Int64) -> Int64 { Int64(stream.unit() * Double(count)) }
    var entries: [(String, Int64)] = [("00:00", pick(60) * 50)]
    for half in 1..<48 where stream.unit() < 0.15 {
      let minutes = half % 2 == 0 ? "00" : "30"
      entries.append(("\(half / 2 < 10 ? "0" : "")\(half / 2):\(minutes)", pick(60) * 50))
    }
    let schedule = try Fixture.schedule(entries)
    var instant = Fixture.midnight
    var steps: [Step] = []
    for _ in 0..<60 {
      instant += .milliseconds(pick(3_600_000))
      let command: PumpCommand =
        switch pick(10) {
        case 0: .suspend
        case 1, 2: .resume
        case 3: .cancelTempBasal
        case 4: .cancelBolus
        case 5: .startBolus(.milliunits(50 * (1 + pick(100))), automatic: false)
        case 6: .replaceSchedule(schedule.mapValues { _ in Fixture.rate(50 * pick(60)) })
        default:
          .startTempBasal(
            Fixture.rate(50 * pick(100)), duration: .minutes(30 * (1 + pick(8))),
            automatic: true)
        }
      steps.append(Step(instant: instant, command: command))
    }
    return (schedule, steps)
  }

  static func run(
    _ seed: UInt64, _ rule: ResidualRule, pulse: Int64 = 50, step: TimeSpan?
  ) throws -> (Pump, [PumpOccurrence]) {
    let (schedule, steps) = try plan(seed)
    var pump = try Pump(
      profile: Fixture.profile(rule, pulse: pulse), schedule: schedule, clock: .utc,
      at: Fixture.midnight)
    var occurrences: [PumpOccurrence] = []
    for next in steps + [Step(instant: Fixture.time(48), command: .resume)] {
      if let step {
        while pump.now + step < next.instant {
          occurrences += pump.advance(to: pump.now + step)
        }
      }
      // Refusals are part of the world; the books must balance after them too.
      do { try pump.perform(next.command, at: next.instant) } catch {}
      #expect(pump.ledger.checkConservation() == nil)
    }
    occurrences += pump.advance(to: Fixture.time(49))
    return (pump, occurrences)
  }

  @Test("D46 Every account balances after every command", arguments: 0..<24 as Range<UInt64>)
  func conserves(seed: UInt64) throws {
    for rule in ResidualRule.allCases {
      let (pump, occurrences) = try Self.run(seed, rule, step: nil)
      let ledger = pump.ledger
      #expect(ledger.checkConservation() == nil)
      let pulses = occurrences.compactMap(\.pulse)
      #expect(
        pulses.reduce(InsulinAmount.zero) { $0 + $1.recorded } == ledger.delivered)
      #expect(ledger.basal.pending < AccruedInsulin(.milliunits(50)))
      let instants = occurrences.map(\.instant)
      #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test("Cutting the time into steps changes nothing", arguments: 0..<10 as Range<UInt64>)
  func splitting(seed: UInt64) throws {
    for rule in ResidualRule.allCases {
      let whole = try Self.run(seed, rule, step: nil)
      for step in [TimeSpan.seconds(300), .milliseconds(77_777)] {
        let split = try Self.run(seed, rule, step: step)
        #expect(split.1 == whole.1)
        #expect(split.0.ledger == whole.0.ledger)
      }
    }
  }

  @Test("A ledger that does not balance names the account and the difference")
  func violation() {
    var ledger = DeliveryLedger()
    ledger.boluses.asked = .milliunits(100)
    #expect(ledger.checkConservation() == .bolus(difference: .milliunits(100)))
    ledger.boluses.cancelled = .milliunits(100)
    #expect(ledger.checkConservation() == nil)
    ledger.reservoir.filled = .milliunits(50)
    let violation = ledger.checkConservation()
    #expect(
      violation?.description
        == "The reservoir does not balance: 0.05 U more went in than is accounted for.")
  }
}
