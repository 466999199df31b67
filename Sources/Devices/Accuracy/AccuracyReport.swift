import Determinism

/// How well readings agree with their references.
///
/// Readings that are LOW or HIGH have no value: they are counted and left out. The reference should
/// be named beside the report, because lag alone costs one to three points of MARD.
public struct AccuracyReport: Hashable, Sendable {
  /// Figures of a group of pairs.
  public struct Summary: Hashable, Sendable {
    /// How many pairs there are.
    public var count = 0
    /// The mean absolute relative difference, a fraction.
    public var mard = 0.0
    /// The median absolute relative difference, a fraction.
    public var medianARD = 0.0
    /// The mean difference, in milligrams per decilitre.
    public var bias = 0.0
    /// The standard deviation of the differences, in milligrams per decilitre.
    public var deviation = 0.0
    /// The mean relative difference with its sign, a fraction.
    public var relativeBias = 0.0
    /// The shares within 15/15, 20/20, 30/30 and 40/40, by the reference with a cut at 100 mg/dL.
    public var agreement: [Double] = [0, 0, 0, 0]

    /// The limits of ``agreement``, in milligrams per decilitre and in percent.
    public static let agreementLimits = [15.0, 20, 30, 40]

    /// Measures pairs.
    public init(_ pairs: [AccuracyPair]) {
      count = pairs.count
      guard count > 0 else { return }
      let n = Double(count)
      let differences = pairs.map { $0.reading - $0.reference }
      let relative = pairs.map(\.relativeDifference)
      mard = relative.reduce(0, +) / n
      medianARD = Self.median(relative)
      let mean = differences.reduce(0, +) / n
      bias = mean
      let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      deviation = count > 1 ? (squares / (n - 1)).squareRoot() : 0
      relativeBias = zip(differences, pairs).reduce(0) { $0 + $1.0 / $1.1.reference } / n
      agreement = Self.agreementLimits.map { limit in
        let rule = AgreementRule(limit: limit)
        return Double(pairs.count { rule.accepts($0) }) / n
      }
    }

    static func median(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      precondition(!values.isEmpty, "A median is of a value or more.")
      let middle = sorted.count / 2
      return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
  }

  /// A group of pairs by its name.
  public struct Group: Hashable, Sendable {
    /// What the group is called.
    public var name: String
    /// Its figures.
    public var summary: Summary
  }

  /// The figures of all pairs.
  public var all: Summary
  /// By the reading's range, with the bins of the FDA's tables.
  public var byRange: [Group]
  /// By the day of wear.
  public var byDay: [Group]
  /// How each criterion came out.
  public var controls: [ContinuousMonitorControls.Result]
  /// The shares in zones A to E.
  public var clarke: [Double]
  /// The shares in the zones A to E of Parkes's grid for type 1.
  public var parkes1: [Double]
  /// The shares in the zones A to E of Parkes's grid for type 2.
  public var parkes2: [Double]
  /// The shares of the five degrees of risk, when a table of scores was given.
  public var surveillance: [Double]?
  /// Readings that were LOW.
  public var lowCount: Int
  /// Readings that were HIGH.
  public var highCount: Int
  /// Reading rates (rows) against reference rates (columns), each row adding up to one.
  public var rates: [[Double]]
  /// The number of pairs in each row of the table of rates.
  public var rateCounts: [Int]

  /// Judges pairs; those whose reference is not a positive number are left out.
  public init(_ pairs: [AccuracyPair], surveillance grid: SurveillanceGrid? = nil) {
    let usable = pairs.filter { $0.reference > 0 && $0.reference.isFinite }
    let inRange = usable.filter { $0.condition == .inRange && $0.reading.isFinite }
    lowCount = usable.count { $0.condition == .belowRange }
    highCount = usable.count { $0.condition == .aboveRange }
    all = Summary(inRange)
    byRange = Self.ranges.map { range in
      Group(
        name: range.name,
        summary: Summary(inRange.filter { $0.reading >= range.from && $0.reading < range.to }))
    }
    let days = inRange.map(\.day).max() ?? 0
    byDay =
      days < 1
      ? []
      : (1...min(days, 400)).map { day in
        Group(name: "day \(day)", summary: Summary(inRange.filter { $0.day == day }))
      }
    controls = ContinuousMonitorControls.judge(inRange)
    clarke = Self.zones(inRange) { ClarkeGrid.zone(reference: $0.reference, test: $0.reading) }
    parkes1 = Self.zones(inRange) {
      ParkesGrid.type1.zone(reference: $0.reference, test: $0.reading)
    }
    parkes2 = Self.zones(inRange) {
      ParkesGrid.type2.zone(reference: $0.reference, test: $0.reading)
    }
    surveillance = grid.map { grid in
      let risks = inRange.map {
        SurveillanceGrid.Risk(score: grid.score(reference: $0.reference, test: $0.reading))
      }
      return SurveillanceGrid.Risk.allCases.map { risk in
        risks.isEmpty ? 0 : Double(risks.count { $0 == risk }) / Double(risks.count)
      }
    }
    (rates, rateCounts) = Self.rateTable(inRange)
  }

