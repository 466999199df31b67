internal import HealthStore
internal import Quantities

/// How two sources of glucose differ where both have readings.
struct GlucosePair {
  /// Differences of readings within 150 seconds of one another, second minus first, in mg/dL; each
  /// reading is held against the nearest of the other source, and counts once.
  let differences: [Double]
  let start: Instant
  let end: Instant
  /// By how many minutes the second source follows the first; `nil` where that cannot be told.
  let lag: Int64?
  /// The mean size of the second differences of the second source as a share of those of the first:
  /// below 1 where the second is smoother; `nil` where it cannot be told.
  let roughness: Double?
  /// With which delay each source writes its readings, in the middle.
  let delays: (first: TimeSpan, second: TimeSpan)

  /// The largest lag that is looked for, in minutes.
  private static let largestLag: Int64 = 15
  /// The fewest readings of two sources beside one another; each counts once.
  static let fewestBeside = 3
  /// The fewest readings for a lag and for the roughness.
  private static let fewest = 24

  /// Compares two series, each by time; `nil` where too few readings are near each other.
  init?(
    _ first: [Sample], _ second: [Sample], delays: (first: TimeSpan, second: TimeSpan)
  ) {
    // Of two records that do not meet no reading is near one of the other.
    guard let (from, to) = Self.span(first), let (otherFrom, otherTo) = Self.span(second),
      from - Self.near <= otherTo, otherFrom - Self.near <= to
    else { return nil }
    let (one, other) = (Self.points(first), Self.points(second))
    let (toOther, toOne) = (Self.nearest(to: one, in: other), Self.nearest(to: other, in: one))
    var pairs: [Pair] = []
    for (index, point) in one.enumerated() where toOther[index].flatMap({ toOne[$0] }) == index {
      guard let match = toOther[index].map({ other[$0] }),
        (match.time - point.time).magnitude <= Self.near
      else { continue }
      pairs.append((point.time, point.value, match.value))
    }
    guard pairs.count >= Self.fewestBeside, let first = pairs.first, let last = pairs.last else {
      return nil
    }
    differences = pairs.map { $0.second - $0.first }
    (start, end) = (first.time, last.time)
    self.delays = delays
    let isEnough = differences.count >= Self.fewest
    lag = isEnough ? Self.lag(one, other) : nil
    roughness = isEnough ? Self.roughness(pairs) : nil
  }

  /// How near two readings of different sources are to stand beside one another.
  private static let near = TimeSpan.seconds(150)

  /// The times of the first and the last reading.
  private static func span(_ samples: [Sample]) -> (Instant, Instant)? {
    guard let first = samples.first, let last = samples.last else { return nil }
    return (first.start, last.start)
  }

  private typealias Point = (time: Instant, value: Double)
  /// Readings of both sources beside one another, with the time of the first.
  private typealias Pair = (time: Instant, first: Double, second: Double)

  private static func points(_ samples: [Sample]) -> [Point] {
    samples.compactMap { sample in sample.storedValue.map { (sample.start, $0) } }
  }

  /// The place of the nearest point of a series to each point of another, both by time.
  ///
  /// Of two that are as near the later one is taken.
  private static func nearest(to points: [Point], in others: [Point]) -> [Int?] {
    guard !others.isEmpty else { return points.map { _ in nil } }
    var place = 0
    return points.map { point in
      while place + 1 < others.count,
        (others[place + 1].time - point.time).magnitude
          <= (others[place].time - point.time).magnitude
      {
        place += 1
      }
      return place
    }
  }

  /// The lag with the best correlation, where one is better than none by a thousandth.
  private static func lag(_ one: [Point], _ other: [Point]) -> Int64? {
    guard let plain = correlation(one, other, lag: 0) else { return nil }
    var best = (lag: Int64(0), correlation: plain)
    for lag in -largestLag...largestLag {
      guard let found = correlation(one, other, lag: lag) else { continue }
      if found > best.correlation { best = (lag, found) }
    }
    return best.correlation >= plain + 0.001 ? best.lag : 0
  }

  /// The correlation of the first series with what the second shows so many minutes later.
  private static func correlation(_ one: [Point], _ other: [Point], lag: Int64) -> Double? {
    var (count, x, y, xx, yy, xy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var index = 0
    for point in one {
      let time = point.time + .minutes(lag)
      while index + 1 < other.count, other[index + 1].time <= time { index += 1 }
      guard index + 1 < other.count, other[index].time <= time else { continue }
      let (left, right) = (other[index], other[index + 1])
      guard right.time - left.time <= .minutes(15), right.time > left.time else { continue }
      let share = (time - left.time).seconds / (right.time - left.time).seconds
      let value = left.value + share * (right.value - left.value)
      (count, x, y) = (count + 1, x + point.value, y + value)
      xx += point.value * point.value
      yy += value * value
      xy += point.value * value
    }
    guard count >= Double(fewest) else { return nil }
    let (varianceX, varianceY) = (xx - x * x / count, yy - y * y / count)
    guard varianceX > 1e-6, varianceY > 1e-6 else { return nil }
    return (xy - x * y / count) / (varianceX * varianceY).squareRoot()
  }

  /// How much the second series bends beside the first, at the times of both: readings that stand
  /// closer together bend less, and are no smoother for that.
  private static func roughness(_ pairs: [Pair]) -> Double? {
    let triples = pairs.indices.dropFirst(2).filter {
      pairs[$0].time - pairs[$0 - 2].time <= .minutes(15)
    }
    guard triples.count >= fewest else { return nil }
    func bend(_ value: (Pair) -> Double) -> Double {
      triples.reduce(0) {
        $0 + (value(pairs[$1 - 2]) - 2 * value(pairs[$1 - 1]) + value(pairs[$1])).magnitude
      }
    }
    let (first, second) = (bend(\.first), bend(\.second))
    guard first > 1e-6 * Double(triples.count) else { return nil }
    return second / first
  }

  /// Whether the second source writes its readings three hours after the first has them, as apps of
  /// CGM vendors do.
  private func handsOver(_ early: TimeSpan, _ late: TimeSpan) -> Bool {
    early < .minutes(30) && late >= .minutes(150) && late <= .minutes(210)
  }

  func finding(_ first: String, _ second: String, in unit: GlucoseUnit) -> AuditFinding {
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / count
    let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    var cause =
      "\(differences.count) readings of \(second) stand beside those of \(first); they differ by "
      + "\(AuditText.number(mean / unit.mgdL)) \(unit.rawValue), SD "
      + "\(AuditText.number(variance.squareRoot() / unit.mgdL))."
    if let lag, lag != 0 {
      let (late, early) = lag > 0 ? (second, first) : (first, second)
      cause += " \(late) follows \(early) by \(lag.magnitude) min."
    }
    if let roughness, roughness < 0.6 || roughness > 1 / 0.6 {
      let smooth = roughness < 1 ? second : first
      let share = min(roughness, 1 / max(roughness, 1e-6))
      cause += " \(smooth) is smoothed: it bends \(AuditText.number(100 * share)) % as much."
    }
    if handsOver(delays.first, delays.second) || handsOver(delays.second, delays.first) {
      let late = delays.first < delays.second ? second : first
      cause += " \(late) writes its readings three hours later, as vendors' apps do."
    }
    return AuditFinding(
      kind: .glucosePair, severity: .note, sources: [first, second],
      title: "Two sources of glucose", cause: cause,
      consequence: "An app that reads both may take one reading for two.",
      occurrences: [.init(start: start, end: end, amount: 0, samples: [])])
  }
}
