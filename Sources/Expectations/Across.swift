internal import Outcomes
internal import StructuredText

/// How the runs of a scenario's sweep, cohort and replicates are looked at together.
public enum Across: Hashable, Sendable {
  /// Each run by itself.
  case each
  /// Every run must pass.
  case all
  /// The mean of the runs' values must lie within the bounds.
  case mean
  /// A quantile of the runs' values must, from 0 to 1.
  case quantile(Double)
  /// At least this share of the runs must pass, from 0 to 1.
  case fraction(Double)

  /// The forms, for sentences.
  static let forms = "'each', 'all', 'mean', 'p05', 'p95' or 'fraction>=0.95'"

  /// Reads a word such as `p05` or `fraction>=0.95`; nothing for another.
  public init?(_ text: String) {
    switch text {
    case "each": self = .each
    case "all": self = .all
    case "mean": self = .mean
    default:
      let digits = text.dropFirst()
      if text.hasPrefix("p"), digits.utf8.count == 2,
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let percent = Int(digits),
        percent > 0
      {
        self = .quantile(Double(percent) / 100)
      } else if text.hasPrefix("fraction>="), let share = Double(decimal: text.dropFirst(10)),
        share > 0, share <= 1
      {
        self = .fraction(share)
      } else {
        return nil
      }
    }
  }

  /// Whether the values of the runs become one, which needs a form that has a value.
  var needsValues: Bool {
    switch self {
    case .mean, .quantile: true
    case .each, .all, .fraction: false
    }
  }

  /// What the values of the runs come to, in the order of the runs; nothing without values.
  func value(of values: [Double]) -> Double? {
    switch self {
    case .mean: Statistics.mean(values)
    case .quantile(let share): Statistics.quantile(values, share)
    case .each, .all, .fraction: nil
    }
  }

  /// The name of what the values come to: "mean", "p05".
  var valueName: String {
    guard case .quantile(let share) = self else { return "mean" }
    let percent = Int((share * 100).rounded())
    return percent < 10 ? "p0\(percent)" : "p\(percent)"
  }
}
