internal import Determinism

/// Wilcoxon's signed ranks of differences: a second opinion that no outlier moves.
///
/// Zeros are dropped, ties share their rank, and the law of the sum is exact with ties up to 200
/// differences; above that it is the normal one with corrections for ties and continuity.
public struct SignedRanks: Hashable, Sendable {
  /// The sum of the ranks of positive differences.
  public let positive: Double
  /// The sum of the ranks of negative differences.
  public let negative: Double
  /// The two-sided p of the hypothesis that the differences are symmetric about zero.
  public let p: Double

  /// The most differences whose law is computed exactly.
  static let exactLimit = 200

  /// Ranks differences that are already rounded.
  public init(_ differences: [Double]) {
    let sorted = differences.filter { $0 != 0 }.sorted { $0.magnitude < $1.magnitude }
    // Twice the ranks are whole numbers, ties or not.
    var doubled: [Int] = []
    var tieCorrection = 0.0
    var positive = 0
    var start = 0
    while start < sorted.count {
      var end = start
      while end < sorted.count, sorted[end].magnitude == sorted[start].magnitude { end += 1 }
      let size = Double(end - start)
      tieCorrection += size * size * size - size
      for index in start..<end {
        doubled.append(start + end + 1)
        if sorted[index] > 0 { positive += start + end + 1 }
      }
      start = end
    }
    let total = doubled.reduce(0, +)
    self.positive = Double(positive) / 2
    negative = Double(total - positive) / 2
    if doubled.isEmpty {
      p = 1
    } else if doubled.count <= Self.exactLimit {
      p = Self.exactP(doubled, smaller: min(positive, total - positive))
    } else {
      p = Self.normalP(count: doubled.count, positive: self.positive, tieCorrection)
    }
  }

  private static func exactP(_ doubled: [Int], smaller: Int) -> Double {
    let law = sumLaw(of: doubled)
    return min(1, 2 * law[0...smaller].reduce(0, +))
  }

  private static func normalP(count: Int, positive: Double, _ tieCorrection: Double) -> Double {
    let n = Double(count)
    let variance = n * (n + 1) * (2 * n + 1) / 24 - tieCorrection / 48
    let distance = max(0, (positive - n * (n + 1) / 4).magnitude - 0.5)
    return min(1, 2 * NormalLaw.lowerTail(-distance / variance.squareRoot()))
  }

  /// The probability of each sum when every number is taken or left with probability ½.
  static func sumLaw(of numbers: [Int]) -> [Double] {
    var law = [1.0]
    for number in numbers {
      var next = Array(repeating: 0.0, count: law.count + number)
      for (sum, probability) in law.enumerated() {
        next[sum] += probability / 2
        next[sum + number] += probability / 2
      }
      law = next
    }
    return law
  }
}

/// The median of all averages of two differences, with its exact interval.
///
/// The estimator is that of Hodges and Lehmann (Ann Math Stat 34:598, 1963). It estimates the
/// pseudo-median, not the mean: where most differences are zero it is zero.
public struct HodgesLehmann: Hashable, Sendable {
  /// The median of all averages of two differences.
  public let estimate: Double
  /// Its interval; without ends where even the least and the greatest average are too near for the
  /// confidence, as of five differences at 95 %.
  public let interval: IntervalOfMean

  /// Estimates from differences, zeros included; `nil` without any.
  public init?(_ differences: [Double], confidence: Double) {
    guard !differences.isEmpty else { return nil }
    let sorted = differences.sorted()
    let n = sorted.count
    let pairs = n * (n + 1) / 2
    let averages = WalshAverages(sorted)
    let middle = averages.value(at: (pairs + 1) / 2)
    estimate =
      pairs.isMultiple(of: 2) ? (middle + averages.value(at: pairs / 2 + 1)) / 2 : middle
    let place = Self.place(n, share: (100 - confidence) / 200)
    interval = IntervalOfMean(
      lower: place.map { averages.value(at: $0) },
      upper: place.map { averages.value(at: pairs + 1 - $0) })
  }

  /// The place of the lower end among the averages, from 1; `nil` where none is far enough out.
  static func place(_ n: Int, share: Double) -> Int? {
    let pairs = n * (n + 1) / 2
    guard n <= SignedRanks.exactLimit else {
      let count = Double(n)
      let spread = (count * (count + 1) * (2 * count + 1) / 24).squareRoot()
      let place = Double(pairs) / 2 + NormalLaw.quantile(share) * spread
      return min(pairs, max(1, Int(place.rounded())))
    }
    var sum = 0.0
    for (place, probability) in SignedRanks.sumLaw(of: Array(1...n)).enumerated() {
      sum += probability
      if sum * (1 + 64 * .ulpOfOne) >= share { return place > 0 ? place : nil }
    }
    return pairs
  }
}

/// The averages (dᵢ + dⱼ) / 2, i ≤ j, in ascending order, without a list of them.
private struct WalshAverages {
  private let sorted: [Double]

  init(_ sorted: [Double]) { self.sorted = sorted }

  /// The average with the given place from 1, to 10⁻⁹.
  func value(at place: Int) -> Double {
    guard let first = sorted.first, let last = sorted.last, first < last else {
      return sorted.first ?? 0
    }
    // Sums, not averages: halving is exact and comes last.
    let sum = Root.ofFalling(in: (2 * first - 1)...(2 * last + 1), tolerance: 1e-10) {
      Double(place - countOfSums(atMost: $0 + 1e-10)) - 0.5
    }
    return PairedDifferences.rounded(sum) / 2
  }

  /// How many pairs have a sum of at most `limit`.
  private func countOfSums(atMost limit: Double) -> Int {
    var count = 0
    var right = sorted.count - 1
    for left in sorted.indices {
      while right >= left, sorted[left] + sorted[right] > limit { right -= 1 }
      if right < left { break }
      count += right - left + 1
    }
    return count
  }
}

/// The test by exchanging the signs of differences.
public enum SignFlips {
  /// The most differences other than zero of which all signs are tried.
  static let exactLimit = 20
  /// How many random exchanges are tried where there are more.
  static let randomFlips = 9_999

  /// The two-sided p of the hypothesis that each difference is as likely to have the other sign.
  ///
  /// Up to 20 differences other than zero all signs are tried; above, 9,999 random exchanges, and
  /// the observed signs are counted with them.
  public static func p(_ differences: [Double], seed: UInt64 = 1) -> Double {
    let values = differences.filter { $0 != 0 }
    guard !values.isEmpty else { return 1 }
    let tolerance = PairedDifferences.tolerance(values) * Double(values.count)
    let observed = values.reduce(0, +).magnitude - tolerance
    if values.count <= exactLimit { return exactP(values, observed: observed) }
    var stream = RandomStream(state: seed)
    var extreme = 1
    for _ in 0..<randomFlips {
      let sum = values.reduce(0) { stream.unit() < 0.5 ? $0 + $1 : $0 - $1 }
      if sum.magnitude >= observed { extreme += 1 }
    }
    return Double(extreme) / Double(randomFlips + 1)
  }

  private static func exactP(_ values: [Double], observed: Double) -> Double {
    // Halves that are joined: each sum is made of two that stand ready.
    let middle = values.count / 2
    let left = sums(of: values[..<middle])
    let right = sums(of: values[middle...])
    var extreme = 0
    for first in left {
      for second in right where (first + second).magnitude >= observed { extreme += 1 }
    }
    return Double(extreme) / Double(left.count * right.count)
  }

  private static func sums(of values: ArraySlice<Double>) -> [Double] {
    values.reduce([0.0]) { sums, value in sums.flatMap { [$0 + value, $0 - value] } }
  }
}
