public import Determinism
public import Quantities
import StructuredText

extension Field {
  /// A number, or a law by which one is drawn: `{ uniform: [a, b] }`, `{ normal: { mean, sd } }`,
  /// `{ lognormal: { median, sigma } }`, `{ choices: […] }`.
  ///
  /// Normal laws may have limits, `min` and `max`; a number outside the range is drawn from none.
  public func law(
    in range: ClosedRange<Double> = -1e12...1e12, unit: String = ""
  ) -> Distribution? {
    law(in: range) {
      $0.number(in: range, unit: unit)
    } spread: {
      $0.number(in: 0...max(range.upperBound, 0), unit: unit)
    }
  }

  /// A span of time that is fixed or drawn, in milliseconds.
  public func durationLaw(
    in range: ClosedRange<TimeSpan> = .days(-36_525)...(.days(36_525))
  ) -> Distribution? {
    let limits = Double(range.lowerBound.milliseconds)...Double(range.upperBound.milliseconds)
    return law(in: limits) {
      $0.duration(in: range).map { Double($0.milliseconds) }
    } spread: {
      $0.duration(in: .zero...(.days(36_525))).map { Double($0.milliseconds) }
    }
  }

  private func law(
    in range: ClosedRange<Double>, _ read: (Field) -> Double?, spread: (Field) -> Double?
  ) -> Distribution? {
    guard let members = node?.statedMembers else { return read(self).map { .constant($0) } }
    allowOnly(["uniform", "normal", "lognormal", "choices"])
    guard members.count == 1 else {
      reportUnusable(
        expected: "a value, { uniform: [a, b] }, { normal: {…} }, { lognormal: {…} } or "
          + "{ choices: […] }")
      return nil
    }
    if self["uniform"].exists { return self["uniform"].uniform(read) }
    if self["choices"].exists { return self["choices"].choices(read) }
    if self["normal"].exists { return self["normal"].normal(in: range, read, spread) }
    return self["lognormal"].exists ? self["lognormal"].logNormal(in: range, read) : nil
  }

  private func uniform(_ read: (Field) -> Double?) -> Distribution? {
    let bounds = (items() ?? []).compactMap(read)
    guard bounds.count == 2, node?.items?.count == 2, bounds[0] <= bounds[1] else {
      // One that cannot be used is told where it stands.
      if node?.items?.count == 2, bounds.count < 2 { return nil }
      reportUnusable(expected: "a list of two values, the lower one first")
      return nil
    }
    return .uniform(bounds[0]...bounds[1])
  }

  private func choices(_ read: (Field) -> Double?) -> Distribution? {
    let values = (items() ?? []).compactMap(read)
    guard !values.isEmpty, values.count == node?.items?.count else {
      if node?.items?.isEmpty == false { return nil }
      reportUnusable(expected: "a list of at least one value")
      return nil
    }
    return .choices(values)
  }

  private func normal(
    in range: ClosedRange<Double>, _ read: (Field) -> Double?, _ spread: (Field) -> Double?
  ) -> Distribution? {
    allowOnly(["mean", "sd", "min", "max"])
    let (mean, deviation) = (read(required("mean")), spread(required("sd")))
    guard let limits = limits(in: range, read), let mean, let deviation else { return nil }
    if deviation == 0, limits.contains(mean) { return .constant(mean) }
    return possible(.normal(mean: mean, standardDeviation: deviation, within: limits))
  }

  private func logNormal(in range: ClosedRange<Double>, _ read: (Field) -> Double?) -> Distribution?
  {
    allowOnly(["median", "sigma", "min", "max"])
    let (median, sigma) = (read(required("median")), required("sigma").number(in: 0...5))
    guard let limits = limits(in: range, read), let median, let sigma else { return nil }
    guard median > 0 else {
      self["median"].error("The median of a lognormal law is above zero.")
      return nil
    }
    if sigma == 0, limits.contains(median) { return .constant(median) }
    return possible(.logNormal(median: median, sigma: sigma, within: limits))
  }

  /// The limits of a law: what the key takes, made narrower by `min` and `max`.
  private func limits(
    in range: ClosedRange<Double>, _ read: (Field) -> Double?
  ) -> ClosedRange<Double>? {
    let low = self["min"].exists ? read(self["min"]) : range.lowerBound
    let high = self["max"].exists ? read(self["max"]) : range.upperBound
    guard let low, let high else { return nil }
    guard low < high else {
      self[self["max"].exists ? "max" : "min"].error("The upper limit must be above the lower one.")
      return nil
    }
    return low...high
  }

  /// The law, unless hardly anything of it lies within its limits.
  private func possible(_ law: Distribution) -> Distribution? {
    guard law.shareWithinLimits >= 0.001 else {
      error(
        """
        Less than one draw in a thousand of "\(path)" lies within its limits. Widen them, or move \
        the law.
        """)
      return nil
    }
    return law
  }
}
