import Determinism
public import Quantities

/// A study of virtual sensors worn over a glucose curve that covers their whole range.
///
/// The curve is made of a slow wave, meals and corrections, drawn anew for each sensor; its rates
/// reach beyond ±4 mg/dL/min. The reference is plasma, or plasma delayed by the sensor's lag.
public struct AccuracyStudy: Hashable, Sendable {
  /// The sensor that is studied.
  public var profile: SensorProfile
  /// The number of sensors.
  public var sensors: Int
  /// How long each is worn, at most its wear.
  ///
  /// A sensor without end is worn for ``standardWear`` unless something else is asked for.
  public var wear: TimeSpan
  /// The time between references.
  public var spacing: TimeSpan
  /// Whether the reference is interstitial, not plasma.
  public var referenceIsLagged: Bool
  /// The seed from which every sensor's chance is named.
  public var seed: UInt64

  /// Creates a `AccuracyStudy` from its parts; see the properties.
  public init(
    profile: SensorProfile, sensors: Int = 100, wear: TimeSpan? = nil,
    spacing: TimeSpan = .minutes(15), referenceIsLagged: Bool = false, seed: UInt64 = 1
  ) {
    self.profile = profile
    self.sensors = max(1, sensors)
    let whole = profile.isWithoutEnd ? Self.standardWear : profile.wear
    self.wear = min(wear ?? whole, profile.wear)
    self.spacing = max(spacing, profile.period)
    self.referenceIsLagged = referenceIsLagged
    self.seed = seed
  }

  /// How long a sensor without end is worn: ten days.
  public static let standardWear = TimeSpan.days(10)

  /// The largest number of pairs that the study can have.
  public var largestCount: Int64 { Int64(sensors) * (wear.quotient(by: spacing) + 1) }

  /// What came of a study.
  public struct Result: Hashable, Sendable {
    /// The pairs, in the order of sensors and time.
    public var pairs: [AccuracyPair] = []
    /// How long errors last and what is missing, of every reading that was due.
    public var persistence = ErrorPersistence()
  }

  /// Wears every sensor, and returns the pairs in the order of sensors and time.
  public func run() -> [AccuracyPair] { result().pairs }

  /// Wears every sensor, and returns what came of it.
  public func result() -> Result {
    var result = Result()
    for index in 0..<sensors {
      let moments = wear(sensor: index, into: &result.pairs)
      result.persistence.add(moments, every: profile.period)
    }
    return result
  }

  /// Wears one sensor; what came of each instant at which a reading was due is returned.
  private func wear(
    sensor index: Int, into pairs: inout [AccuracyPair]
  ) -> [ErrorPersistence.Moment] {
    let start = Instant(secondsSince1970: 1_772_841_600)
    let member = UInt64(index)
    var curve = ReferenceCurve(seed: seed, member: member)
    var sensor = GlucoseSensor(
      profile: profile, insertedAt: start, seed: seed, member: member)
    var lag = InterstitialLag(timeConstant: profile.lag)
    var recent: [(instant: Instant, reading: Double, reference: Double)] = []
    var moments: [ErrorPersistence.Moment] = []
    var now = start
    while now <= start + wear {
      let plasma = curve.value(at: now - start)
      let interstitial = lag.update(plasma: .mgdL(plasma), at: now)
      let reference = referenceIsLagged ? interstitial.mgdL : plasma
      let reading = sensor.observe(.mgdL(plasma), at: now)
      if sensor.status(at: now) == .ready {
        moments.append(moment(of: reading, interstitial: interstitial))
      }
      if let reading {
        let earlier = recent.last { $0.instant == now - .minutes(15) }
        recent.append((now, reading.glucose.mgdL, reference))
        if recent.count > 16 { recent.removeFirst() }
        if (now - start).milliseconds % spacing.milliseconds == 0 {
          pairs.append(
            AccuracyPair(
              reference: reference, reading: reading.glucose.mgdL, condition: reading.condition,
              sensor: index + 1, day: day(after: now - start),
              referenceRate: earlier.map { (reference - $0.reference) / 15 },
              readingRate: earlier.map { (reading.glucose.mgdL - $0.reading) / 15 }))
        }
      }
      now += profile.period
    }
    return moments
  }

  /// The day of wear, from 1; the end of the wear belongs to the last one.
  private func day(after age: TimeSpan) -> Int {
    Int(max(.zero, min(age, wear - .milliseconds(1))).quotient(by: .days(1))) + 1
  }

  private func moment(
    of reading: GlucoseReading?, interstitial: GlucoseConcentration
  ) -> ErrorPersistence.Moment {
    guard let reading else { return .missing }
    guard reading.condition == .inRange else { return .withoutValue }
    return .error(reading.glucose.mgdL - interstitial.mgdL)
  }
}

/// A glucose curve for judging sensors: a slow wave, and a meal every few hours with a correction.
struct ReferenceCurve: Hashable, Sendable {
  private var stream: RandomStream
  private let phase: Double
  private var mealStart = 0.0
  private var mealSize = 0.0
  /// How long after the meal the correction begins to work, in hours.
  private var correction = 0.0
  private var nextMeal: Double

  init(seed: UInt64, member: UInt64) {
    stream = RandomStream(seed: seed, name: "accuracy.reference", member: member)
    phase = stream.unit()
    nextMeal = 2 + 3 * stream.unit()
  }

  /// The concentration in milligrams per decilitre; times must not run backwards.
  mutating func value(at elapsed: TimeSpan) -> Double {
    let hours = elapsed.hours
    while hours >= nextMeal {
      mealStart = nextMeal
      mealSize = 60 + 180 * stream.unit()
      correction = 1 + 2 * stream.unit()
      nextMeal += 5 + 3 * stream.unit()
    }
    let wave = 48 * PortableMath.sine(ofTurns: hours / 11 + phase)
    return max(30, 97 + wave + excursion(at: hours - mealStart))
  }

  /// What the last meal adds: the shape `x e^(1−x)` with a peak after 51 minutes, and a quick end.
  private func excursion(at hours: Double) -> Double {
    let x = max(0, hours) / 0.85
    let rise = mealSize * x * PortableMath.exp(1 - x)
    let late = max(0, hours - correction)
    return rise * PortableMath.exp(-late / 0.4)
  }
}
