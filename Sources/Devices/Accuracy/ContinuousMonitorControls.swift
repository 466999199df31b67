/// The special controls for integrated CGM systems (iCGM), US rule 21 CFR 862.1355(b)(1).
public enum ContinuousMonitorControls {
  /// A criterion's letter in the rule's order.
  public enum Criterion: String, Hashable, Sendable, CaseIterable {
    /// The letter of the criterion in the rule.
    case A, B, C, D, E, F, G, H, I, J, K
  }

  /// How a criterion came out.
  public struct Result: Hashable, Sendable {
    /// Which criterion it is.
    public var criterion: Criterion
    /// The rule in words.
    public var rule: String
    /// The pairs that the criterion judges.
    public var count: Int
    /// Those within the limit; for H to K those that break the rule.
    public var matching: Int
    /// The share that the lower bound must exceed (A to G) or that may break the rule (H to K).
    public var limit: Double
    /// The bound of the normal approximation, of Wilson, and the exact one; A to G only, and
    /// nothing without pairs.
    public var bounds: Bounds?

    /// Lower one-sided 95 % confidence bounds.
    public struct Bounds: Hashable, Sendable {
      /// By the normal approximation.
      public var normal: Double
      /// By Wilson's score.
      public var wilson: Double
      /// By Clopper and Pearson's exact method.
      public var exact: Double
    }

    /// Whether ``limit`` is the least, of A to G, or else the most.
    public var limitIsLeast: Bool { criterion.rawValue <= Criterion.G.rawValue }

    /// The share of matching pairs; nothing without pairs.
    public var share: Double? { count > 0 ? Double(matching) / Double(count) : nil }

    /// Whether there are too few pairs to say: fewer than 300 for a bound, none for a share.
    public var isThin: Bool { bounds == nil ? count == 0 : count < 300 }

    /// Whether the criterion is met, by the exact bound; nothing without pairs.
    public var isMet: Bool? {
      guard let share else { return nil }
      if let bounds { return bounds.exact > limit }
      return share <= limit
    }
  }

  /// Judges pairs by every criterion; readings that are LOW or HIGH must have been left out.
  public static func judge(_ pairs: [AccuracyPair]) -> [Result] {
    Criterion.allCases.map { judge(pairs, by: $0) }
  }

  private static func judge(_ pairs: [AccuracyPair], by criterion: Criterion) -> Result {
    var result = Result(
      criterion: criterion, rule: rule(of: criterion), count: 0, matching: 0,
      limit: limit(of: criterion))
    for pair in pairs {
      guard let matches = matches(pair, criterion) else { continue }
      result.count += 1
      if matches { result.matching += 1 }
    }
    guard result.limitIsLeast, result.count > 0 else { return result }
    result.bounds = .init(
      normal: BinomialBound.normal(passed: result.matching, of: result.count),
      wilson: BinomialBound.wilson(passed: result.matching, of: result.count),
      exact: BinomialBound.exact(passed: result.matching, of: result.count))
    return result
  }

  /// Whether a pair matches a criterion; nothing when the criterion does not judge it.
  private static func matches(_ pair: AccuracyPair, _ criterion: Criterion) -> Bool? {
    let (low, high) = (pair.reading < 70, pair.reading > 180)
    func within(_ limit: Double, cut: Double = 70) -> Bool {
      AgreementRule(limit: limit, cut: cut, side: .reading, isStrict: true).accepts(pair)
    }
    switch criterion {
    case .A: return low ? within(15) : nil
    case .B: return low || high ? nil : within(15)
    case .C: return high ? within(15) : nil
    case .D: return low ? within(40) : nil
    case .E: return low || high ? nil : within(40)
    case .F: return high ? within(40) : nil
    // In percent whatever the reading is.
    case .G: return within(20, cut: 0)
    case .H: return low ? pair.reference > 180 : nil
    case .I: return high ? pair.reference < 70 : nil
    case .J:
      guard let truth = pair.referenceRate, let rate = pair.readingRate, truth < -2
      else { return nil }
      return rate > 1
    case .K:
      guard let truth = pair.referenceRate, let rate = pair.readingRate, truth > 2
      else { return nil }
      return rate < -1
    }
  }

  private static func limit(of criterion: Criterion) -> Double {
    switch criterion {
    case .A: 0.85
    case .B: 0.70
    case .C: 0.80
    case .D: 0.98
    case .E, .F: 0.99
    case .G: 0.87
    case .H, .I: 0
    case .J, .K: 0.01
    }
  }

  private static func rule(of criterion: Criterion) -> String {
    switch criterion {
    case .A: "reading < 70: within 15 mg/dL"
    case .B: "reading 70-180: within 15 %"
    case .C: "reading > 180: within 15 %"
    case .D: "reading < 70: within 40 mg/dL"
    case .E: "reading 70-180: within 40 %"
    case .F: "reading > 180: within 40 %"
    case .G: "all readings: within 20 %"
    case .H: "reading < 70: reference > 180"
    case .I: "reading > 180: reference < 70"
    case .J: "reference falls faster than 2 mg/dL/min: reading rises by more than 1"
    case .K: "reference rises faster than 2 mg/dL/min: reading falls by more than 1"
    }
  }
}
