import Quantities

/// How long a pump, or its present reservoir or pod, has been worn, and which alarms of age it has
/// given.
struct PumpAge: Hashable, Sendable {
  /// When it was put on.
  private(set) var activation: Instant
  /// How long it may be worn, where it expires.
  private let life: PumpLife?
  private var alarmsGiven = 0

  /// Creates the age of a pump whose account begins at `start`.
  ///
  /// Alarms that have come and gone by then count as given; a pump that has expired is told so.
  init(of life: PumpLife?, from activation: Instant, at start: Instant) {
    self.life = life
    self.activation = activation
    while let next = nextAlarm, next.alarm != .expired, next.instant < start { alarmsGiven += 1 }
  }

  /// The next alarm of age, and when it comes.
  var nextAlarm: (instant: Instant, alarm: PumpAlarm)? {
    guard let life else { return nil }
    return switch alarmsGiven {
    case 0: (activation + life.advisory, .expirationAdvisory)
    case 1: (activation + life.imminent, .expirationImminent)
    case 2: (activation + life.end, .expired)
    default: nil
    }
  }

  /// The next alarm that is due by an instant, which is then given.
  mutating func takeAlarm(by instant: Instant) -> PumpAlarm? {
    guard let next = nextAlarm, next.instant <= instant else { return nil }
    alarmsGiven += 1
    return next.alarm
  }

  /// Begins anew with what is put on at an instant.
  mutating func restart(at instant: Instant) {
    activation = instant
    alarmsGiven = 0
  }
}
