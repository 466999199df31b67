import Determinism
import Devices
import Quantities

/// Rates, amounts and times as the tests write them.
enum Fixture {
  /// Saturday, 7 March 2026, 00:00 UTC.
  static let midnight = Instant(secondsSince1970: 1_772_841_600)

  static func time(_ hour: Int64, _ minute: Int64 = 0, _ second: Int64 = 0) -> Instant {
    midnight + .seconds((hour * 60 + minute) * 60 + second)
  }

  static func rate(_ milliunitsPerHour: Int64) -> InsulinRate {
    InsulinRate(milliunitsPerHour: milliunitsPerHour)
  }

  static func schedule(_ entries: [(String, Int64)]) throws -> DailySchedule<InsulinRate> {
    var list: [DailySchedule<InsulinRate>.Entry] = []
    for (text, milliunits) in entries {
      guard let start = TimeOfDay(text) else { continue }
      list.append(.init(start: start, value: rate(milliunits)))
    }
    return try DailySchedule(list)
  }

  /// The basal schedule of LoopDocs' page on Apple Health.
  static func documentedSchedule() throws -> DailySchedule<InsulinRate> {
    try schedule([("00:00", 400), ("06:00", 500), ("08:00", 400)])
  }

  static func profile(_ rule: ResidualRule, pulse: Int64 = 50) -> PumpProfile {
    var profile = PumpProfile.generic50
    profile.residualRule = rule
    profile.pulse = .milliunits(pulse)
    return profile
  }

  static func pump(
    _ profile: PumpProfile = .generic50, always milliunits: Int64,
    reservoir: InsulinAmount? = nil
  ) throws -> Pump {
    try Pump(
      profile: profile, schedule: DailySchedule(always: rate(milliunits)), clock: .utc,
      at: midnight, reservoir: reservoir)
  }
}

extension Pump {
  /// The milliunits counted as basal in a window.
  func basal(_ start: Instant, _ end: Instant) -> Int64 {
    basalDelivered(after: start, through: end).milliunits
  }
}

extension [PumpLogEntry] {
  /// When pulses of a kind were given.
  func pulseTimes(_ kind: PumpPulse.Kind) -> [Instant] {
    compactMap { $0.pulse?.kind == kind ? $0.instant : nil }
  }
}
