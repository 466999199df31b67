internal import Determinism
internal import Quantities

/// The risk of a glucose value on the symmetrised scale (Kovatchev and others 1997, Diabetes Care
/// 20:1655).
public enum GlucoseRisk {
  /// f(x) = 1.509·((ln x)^1.084 − 5.381), x in mg/dL and not below 1; zero near 112.5 mg/dL.
  public static func symmetrised(_ mgdL: Double) -> Double {
    1.509 * (PortableMath.pow(PortableMath.log(max(1, mgdL)), 1.084) - 5.381)
  }

  /// The risk of a low value: 10·f² where f is negative, else 0.
  public static func low(_ mgdL: Double) -> Double { lowPart(of: symmetrised(mgdL)) }

  /// The risk of a low value that stands on the symmetrised scale.
  static func lowPart(of f: Double) -> Double { f < 0 ? 10 * f * f : 0 }

  /// The risk of a high value: 10·f² where f is positive, else 0.
  public static func high(_ mgdL: Double) -> Double { highPart(of: symmetrised(mgdL)) }

  /// The risk of a high value that stands on the symmetrised scale.
  static func highPart(of f: Double) -> Double { f > 0 ? 10 * f * f : 0 }

  /// The GRADE score of a value (Hill and others 2007, Diabetic Medicine 24:753), at most 50.
  public static func grade(_ mgdL: Double) -> Double {
    let molar = max(1, mgdL / 18)
    let outer = log10(molar)
    guard outer > 0 else { return 50 }
    let distance = log10(outer) + 0.16
    return min(50, 425 * distance * distance)
  }

  static func log10(_ value: Double) -> Double {
    PortableMath.log(value) / 2.302_585_092_994_045_7
  }
}

/// The risk indices that every summary of a run has; the others take three times as long.
package struct MainRiskIndices: Hashable, Sendable {
  /// The low blood glucose index; see ``RiskIndices``.
  package let lowBloodGlucoseIndex: Double
  /// The high blood glucose index.
  package let highBloodGlucoseIndex: Double
  /// The glycaemia risk index, 0 to 100.
  package let glycemiaRiskIndex: Double

  /// Measures a series; nothing without readings.
  package init?(_ series: GlucoseSeries) {
    guard let ranges = series.timeInRanges() else { return nil }
    self.init(series, ranges)
  }

  /// Measures a series whose shares of the ranges are known.
  package init(_ series: GlucoseSeries, _ ranges: TimeInRanges) {
    self.init(series.values.map(GlucoseRisk.symmetrised), ranges)
  }

  /// The indices of readings on the symmetrised scale, with their shares of the ranges.
  init(_ symmetrised: [Double], _ ranges: TimeInRanges) {
    let count = Double(symmetrised.count)
    lowBloodGlucoseIndex =
      symmetrised.reduce(0) { $0 + GlucoseRisk.lowPart(of: $1) } / count
    highBloodGlucoseIndex =
      symmetrised.reduce(0) { $0 + GlucoseRisk.highPart(of: $1) } / count
    glycemiaRiskIndex = RiskIndices.glycemiaRisk(
      below54: ranges.below54, from54To69: ranges.from54To69,
      from181To250: ranges.from181To250, above250: ranges.above250)
  }
}

/// The risk indices of a glucose series, each reading weighing the same.
public struct RiskIndices: Hashable, Sendable {
  /// The low blood glucose index.
  public let lowBloodGlucoseIndex: Double
  /// The high blood glucose index.
  public let highBloodGlucoseIndex: Double
  /// The average daily risk range: mean over local days of the greatest low and high risk, in which
  /// a midnight at the end is no day.
  public let averageDailyRiskRange: Double
  /// The glycaemia risk index, 0 to 100 (Klonoff and others 2023, J Diabetes Sci Technol 17:1226).
  public let glycemiaRiskIndex: Double
  /// The part of the glycaemia risk index that comes from low readings.
  public let glycemiaRiskLowComponent: Double
  /// The part of the glycaemia risk index that comes from high readings.
  public let glycemiaRiskHighComponent: Double
  /// The mean GRADE score.
  public let grade: Double
  /// The median GRADE score.
  public let gradeMedian: Double
  /// The share of the GRADE scores from below 70 mg/dL, in percent.
  public let gradeLowPercent: Double
  /// The share of the GRADE scores from 70 to 140 mg/dL, in percent.
  public let gradeTargetPercent: Double
  /// The share of the GRADE scores from above 140 mg/dL, in percent.
  public let gradeHighPercent: Double
  /// 0.001·(mean + SD)²; nothing for one reading (Wójcicki 1995).
  public let jIndex: Double?
  /// Schlichtkrull's M-value against a reference of 90 mg/dL.
  public let mValue90: Double
  /// Schlichtkrull's M-value against a reference of 100 mg/dL.
  public let mValue100: Double
  /// Rodbard's index of low readings, with a limit of 80 mg/dL.
  public let lowIndex: Double
  /// Rodbard's index of high readings, with a limit of 140 mg/dL.
  public let highIndex: Double

