internal import Determinism
internal import Quantities

/// How much glucose moves: from slot to slot, from hour to hour, and from day to day.
///
/// Each figure is nothing where the data cannot give it, never zero.
public struct GlucoseVariability: Hashable, Sendable {
  /// The mean absolute difference between the same times of neighbouring days, mg/dL (MODD).
  public let meanOfDailyDifferences: Double?
  /// The SD of the changes over 1 hour, mg/dL (CONGA).
  public let conga1: Double?
  /// The SD of the changes over 2 hours, mg/dL.
  public let conga2: Double?
  /// The SD of the changes over 4 hours, mg/dL.
  public let conga4: Double?
  /// The SD of the changes over 24 hours, mg/dL.
  public let conga24: Double?
  /// The mean absolute glucose change, mg/dL per hour (MAG).
  public let meanAbsoluteGlucosePerHour: Double?
  /// The glycaemic variability percentage (Peyser and others 2018, Diabetes Technol Ther 20:6).
  public let glycemicVariabilityPercentage: Double?
  /// The lability index from hourly values, (mmol/L)²/h per week (after Ryan and others 2004);
  /// nothing where slots lie further apart than an hour.
  public let labilityIndex: Double?
  /// The SD of the rate of change over 15 minutes, or over a slot that is longer, mg/dL per minute.
  public let deviationOfRate: Double?
  /// The SD within days, mg/dL; this and the three below are those of Rodbard 2009.
  public let deviationWithinDays: Double?
  /// The SD of daily means, mg/dL; a midnight at the end is no day.
  public let deviationOfDailyMeans: Double?
  /// The SD of the mean day, mg/dL.
  public let deviationOfTimesOfDay: Double?
  /// The mean SD between days at one time of day, mg/dL.
  public let deviationBetweenDays: Double?
  /// The mean under the curve by trapezoids, mg/dL.
  public let meanUnderCurve: Double?
  /// The mean area above 180 mg/dL, mg/dL.
  public let meanAbove180: Double?
  /// The mean area below 70 mg/dL, mg/dL.
  public let meanBelow70: Double?

  /// Measures a grid.
  public init(_ grid: GlucoseGrid) {
    let minutes = Double(grid.intervalMinutes)
    let steps = grid.differences(lag: 1)
    let days = grid.timesOfDay
    meanOfDailyDifferences = Statistics.mean(
      zip(days, days.dropFirst()).flatMap { early, late in
        zip(early, late).compactMap { first, second -> Double? in
          guard let first, let second else { return nil }
          return abs(second - first)
        }
      })
    func conga(_ hours: Double) -> Double? {
      grid.lag(hours: hours).flatMap { Statistics.standardDeviation(grid.differences(lag: $0)) }
    }
    conga1 = conga(1)
    conga2 = conga(2)
    conga4 = conga(4)
    conga24 = conga(24)
    meanAbsoluteGlucosePerHour = Statistics.mean(steps.map(abs)).map { $0 * 60 / minutes }
    glycemicVariabilityPercentage = Statistics.mean(
      steps.map { (minutes * minutes + $0 * $0).squareRoot() / minutes }
    ).map { 100 * ($0 - 1) }
    labilityIndex = Self.lability(grid)
    let quarter = max(1, (15 + grid.intervalMinutes / 2) / grid.intervalMinutes)
    deviationOfRate = Statistics.standardDeviation(
      grid.differences(lag: quarter).map { $0 / (Double(quarter) * minutes) })
    let whole = grid.daysWithoutClosingMidnight.map { grid.slots[$0].compactMap(\.self) }
    deviationWithinDays = Statistics.mean(whole.compactMap(Statistics.standardDeviation))
    deviationOfDailyMeans = Statistics.standardDeviation(whole.compactMap(Statistics.mean))
    let times = (0..<grid.slotsPerDay).map { slot in days.compactMap { $0[slot] } }
    deviationOfTimesOfDay = Statistics.standardDeviation(times.compactMap(Statistics.mean))
    deviationBetweenDays = Statistics.mean(times.compactMap(Statistics.standardDeviation))
    meanUnderCurve = Self.meanArea(grid) { $0 }
    meanAbove180 = Self.meanArea(grid) { max(0, $0 - 180) }
    meanBelow70 = Self.meanArea(grid) { max(0, 70 - $0) }
  }

  private static func lability(_ grid: GlucoseGrid) -> Double? {
    guard grid.lag(hours: 1) != nil else { return nil }
    // An hour where slots divide it, else what is nearest.
    let hours = Double(grid.slotsPerHour * grid.intervalMinutes) / 60
    let hourly = stride(from: 0, to: grid.slots.count, by: grid.slotsPerHour).map {
      grid.slots[$0]
    }
    var squares = 0.0
    var pairs = 0
    for index in hourly.indices.dropFirst() {
      guard let early = hourly[index - 1], let late = hourly[index] else { continue }
      // The reference figures use Nightscout's and Tidepool's factor.
      let change = (late - early) / 18.01559
      squares += change * change
      pairs += 1
    }
    return pairs > 0 ? squares / hours / (Double(pairs) * hours / 168) : nil
  }

  private static func meanArea(_ grid: GlucoseGrid, of height: (Double) -> Double) -> Double? {
    var sum = 0.0
    var pairs = 0
    for index in grid.slots.indices.dropFirst() {
      guard let early = grid.slots[index - 1], let late = grid.slots[index] else { continue }
      sum += (height(early) + height(late)) / 2
      pairs += 1
    }
    return pairs > 0 ? sum / Double(pairs) : nil
  }
}

extension GlucoseSeries {
  /// How much glucose moves; nothing without readings.
  public var variability: GlucoseVariability? { GlucoseGrid(self).map(GlucoseVariability.init) }
}
