public import Determinism
import Quantities
import StructuredText

/// A number that is fixed or drawn anew each time.
public enum NumberLaw: Hashable, Sendable {
  case constant(Double)
  case uniform(Double, Double)
  case normal(mean: Double, standardDeviation: Double)
  case choices([Double])

  /// Draws a number; a constant leaves the stream as it is.
  public func draw(from stream: inout RandomStream) -> Double {
    switch self {
    case .constant(let value): value
    case .uniform(let low, let high): low + (high - low) * stream.unit()
    case .normal(let mean, let deviation):
      stream.normal(mean: mean, standardDeviation: deviation)
    case .choices(let values): values[Int(stream.integer(below: UInt64(values.count)))]
    }
  }
}

extension Field {
  /// A number, or `{ uniform: [a, b] }`, `{ normal: { mean, sd } }`, `{ choices: […] }`.
  public func law(in range: ClosedRange<Double>, unit: String = "") -> NumberLaw? {
    law { $0.number(in: range, unit: unit) }
  }

  /// A span of time that is fixed or drawn, in milliseconds; it may be negative.
  public func durationLaw() -> NumberLaw? {
    law { $0.signedDuration().map { Double($0.milliseconds) } }
  }

  private func law(_ read: (Field) -> Double?) -> NumberLaw? {
    guard let members = node?.members else { return read(self).map { .constant($0) } }
    allowOnly(["uniform", "normal", "choices"])
    guard members.count == 1 else {
      reportUnusable(expected: "a value, { uniform: [a, b] }, { normal: {…} } or { choices: […] }")
      return nil
    }
    if self["uniform"].exists {
      let bounds = (self["uniform"].items() ?? []).compactMap(read)
      guard bounds.count == 2, bounds[0] <= bounds[1] else {
        self["uniform"].reportUnusable(expected: "a list of two values, the lower one first")
        return nil
      }
      return .uniform(bounds[0], bounds[1])
    }
    if self["choices"].exists {
      let values = (self["choices"].items() ?? []).compactMap(read)
      guard !values.isEmpty, values.count == self["choices"].node?.items?.count else {
        self["choices"].reportUnusable(expected: "a list of at least one value")
        return nil
      }
      return .choices(values)
    }
    let normal = self["normal"]
    guard normal.exists else { return nil }
    normal.allowOnly(["mean", "sd"])
    guard let mean = read(normal.required("mean")), let deviation = read(normal.required("sd"))
    else { return nil }
    return .normal(mean: mean, standardDeviation: deviation)
  }
}