  /// The sum of the low and the high blood glucose index.
  public var bloodGlucoseRiskIndex: Double { lowBloodGlucoseIndex + highBloodGlucoseIndex }
  /// The sum of the low and the high index of glycaemic control.
  public var indexOfGlycemicControl: Double { lowIndex + highIndex }

  /// Measures a series; nothing without readings.
  public init?(_ series: GlucoseSeries) {
    let values = series.values
    guard let summary = series.summary, let ranges = TimeInRanges(values) else { return nil }
    let count = Double(values.count)
    func mean(_ term: (Double) -> Double) -> Double {
      values.reduce(0) { $0 + term($1) } / count
    }
    let symmetrised = values.map(GlucoseRisk.symmetrised)
    let main = MainRiskIndices(symmetrised, ranges)
    lowBloodGlucoseIndex = main.lowBloodGlucoseIndex
    highBloodGlucoseIndex = main.highBloodGlucoseIndex
    averageDailyRiskRange = Self.dailyRiskRange(series, symmetrised)
    glycemiaRiskLowComponent = ranges.below54 + 0.8 * ranges.from54To69
    glycemiaRiskHighComponent = ranges.above250 + 0.5 * ranges.from181To250
    glycemiaRiskIndex = main.glycemiaRiskIndex
    let scores = values.map(GlucoseRisk.grade)
    let total = Statistics.sum(scores)
    func share(_ isIncluded: (Double) -> Bool) -> Double {
      guard total > 0 else { return 0 }
      let part = zip(values, scores).reduce(0) { isIncluded($1.0) ? $0 + $1.1 : $0 }
      return 100 * part / total
    }
    grade = total / count
    gradeMedian = Statistics.median(scores) ?? grade
    gradeLowPercent = share { $0 < 70 }
    gradeTargetPercent = share { $0 >= 70 && !ConsensusLimit.isExceeded(140, by: $0) }
    gradeHighPercent = share { ConsensusLimit.isExceeded(140, by: $0) }
    jIndex = summary.standardDeviation.map { 0.001 * (summary.mean + $0) * (summary.mean + $0) }
    mValue90 = mean { Self.deviation($0, from: 90) }
    mValue100 = mean { Self.deviation($0, from: 100) }
    lowIndex = mean { $0 < 80 ? (80 - $0) * (80 - $0) / 30 : 0 }
    highIndex = mean { $0 > 140 ? PortableMath.pow($0 - 140, 1.1) / 30 : 0 }
  }

  /// The glycaemia risk index of shares in percent, at most 100.
  public static func glycemiaRisk(
    below54: Double, from54To69: Double, from181To250: Double, above250: Double
  ) -> Double {
    min(100, 3 * below54 + 2.4 * from54To69 + 1.6 * above250 + 0.8 * from181To250)
  }

  /// The zone of a glycaemia risk index: A up to 20, B up to 40, C up to 60, D up to 80, then E.
  public static func glycemiaRiskZone(_ index: Double) -> String {
    switch index {
    case ...20: "A"
    case ...40: "B"
    case ...60: "C"
    case ...80: "D"
    default: "E"
    }
  }

  private static func deviation(_ mgdL: Double, from reference: Double) -> Double {
    let logarithm = abs(GlucoseRisk.log10(max(1, mgdL) / reference))
    return 1_000 * logarithm * logarithm * logarithm
  }

  private static func dailyRiskRange(_ series: GlucoseSeries, _ symmetrised: [Double]) -> Double {
    // In the order of dates, to which a traveller may come back.
    var days: [(date: Int64, low: Double, high: Double)] = []
    for (point, risk) in zip(series.pointsOfDays, symmetrised) {
      let date = series.clock.civilTime(at: point.instant).dayNumber
      var place = days.lastIndex { $0.date <= date } ?? -1
      if place < 0 || days[place].date != date {
        place += 1
        days.insert((date, 0, 0), at: place)
      }
      days[place].low = max(days[place].low, GlucoseRisk.lowPart(of: risk))
      days[place].high = max(days[place].high, GlucoseRisk.highPart(of: risk))
    }
    return Statistics.mean(days.map { $0.low + $0.high }) ?? 0
  }
}

/// The continuous glucose monitoring index, 0 to 100: range, low readings and spread in one number.
///
/// COGI of Leelarathna and others 2020 (Diabetes Technol Ther 22:235) with the weights 50, 35 and
/// 15.
public func continuousGlucoseMonitoringIndex(_ series: GlucoseSeries) -> Double? {
  guard let ranges = series.timeInRanges(),
    let deviation = Statistics.standardDeviation(series.values)
  else { return nil }
  let inRange = min(1, ranges.from70To180 / 100)
  let low = max(0, 1 - ranges.below70 / 15)
  let spread = min(1, max(0, (108 - deviation) / (108 - 18)))
  return 100 * (0.5 * inRange + 0.35 * low + 0.15 * spread)
}