  /// Readings of 180 and of 250 are the last of their ranges, as in ``ContinuousMonitorControls``.
  private static let ranges: [(name: String, from: Double, to: Double)] = [
    ("40-53", 40, 54), ("54-69", 54, 70), ("70-180", 70, 180.0.nextUp),
    ("181-250", 180.0.nextUp, 250.0.nextUp), ("above 250", 250.0.nextUp, .infinity),
  ]

  private static func zones(
    _ pairs: [AccuracyPair], _ zone: (AccuracyPair) -> ErrorZone
  ) -> [Double] {
    let zones = pairs.map(zone)
    return ErrorZone.allCases.map { wanted in
      zones.isEmpty ? 0 : Double(zones.count { $0 == wanted }) / Double(zones.count)
    }
  }

  /// The classes of a rate: below −2, −2 to −1, −1 to 0, 0 to 1, 1 to 2, above 2 mg/dL/min.
  public static func rateClass(_ rate: Double) -> Int {
    if rate < -2 { return 0 }
    if rate < -1 { return 1 }
    if rate < 0 { return 2 }
    if rate <= 1 { return 3 }
    return rate <= 2 ? 4 : 5
  }

  private static func rateTable(_ pairs: [AccuracyPair]) -> ([[Double]], [Int]) {
    var counts = Array(repeating: Array(repeating: 0, count: 6), count: 6)
    for pair in pairs {
      guard let truth = pair.referenceRate, let rate = pair.readingRate else { continue }
      assert((0..<6).contains(rateClass(rate)), "A rate of change has one of six classes.")
      counts[rateClass(rate)][rateClass(truth)] += 1
    }
    let totals = counts.map { $0.reduce(0, +) }
    let shares = zip(counts, totals).map { row, total in
      row.map { total > 0 ? Double($0) / Double(total) : 0 }
    }
    return (shares, totals)
  }
}

extension AccuracyReport {
  /// A 95 % interval of the MARD, by drawing whole sensors again and again.
  ///
  /// Pairs of one sensor resemble one another, so that a bound which takes them for independent is
  /// too narrow. Returns nothing with fewer than two sensors.
  public static func mardInterval(
    of pairs: [AccuracyPair], draws: Int = 1_000, seed: UInt64
  ) -> ClosedRange<Double>? {
    var sums: [Int: (sum: Double, count: Double)] = [:]
    var order: [Int] = []
    for pair in pairs where pair.condition == .inRange && pair.reference > 0 {
      if sums[pair.sensor] == nil { order.append(pair.sensor) }
      let before = sums[pair.sensor] ?? (0, 0)
      sums[pair.sensor] = (before.sum + pair.relativeDifference, before.count + 1)
    }
    let sensors = order.compactMap { sums[$0] }
    guard sensors.count >= 2, draws >= 40 else { return nil }
    var stream = RandomStream(seed: seed, name: "accuracy.bootstrap")
    var means: [Double] = []
    for _ in 0..<draws {
      var total = (sum: 0.0, count: 0.0)
      for _ in sensors.indices {
        let drawn = sensors[Int(stream.integer(below: UInt64(sensors.count)))]
        total = (total.sum + drawn.sum, total.count + drawn.count)
      }
      assert(total.count > 0, "A sensor that is drawn has pairs.")
      means.append(total.sum / total.count)
    }
    means.sort()
    return means[draws / 40]...means[draws - 1 - draws / 40]
  }
}
