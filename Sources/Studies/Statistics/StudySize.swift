internal import Determinism
internal import Outcomes
public import RunPlans

/// How many patients a question needs.
///
/// Sizes go by the ratio of what is to be seen to the standard deviation of the differences.
public enum StudySize {
  /// The most patients that are considered.
  static let limit = 100_000_000

  /// The power of a paired test of superiority by nothing, two-sided, or of non-inferiority.
  ///
  /// `ratio` is the true benefit, or its distance from the margin, in standard deviations of the
  /// differences. Below two patients there is no power.
  public static func power(
    count: Int, ratio: Double, confidence: Double = 95, isTwoSided: Bool
  ) -> Double {
    guard count > 1 else { return 0 }
    let shift = ratio * Double(count).squareRoot()
    let law = StudentLaw(degreesOfFreedom: Double(count - 1))
    let critical = law.quantile(1 - (100 - confidence) / 200)
    return DeviationLaw(degreesOfFreedom: Double(count - 1)).mean { s in
      let above = NormalLaw.lowerTail(shift - critical * s)
      return isTwoSided ? above + NormalLaw.lowerTail(-shift - critical * s) : above
    }
  }

  /// The power to show that there is no difference beyond a margin when there is none.
  ///
  /// `ratio` is the margin in standard deviations of the differences.
  public static func equivalencePower(
    count: Int, ratio: Double, confidence: Double = 95
  ) -> Double {
    guard count > 1 else { return 0 }
    let shift = ratio * Double(count).squareRoot()
    let law = StudentLaw(degreesOfFreedom: Double(count - 1))
    let critical = law.quantile(1 - (100 - confidence) / 200)
    // Above this deviation both sides cannot hold together.
    return DeviationLaw(degreesOfFreedom: Double(count - 1)).mean(below: shift / critical) { s in
      2 * NormalLaw.lowerTail(shift - critical * s) - 1
    }
  }

  /// The least number of patients with so much power; `nil` beyond a hundred million.
  public static func count(
    ratio: Double, power wanted: Double, confidence: Double = 95, isTwoSided: Bool
  ) -> Int? {
    guard ratio > 0, wanted > 0, wanted < 1 else { return nil }
    return least { count in
      power(count: count, ratio: ratio, confidence: confidence, isTwoSided: isTwoSided) >= wanted
    }
  }

  /// The least number of patients with so much power to meet a goal; `nil` beyond 100 million.
  ///
  /// `ratio` is, in standard deviations of the differences, how far the true benefit lies beyond
  /// what the goal asks for; of equivalence the margin, where there is no difference.
  public static func count(
    ratio: Double, power wanted: Double, confidence: Double, goal: Goal
  ) -> Int? {
    guard goal.kind == .equivalent else {
      return count(
        ratio: ratio, power: wanted, confidence: confidence, isTwoSided: goal == .superior(by: 0))
    }
    guard ratio > 0, wanted > 0, wanted < 1 else { return nil }
    return least { count in
      equivalencePower(count: count, ratio: ratio, confidence: confidence) >= wanted
    }
  }

  /// The least number of patients for an interval by Student's t of at most so much on each side.
  ///
  /// `ratio` is the standard deviation of the differences by the half width.
  public static func count(forHalfWidthRatio ratio: Double, confidence: Double = 95) -> Int? {
    guard ratio >= 0, ratio.isFinite else { return nil }
    return least { count in
      let quantile = StudentLaw(degreesOfFreedom: Double(count - 1))
        .quantile(1 - (100 - confidence) / 200)
      return quantile * ratio <= Double(count).squareRoot()
    }
  }

  /// How many patients a pilot says are needed for an interval of a given half width.
  ///
  /// The pilot's deviation is taken at its upper limit of 80 % (R. H. Browne, Stat. Med. 14:1933,
  /// 1995), so that four studies of five are not too small; at least 30 patients, and as many as
  /// the skew of the pilot wants.
  public static func count(
    forHalfWidth halfWidth: Double, pilot: PairedDifferences, confidence: Double = 95
  ) -> (deviation: Double, count: Int)? {
    guard halfWidth > 0, let deviation = pilot.standardDeviation else { return nil }
    let cautious = cautiousDeviation(deviation, count: pilot.count)
    guard let count = count(forHalfWidthRatio: cautious / halfWidth, confidence: confidence)
    else { return nil }
    return (cautious, max(count, pilot.countWantedBySkew, 30))
  }

