internal import Determinism

/// How often an event came over observed time, with an exact interval.
public struct EventRate: Hashable, Sendable {
  /// The events of each patient, and the time that each was observed, in the unit of the rate.
  private let counts: [Double]
  private let times: [Double]
  /// How many events there were.
  public let events: Double
  /// Over how much time.
  public let time: Double

  /// Creates a rate from patients; `nil` without observed time.
  ///
  /// - Parameters:
  ///   - counts: The events of each patient.
  ///   - times: How long each was observed, in the unit of time of the rate.
  public init?(counts: [Double], times: [Double]) {
    guard counts.count == times.count else { return nil }
    // Who was not observed, as whose runs failed, says nothing of how much patients vary.
    let seen = zip(counts, times).filter { $0 > 0 || $1 > 0 }
    self.counts = seen.map(\.0)
    self.times = seen.map(\.1)
    events = counts.reduce(0, +)
    time = times.reduce(0, +)
    guard time > 0 else { return nil }
  }

  /// Events for each unit of time.
  public var value: Double { events / time }

  /// The exact interval of a count of independent events (Garwood, Biometrika 28:437, 1936).
  public func exactInterval(confidence: Double) -> ClosedRange<Double> {
    assert((0..<100).contains(confidence), "A confidence lies between 0 and 100 percent.")
    let tail = (100 - confidence) / 200
    let lower =
      events > 0
      ? ChiSquaredLaw(degreesOfFreedom: 2 * events).quantile(tail) / 2 / time : 0
    let upper =
      ChiSquaredLaw(degreesOfFreedom: 2 * events + 2).quantile(1 - tail) / 2 / time
    return lower...upper
  }

  /// The bound that the rate keeps below with one-sided confidence, in percent.
  public func upperBound(confidence: Double) -> Double {
    ChiSquaredLaw(degreesOfFreedom: 2 * events + 2).quantile(confidence / 100) / 2 / time
  }

  /// By how much the counts of patients vary beyond independent events, 1 for none; `nil` below two
  /// patients or without events.
  public var dispersion: Double? {
    guard counts.count > 1, events > 0 else { return nil }
    assert(value > 0, "Clustering is judged where there are events.")
    var sum = 0.0
    for (count, time) in zip(counts, times) where time > 0 {
      let expected = value * time
      sum += (count - expected) * (count - expected) / expected
    }
    return sum / Double(counts.count - 1)
  }

  /// Whether that is more than independent events do: of a single event it is 1 without what is
  /// lost in the sum.
  public var isDispersed: Bool { PairedDifferences.rounded(dispersion ?? 1) > 1 }

  /// Whether events come in clusters: the dispersion would be as large by chance in fewer than 5 of
  /// 100 studies.
  public var isClustered: Bool {
    guard let dispersion else { return false }
    let freedom = Double(counts.count - 1)
    return ChiSquaredLaw(degreesOfFreedom: freedom).upperTail(dispersion * freedom) < 0.05
  }

  /// The exact interval, widened by the dispersion where events come in clusters.
  public func interval(confidence: Double) -> ClosedRange<Double> {
    guard isClustered, let dispersion else { return exactInterval(confidence: confidence) }
    let t = StudentLaw(degreesOfFreedom: Double(counts.count - 1))
      .quantile(1 - (100 - confidence) / 200)
    let reach = PortableMath.exp(t * (dispersion / events).squareRoot())
    return value / reach...value * reach
  }
}

/// The ratio of two rates by the exact conditional test: of all events, how many are in one arm.
public struct RateRatio: Hashable, Sendable {
  /// The ratio; `nil` where the control has no events.
  public let value: Double?
  /// The interval; the upper end is `nil` where the control has no events.
  public let interval: IntervalOfMean
  /// The p of the exact test.
  public let p: Double

  /// Compares two arms; `nil` without events or time.
  public init?(
    treatment: (events: Int, time: Double), control: (events: Int, time: Double),
    confidence: Double
  ) {
    let total = treatment.events + control.events
    guard treatment.time > 0, control.time > 0,
      let share = ShareOfPatients(treatment.events, of: total)
    else { return nil }
    assert(treatment.events >= 0 && control.events >= 0, "Events are counted upwards.")
    let scale = control.time / treatment.time
    func ratio(_ share: Double) -> Double? { share < 1 ? share / (1 - share) * scale : nil }
    let ends = share.interval(confidence: confidence)
    value = ratio(share.value)
    interval = IntervalOfMean(lower: ratio(ends.lowerBound), upper: ratio(ends.upperBound))
    let law = BinomialLaw(
      count: total, probability: treatment.time / (treatment.time + control.time))
    p = min(1, 2 * min(law.atMost(treatment.events), law.atLeast(treatment.events)))
  }
}
