import Quantities

/// The last samples of a sensor, for its rate of change.
struct TrendWindow: Hashable, Sendable {
  private struct Sample: Hashable, Sendable {
    var instant: Instant
    var value: Double
  }

  private var samples: [Sample] = []

  mutating func append(_ value: Double, at instant: Instant) {
    assert(samples.last.map { $0.instant <= instant } ?? true, "Samples come in order.")
    let gone = samples.firstIndex { $0.instant > instant - .minutes(20) } ?? samples.count
    samples.removeFirst(gone)
    samples.append(Sample(instant: instant, value: value))
  }

  /// The slope of the least-squares line through the last fifteen minutes, in tenths of a milligram
  /// per decilitre per minute; nothing with fewer than three samples in the last twenty minutes.
  var rate: Double? {
    guard samples.count >= 3, let last = samples.last else { return nil }
    var earliest = last.instant - .minutes(15)
    if count(from: earliest) < 2 { earliest = Instant(millisecondsSince1970: .min) }
    let count = Double(count(from: earliest))
    assert(count >= 2, "A slope is taken through two samples or more.")
    var (meanTime, meanValue) = (0.0, 0.0)
    for sample in samples where sample.instant >= earliest {
      meanTime += (sample.instant - last.instant).minutes / count
      meanValue += sample.value / count
    }
    var (covariance, variance) = (0.0, 0.0)
    for sample in samples where sample.instant >= earliest {
      let time = (sample.instant - last.instant).minutes - meanTime
      covariance += time * (sample.value - meanValue)
      variance += time * time
    }
    guard variance > 0 else { return nil }
    return (covariance / variance * 10).rounded() / 10
  }

  private func count(from earliest: Instant) -> Int {
    var count = 0
    for sample in samples where sample.instant >= earliest { count += 1 }
    return count
  }
}

/// Readings that have been measured and have not arrived.
struct LateReadings: Hashable, Sendable {
  private struct Held: Hashable, Sendable {
    var reading: GlucoseReading
    var expiry: Instant
  }

  /// Kept in the sensor until contact returns.
  private var held: [Held] = []
  /// On their way.
  private var queued: [GlucoseReading] = []

  mutating func hold(_ reading: GlucoseReading, for span: TimeSpan) {
    assert(span > .zero, "A reading is held for some time.")
    held.append(Held(reading: reading, expiry: reading.instant + span))
  }

  mutating func queue(_ reading: GlucoseReading) { queued.append(reading) }

  /// Sends what was kept, now that there is contact; what was kept too long is lost.
  mutating func release(at instant: Instant) {
    for var held in held where held.expiry >= instant {
      held.reading.arrival = instant
      queued.append(held.reading)
    }
    held.removeAll(keepingCapacity: true)
  }

  /// Loses what was kept, because what kept it is thrown away.
  mutating func loseHeld() { held.removeAll(keepingCapacity: true) }

  mutating func take(at instant: Instant) -> [GlucoseReading] {
    guard !queued.isEmpty else { return [] }
    let arrived = queued.filter { $0.arrival <= instant }
    queued.removeAll { $0.arrival <= instant }
    return arrived.sorted { ($0.instant, $0.number) < ($1.instant, $1.number) }
  }
}