  /// The upper limit of 80 % of a standard deviation.
  public static func cautiousDeviation(_ deviation: Double, count: Int) -> Double {
    guard count > 1 else { return deviation }
    let freedom = Double(count - 1)
    return deviation
      * (freedom / ChiSquaredLaw(degreesOfFreedom: freedom).quantile(0.2)).squareRoot()
  }

  /// The power by simulation: the share of studies drawn from a pilot's differences that meet a
  /// goal.
  ///
  /// The studies are drawn with seed 2; `nil` below two patients.
  public static func simulatedPower(
    count: Int, pilot: PairedDifferences, goal: Goal, better: BetterDirection,
    confidence: Double = 95, studies: Int = 2_000
  ) -> Double? {
    guard count > 1, studies > 0 else { return nil }
    var stream = RandomStream(state: 2)
    let size = Double(pilot.count)
    var met = 0
    for _ in 0..<studies {
      let drawn = (0..<count).map { _ in pilot.values[Int(stream.unit() * size)] }
      guard let differences = PairedDifferences(drawn) else { continue }
      // Fewer resamples than in the study itself: the share counts, not the one verdict.
      let resampled = ResampledMean(differences, resamples: 999)
      let test = GoalTest(goal, resampled, better: better, confidence: confidence)
      if test.isMet { met += 1 }
    }
    return Double(met) / Double(studies)
  }

  /// The least count from 2 for which something holds that holds for all larger ones.
  private static func least(_ holds: (Int) -> Bool) -> Int? {
    var high = 2
    while !holds(high) {
      guard high < limit else { return nil }
      high *= 2
    }
    var low = high / 2
    while low + 1 < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle }
    }
    return max(2, high)
  }
}

/// The law of a sample's standard deviation by the true one, for normal values.
private struct DeviationLaw {
  let degreesOfFreedom: Double

  /// The mean of a function of the deviation, over the part of the law below a limit.
  ///
  /// Over the logarithm of the deviation the density falls fast on both sides; five-point Gauss
  /// rules on 240 panels leave an error below 10⁻¹².
  func mean(below limit: Double = .infinity, of function: (Double) -> Double) -> Double {
    let half = degreesOfFreedom / 2
    let spread = 1 / (2 * half).squareRoot()
    let low = -12 * spread - 40 / degreesOfFreedom
    let high = min(
      12 * spread, limit < .infinity ? PortableMath.log(max(limit, .leastNormalMagnitude)) : 1e9)
    guard low < high else { return 0 }
    let constant =
      PortableMath.log(2) + PortableMath.log(half / (2 * .pi)) / 2
      - PortableMath.stirlingError(half)
    let panels = 240
    let width = (high - low) / Double(panels)
    var sum = 0.0
    for panel in 0..<panels {
      let middle = low + (Double(panel) + 0.5) * width
      for (node, weight) in Self.rule {
        let u = middle + node * width / 2
        let density = PortableMath.exp(
          constant + half * (2 * u - PortableMath.expm1(2 * u)))
        sum += weight * density * function(PortableMath.exp(u))
      }
    }
    return sum * width / 2
  }

  private static let rule: [(node: Double, weight: Double)] = {
    let root = 70.0.squareRoot()
    let inner = (5 - 2 * (10.0 / 7).squareRoot()).squareRoot() / 3
    let outer = (5 + 2 * (10.0 / 7).squareRoot()).squareRoot() / 3
    let heavy = (322 + 13 * root) / 900
    let light = (322 - 13 * root) / 900
    return [(-outer, light), (-inner, heavy), (0, 128.0 / 225), (inner, heavy), (outer, light)]
  }()
}
