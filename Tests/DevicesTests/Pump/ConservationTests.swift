import Determinism
import Devices
import Quantities
import TestSupport
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
  ) throws -> (Pump, [PumpLogEntry]) {
    let (schedule, steps) = try plan(seed)
    var pump = try Pump(
      profile: Fixture.profile(rule, pulse: pulse), schedule: schedule, clock: .utc,
      at: Fixture.midnight)
    var occurrences: [PumpLogEntry] = []
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

  @Test(
    "D46 Every account balances after every command",
    arguments: 0..<Extent.of(6, whole: 24) as Range<UInt64>)
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

  /// Every pump of the catalogue.
  static let pumps = PumpProfile.catalogue.map(\.id)

  @Test("No pump loses insulin under any rule, whatever is asked of it", arguments: Self.pumps)
  func everyPump(id: String) throws {
    let rules = ResidualRule.allCases
    let place = try #require(Self.pumps.firstIndex(of: id))
    // Every pump with one rule, and every rule with some pumps; or all with all.
    for rule in Extent.of([rules[place % rules.count]], whole: rules) {
      for seed in 0..<Extent.of(1, whole: 6) as Range<UInt64> {
        var profile = try #require(PumpProfile.named(id))
        profile.residualRule = rule
        var stream = RandomStream(seed: seed, name: "\(id) \(rule)")
        try Self.live(with: profile, &stream)
      }
    }
  }

  /// Two days of random commands and services, each followed by a look at the books.
  private static func live(with profile: PumpProfile, _ stream: inout RandomStream) throws {
    func pick(_ count: Int64) -> Int64 { Int64(stream.unit() * Double(count)) }
    func rate(_ steps: SupportedSteps) -> InsulinRate {
      Fixture.rate(max(steps.floor(pick(4_000)), steps.contains(0) ? 0 : steps.smallest))
    }
    func schedule() throws -> DailySchedule<InsulinRate> {
      let hours = ["00:00", "03:00", "07:00", "16:00"].filter { $0 == "00:00" || pick(2) == 0 }
      return try Fixture.schedule(
        hours.map { ($0, rate(profile.basalRates).milliunitsPerHour) })
    }
    var pump = try Pump(
      profile: profile, schedule: try schedule(), clock: .utc, at: Fixture.midnight,
      reservoir: .milliunits(20_000 + pick(100_000)), seed: 1)
    for _ in 0..<60 {
      let instant = pump.now + .milliseconds(pick(3_600_000))
      let other = try schedule()
      // Refusals are part of the world; the books must balance after them too.
      do throws(PumpError) {
        switch pick(13) {
        case 0, 1: try pump.perform(.suspend, at: instant)
        case 2, 3: try pump.perform(.resume, at: instant)
        case 4: try pump.perform(.cancelTempBasal, at: instant)
        case 5: try pump.perform(.cancelBolus, at: instant)
        case 6:
          let units = profile.bolusVolumes.floor(100 + pick(6_000))
          try pump.perform(.startBolus(.milliunits(units), automatic: false), at: instant)
        case 7: try pump.perform(.replaceSchedule(other), at: instant)
        case 8: try pump.perform(.setClock(WallClock(initialOffset: .hours(pick(5)))), at: instant)
        case 9: try pump.replaceReservoir(at: instant)
        default:
          let rule = profile.tempBasal
          try pump.perform(
            .startTempBasal(
              rate(rule.rates), duration: rule.minimumDuration * (1 + pick(3)), automatic: true),
            at: instant)
        }
      } catch { _ = pump.advance(to: instant) }
      let ledger = pump.ledger
      #expect(
        ledger.checkConservation() == nil, "\(profile.id) \(profile.residualRule) \(instant)")
    }
  }

  @Test("A pod that carries fractions over keeps the one it had when it was suspended")
  func podCarries() throws {
    for base in [PumpProfile.omnipodEros, .omnipodDASH, .omnipod5] {
      var profile = base
      profile.residualRule = .carry
      var pump = try Fixture.pump(profile, always: 1_000)
      // 2 min 50 s at 1 U/h earn 0.0472 U of a pulse of 0.05 U.
      try pump.suspend(at: Fixture.time(0, 2, 50))
      try pump.resume(at: Fixture.time(1))
      #expect(pump.ledger.checkConservation() == nil)
      #expect(pump.ledger.basal.discarded == .zero)
      #expect(pump.basal(Fixture.midnight, Fixture.time(1)) == 0)
      #expect(pump.advance(to: Fixture.time(1, 1)).pulseTimes(.basal) == [Fixture.time(1, 0, 10)])
    }
  }

  @Test(
    "Cutting the time into steps changes nothing",
    arguments: 0..<Extent.of(2, whole: 10) as Range<UInt64>)
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
