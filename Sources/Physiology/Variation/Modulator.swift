public import Determinism
public import Quantities

/// Something that multiplies a parameter of a body over time.
///
/// Every change of a body over time is made of these: each parameter is its own value times the
/// product of all modulators of it.
public struct Modulator: Hashable, Sendable {
  /// What is multiplied.
  public enum Target: String, Hashable, Sendable, CaseIterable {
    /// The part of the body that is multiplied.
    case insulinSensitivity, glucoseProduction, gastricEmptying, insulinAbsorption
  }

  /// How the factor runs over time.
  public enum Course: Hashable, Sendable {
    /// By the time of day on the wall, with smooth passages of half an hour around each change.
    case dayPattern(DailySchedule<Double>)
    /// 1 + `amplitude` · cos 2π (t − `crest`) / `period`: highest at `crest`.
    case sinusoid(amplitude: Double, period: TimeSpan, crest: Instant)
    /// A random walk that returns: an Ornstein–Uhlenbeck process of the logarithm, with standard
    /// deviation `sigma` and this correlation time.
    case wander(sigma: Double, correlationTime: TimeSpan)
    /// One log-normal factor for each local day, with median 1.
    case daily(sigma: Double)
    /// 1 before, `factor` on the plateau, and straight lines up and down.
    case episode(
      factor: Double, start: Instant, onset: TimeSpan, plateau: TimeSpan, recovery: TimeSpan)
    /// 1 before `start`, `factor` at it, and back to 1 by half in every `halfLife`.
    case decay(factor: Double, start: Instant, halfLife: TimeSpan)
    /// A random factor for each of three windows of each day, as in the circadian classes.
    case circadian(CircadianClass)
  }

  /// What is multiplied.
  public var target: Target
  /// By which course.
  public var course: Course
  /// The source of chance of this modulator alone.
  private var stream: RandomStream
  private var wandering = 0.0
  private var hasWandered = false
  private var window: Int64?
  private var windowFactor = 1.0

  /// Creates a modulator.
  ///
  /// - Parameters:
  ///   - target: What is multiplied.
  ///   - course: How the factor runs.
  ///   - stream: The source of chance; courses without chance do not draw from it.
  public init(_ target: Target, _ course: Course, stream: RandomStream) {
    self.target = target
    self.course = course
    self.stream = stream
  }

  /// Creates a modulator without chance.
  public init(_ target: Target, _ course: Course) {
    self.init(target, course, stream: RandomStream(seed: 0, name: target.rawValue))
  }

  /// The factor over the stretch of `span` from `start` on, as it is in the middle.
  ///
  /// Stretches are asked for in order of time, each once.
  mutating func factor(from start: Instant, span: TimeSpan, clock: WallClock) -> Double {
    assert(span > .zero, "A factor holds for some time.")
    let middle = start + TimeSpan(milliseconds: span.milliseconds / 2)
    switch course {
    case .dayPattern(let schedule): return Self.smooth(schedule, at: middle, clock)
    case .sinusoid(let amplitude, let period, let crest):
      let turns = (middle - crest).minutes / max(period.minutes, 1e-3)
      return max(0, 1 + amplitude * PortableMath.cosine(ofTurns: turns))
    case .wander(let sigma, let correlationTime):
      return wander(sigma: sigma, share: span.minutes / max(correlationTime.minutes, 1e-3))
    case .daily(let sigma):
      let day = clock.civilTime(at: middle).dayNumber
      if window != day { windowFactor = stream.logNormal(median: 1, sigma: sigma) }
      window = day
      return windowFactor
    case .episode(let factor, let first, let onset, let plateau, let recovery):
      let rising = Self.ramp(middle, from: first, over: onset)
      let falling = Self.ramp(middle, from: first + onset + plateau, over: recovery)
      return 1 + (factor - 1) * (rising - falling)
    case .decay(let factor, let first, let halfLife):
      guard middle >= first else { return 1 }
      let halves = (middle - first).minutes / max(halfLife.minutes, 1e-3)
      return 1 + (factor - 1) * PortableMath.exp(-0.693_147_180_559_945_3 * halves)
    case .circadian(let pattern):
      let civil = clock.civilTime(at: middle)
      let index = CircadianClass.window(at: civil.timeOfDay)
      // The evening window goes on after midnight and belongs to the day before.
      let evening = index == 2 && civil.timeOfDay.milliseconds < 14_400_000
      let key = (civil.dayNumber - (evening ? 1 : 0)) * 3 + Int64(index)
      if window != key { windowFactor = pattern.draw(window: index, from: &stream) }
      window = key
      return windowFactor
    }
  }

  private mutating func wander(sigma: Double, share: Double) -> Double {
    let keep = hasWandered ? PortableMath.exp(-share) : 0
    assert((0...1).contains(keep), "No more is kept of a deviation than it was.")
    hasWandered = true
    let kick = sigma * (1 - keep * keep).squareRoot()
    wandering = keep * wandering + kick * stream.normal()
    return PortableMath.exp(wandering)
  }

  /// 0 before `start`, 1 after the `span`, straight between.
  private static func ramp(_ instant: Instant, from start: Instant, over span: TimeSpan) -> Double {
    guard span > .zero else { return instant >= start ? 1 : 0 }
    return min(max((instant - start).minutes / span.minutes, 0), 1)
  }

  /// A day schedule whose jumps are spread over a quarter of an hour to either side.
  ///
  /// Passages of changes less than half an hour apart add up. A change that the clock does not come
  /// to, or has not come by, as it was set back, is none.
  private static func smooth(
    _ schedule: DailySchedule<Double>, at instant: Instant, _ clock: WallClock
  ) -> Double {
    let time = clock.timeOfDay(at: instant)
    var passages: [(distance: Int64, old: Double, new: Double)] = []
    var old = schedule.entries[schedule.entries.count - 1].value
    for entry in schedule.entries {
      let (former, new) = (old, entry.value)
      old = new
      guard former != new else { continue }
      // A change near midnight may lie on either side of it.
      for day in [-86_400_000, 0, 86_400_000] as [Int64] {
        let distance = time.milliseconds - (entry.start.milliseconds + day)
        let change = instant - TimeSpan(milliseconds: distance)
        guard distance > -900_000, distance < 900_000,
          schedule.value(at: clock.timeOfDay(at: change)) == new,
          schedule.value(at: clock.timeOfDay(at: change - .milliseconds(1))) == former
        else { continue }
        passages.append((distance, former, new))
      }
    }
    passages.sort { $0.distance > $1.distance }
    guard let first = passages.first else { return schedule.value(at: time) }
    return passages.reduce(first.old) { sum, passage in
      let x = (Double(passage.distance) / 900_000 + 1) / 2
      return sum + (passage.new - passage.old) * x * x * (3 - 2 * x)
    }
  }
}
