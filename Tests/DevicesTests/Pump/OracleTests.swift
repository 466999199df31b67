import Determinism
import Devices
import Quantities
import TestSupport
import Testing

/// A second way to count pulses: second by second, with every rule written out anew.
///
/// Commands and entries fall on whole seconds; the exact millisecond of a pulse is found by
/// division within its second.
struct SecondBySecondPump {
  var rule: ResidualRule
  var schedule: [(second: Int64, rate: Int64)]
  private var owed: Int64 = 0
  private var temp: (rate: Int64, end: Int64)?
  private var isSuspended = false
  private(set) var pulses: [Int64] = []

  init(rule: ResidualRule, schedule: [(second: Int64, rate: Int64)]) {
    self.rule = rule
    self.schedule = schedule
  }

  enum Command: Sendable { case temp(Int64, Int64), cancel, suspend, resume }

  private func scheduled(_ second: Int64) -> Int64 {
    let time = second % 86_400
    return schedule.last { $0.second <= time }?.rate ?? 0
  }

  mutating func run(seconds: Int64, commands: [(second: Int64, command: Command)]) {
    let threshold: Int64 = 50 * 3_600_000
    var next = 0
    var rate = scheduled(0)
    for second in 0...seconds {
      if second > 0 {
        let before = owed
        owed += rate * 1_000
        var count: Int64 = 0
        while owed >= threshold {
          count += 1
          owed -= threshold
          let missing = count * threshold - before
          pulses.append((second - 1) * 1_000 + (missing + rate - 1) / rate)
        }
      }
      if let running = temp, running.end == second {
        temp = nil
        if rule == .resetOnCommand || rule == .resetOnRateChange { owed = 0 }
      }
      while next < commands.count, commands[next].second == second {
        obey(commands[next].command, at: second)
        next += 1
      }
      let newRate = isSuspended ? 0 : temp?.rate ?? scheduled(second)
      let isEntry = schedule.contains { $0.second == second % 86_400 }
      if rule == .resetOnRateChange, isEntry, newRate != rate, temp == nil { owed = 0 }
      rate = newRate
    }
  }

  private mutating func obey(_ command: Command, at second: Int64) {
    let resets = rule == .resetOnCommand || rule == .resetOnRateChange
    switch command {
    case .temp(let rate, let span):
      guard !isSuspended else { return }
      if rule != .carry { owed = 0 }
      temp = (rate, second + span)
    case .cancel:
      guard temp != nil else { return }
      temp = nil
      if resets { owed = 0 }
    case .suspend:
      guard !isSuspended else { return }
      isSuspended = true
      temp = nil
      if rule != .carry { owed = 0 }
    case .resume: isSuspended = false
    }
  }
}

@Suite("The pump against a second-by-second count")
struct OracleTests {
  @Test(
    "D60 Random schedules and commands give identical pulse times",
    arguments: 0..<Extent.of(8, whole: 60) as Range<UInt64>)
  func identicalPulses(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, name: "oracle")
    func pick(_ count: Int64) -> Int64 { Int64(stream.integer(below: UInt64(count))) }
    let hours: Int64 = 2
    var entries: [(second: Int64, rate: Int64)] = [(0, 50 * pick(200))]
    for half in Int64(1)..<(2 * hours) where stream.bernoulli(0.5) {
      entries.append((half * 1_800, 50 * pick(200)))
    }
    var commands: [(second: Int64, command: SecondBySecondPump.Command)] = []
    var second: Int64 = 0
    while true {
      second += 1 + pick(900)
      guard second < hours * 3_600 else { break }
      let command: SecondBySecondPump.Command =
        switch pick(6) {
        case 0: .cancel
        case 1: .suspend
        case 2: .resume
        default: .temp(50 * pick(300), 1_800 * (1 + pick(3)))
        }
      commands.append((second, command))
    }
    for rule in [ResidualRule.resetOnCommand, .resetOnRateChange, .carry, .resetOnTempStart] {
      var oracle = SecondBySecondPump(rule: rule, schedule: entries)
      oracle.run(seconds: hours * 3_600, commands: commands)
      #expect(try pulses(rule, entries, commands, hours) == oracle.pulses)
    }
  }

  private func pulses(
    _ rule: ResidualRule, _ entries: [(second: Int64, rate: Int64)],
    _ commands: [(second: Int64, command: SecondBySecondPump.Command)], _ hours: Int64
  ) throws -> [Int64] {
    let schedule = try DailySchedule(
      entries.map {
        .init(start: TimeOfDay(milliseconds: $0.second * 1_000), value: Fixture.rate($0.rate))
      })
    var pump = try Pump(
      profile: Fixture.profile(rule), schedule: schedule, clock: .utc, at: Fixture.midnight)
    for (second, command) in commands {
      let instant = Fixture.midnight + .seconds(second)
      do throws(PumpError) {
        switch command {
        case .temp(let rate, let span):
          try pump.startTempBasal(
            rate: Fixture.rate(rate), duration: .seconds(span), at: instant)
        case .cancel: try pump.cancelTempBasal(at: instant)
        case .suspend: try pump.suspend(at: instant)
        case .resume: try pump.resume(at: instant)
        }
      } catch {
        #expect(error == .suspended)
      }
    }
    return pump.advance(to: Fixture.time(hours)).pulseTimes(.basal).map {
      ($0 - Fixture.midnight).milliseconds
    }
  }
}
