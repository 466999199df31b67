/// How many of a number of patients have a property, with the exact interval of the share.
///
/// The interval is that of Clopper and Pearson (Biometrika 26:404, 1934).
public struct ShareOfPatients: Hashable, Sendable {
  /// How many have the property.
  public let count: Int
  /// How many there are.
  public let total: Int

  /// Creates a share; `nil` without patients or with more than there are.
  public init?(_ count: Int, of total: Int) {
    guard total > 0, (0...total).contains(count) else { return nil }
    self.count = count
    self.total = total
  }

  /// The share, from 0 to 1.
  public var value: Double { Double(count) / Double(total) }

  /// The exact interval of the share, from 0 to 1.
  public func interval(confidence: Double) -> ClosedRange<Double> {
    assert((0..<100).contains(confidence), "A confidence lies between 0 and 100 percent.")
    let tail = (100 - confidence) / 200
    let lower =
      count == 0
      ? 0
      : Root.ofFalling(in: 0...1) {
        tail - BinomialLaw(count: total, probability: $0).atLeast(count)
      }
    let upper =
      count == total
      ? 1
      : Root.ofFalling(in: 0...1) {
        BinomialLaw(count: total, probability: $0).atMost(count) - tail
      }
    return lower...max(lower, upper)
  }
}

/// How many patients changed a property between two arms.
public struct ChangedPatients: Hashable, Sendable {
  /// How many have it under the treatment alone.
  public let newly: Int
  /// How many have it under the control alone.
  public let spared: Int

  /// Creates a `ChangedPatients` from its parts; see the properties.
  public init(newly: Int, spared: Int) {
    self.newly = max(0, newly)
    self.spared = max(0, spared)
  }

  /// The exact two-sided p of McNemar's test (Psychometrika 12:153, 1947).
  public var p: Double {
    let law = BinomialLaw(count: newly + spared, probability: 0.5)
    return min(1, 2 * law.atMost(min(newly, spared)))
  }
}

/// A quantile over patients with the interval that two order statistics give.
public struct QuantileOfPatients: Hashable, Sendable {
  /// The ranks of the ends, from 1; `nil` where no patient is far enough out.
  public let lowerRank: Int?
  /// The rank of the upper end; `nil` where there are too few patients.
  public let upperRank: Int?

  /// Finds the ranks for `count` patients and the quantile at `share`.
  public init(count: Int, share: Double, confidence: Double) {
    let law = BinomialLaw(count: count, probability: share)
    let tail = (100 - confidence) / 200
    let lower = law.quantile(tail)
    let upper = law.quantile(1 - tail) + 1
    lowerRank = lower >= 1 ? lower : nil
    upperRank = upper <= count ? upper : nil
  }

  /// The interval among values that already ascend.
  public func interval(sorted values: [Double]) -> IntervalOfMean {
    func value(_ rank: Int?) -> Double? {
      guard let rank, values.indices.contains(rank - 1) else { return nil }
      return values[rank - 1]
    }
    return IntervalOfMean(lower: value(lowerRank), upper: value(upperRank))
  }
}
