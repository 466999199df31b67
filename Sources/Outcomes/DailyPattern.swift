internal import Quantities

/// How a run's days go: glucose and the pump's insulin in each hour of the day.
///
/// Each list has 24 entries, from midnight on the patient's clock. An hour of the day that the run
/// did not reach, or without a reading, has none.
public struct DailyPattern: Hashable, Sendable {
  /// The median of glucose in mg/dL.
  public var glucose: [Double?]
  /// What the pump delivered as basal in such an hour, in units, on average.
  public var basal: [Double?]
  /// What the pump delivered in boluses in such an hour, in units, on average.
  public var bolus: [Double?]

  /// Creates a `DailyPattern` from its parts; see the properties.
  public init(glucose: [Double?], basal: [Double?], bolus: [Double?]) {
    assert(glucose.isEmpty || glucose.count == 24, "A day has 24 hours.")
    assert(basal.count == bolus.count, "Basal and boluses are of the same hours.")
    self.glucose = glucose
    self.basal = basal
    self.bolus = bolus
  }

  /// Measures a run.
  ///
  /// - Parameters:
  ///   - run: The run, for its insulin and its length.
  ///   - series: The glucose, by whose clock the hours are told.
  public init(_ run: RunMeasurements, _ series: GlucoseSeries) {
    let clock = series.clock
    func hour(_ instant: Instant) -> Int {
      Int(clock.timeOfDay(at: instant).milliseconds / 3_600_000) % 24
    }
    var readings = [[Double]](repeating: [], count: 24)
    for point in series.points { readings[hour(point.instant)].append(point.mgdL) }
    var lived = [Double](repeating: 0, count: 24)
    var instant = run.start
    while instant < run.end {
      // To the next of these steps after midnight: an hour of the day ends at its own end.
      let past = clock.timeOfDay(at: instant).milliseconds % Self.step.milliseconds
      let next = min(run.end, instant + Self.step - .milliseconds(past))
      assert(next > instant, "Time runs forward.")
      lived[hour(instant)] += (next - instant).hours
      instant = next
    }
    var basal = [Double](repeating: 0, count: 24)
    var bolus = basal
    let insulin = run.insulin.restricted(after: run.start, through: run.end, includesEnd: true)
    for delivery in insulin.deliveries {
      // What is delivered on the hour was programmed in the hour before it.
      let place = hour(delivery.instant - .milliseconds(1))
      switch delivery.channel {
      case .basal: basal[place] += delivery.amount.units
      case .userBolus, .automaticBolus: bolus[place] += delivery.amount.units
      case .external: break
      }
    }
    func rate(_ units: [Double]) -> [Double?] {
      zip(units, lived).map { $1 > 0 ? $0 / $1 : nil }
    }
    self.init(
      glucose: readings.map { Statistics.median($0) }, basal: rate(basal), bolus: rate(bolus))
  }

  /// Hours of the day are told apart in steps of this length; zones change at whole quarters.
  private static let step = TimeSpan.minutes(5)

  /// The mean of several patterns, hour by hour over those that have a value; `nil` without any.
  public init?(meanOf patterns: [Self]) {
    guard !patterns.isEmpty else { return nil }
    func mean(_ list: (Self) -> [Double?]) -> [Double?] {
      (0..<24).map { hour in Statistics.mean(patterns.compactMap { list($0)[hour] }) }
    }
    self.init(
      glucose: mean { $0.glucose }, basal: mean { $0.basal }, bolus: mean { $0.bolus })
  }
}
