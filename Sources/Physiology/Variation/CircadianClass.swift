public import Determinism
import Quantities

/// A pattern of insulin sensitivity over the day: high or low at breakfast, lunch and dinner.
///
/// Seven classes with probabilities, after R. Visentin et al., "Circadian variability of insulin
/// sensitivity: physiological input for in silico artificial pancreas", Diabetes Technol. Ther. 17,
/// 2015 (20 subjects). The figures are second-hand, as transcribed in bhurpeau/simglucose-s2017.
/// Each window of each day is multiplied by its own N(1, 0.2²), as there: at least 0.1, and 0.05 to
/// 2 in all.
public struct CircadianClass: Hashable, Sendable {
  /// The factors from 04:00, 11:00 and 17:00 on.
  public let factors: [Double]
  /// The share of people in this class.
  public let probability: Double

  private init(_ factors: [Double], _ probability: Double) {
    self.factors = factors
    self.probability = probability
  }

  /// The seven classes; low is 0.4 of high.
  public static let all: [CircadianClass] = [
    .init([1, 1, 1], 0.1), .init([1, 1, 0.4], 0.05), .init([1, 0.4, 1], 0.05),
    .init([1, 0.4, 0.4], 0.1), .init([0.4, 1, 1], 0.2), .init([0.4, 1, 0.4], 0.2),
    .init([0.4, 0.4, 1], 0.3),
  ]

  /// Draws a class by the published probabilities.
  public static func draw(from stream: inout RandomStream) -> CircadianClass {
    var rest = stream.unit()
    for candidate in all {
      rest -= candidate.probability
      if rest < 0 { return candidate }
    }
    return all[all.count - 1]
  }

  /// The window a time of day lies in: 0 from 04:00, 1 from 11:00, 2 from 17:00.
  static func window(at time: TimeOfDay) -> Int {
    let hour = time.milliseconds / 3_600_000
    if (4..<11).contains(hour) { return 0 }
    return (11..<17).contains(hour) ? 1 : 2
  }

  func draw(window: Int, from stream: inout RandomStream) -> Double {
    assert(factors.indices.contains(window), "A day has three windows.")
    let noise = max(0.1, stream.normal(mean: 1, standardDeviation: 0.2))
    return min(max(factors[window] * noise, 0.05), 2)
  }
}
