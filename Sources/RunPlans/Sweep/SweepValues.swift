import Determinism
import Quantities
import ScenarioLanguage
import StructuredText

/// Reads the values of one address in a sweep.
///
/// They are a list, `{ from, to, step }`, `{ from, to, n, scale: 'log' }` or
/// `{ normal: { mean, sd, n } }`; in a list or a range spans of time may stand in place of numbers.
struct SweepValues {
  /// The most values of one address.
  static let maximumCount = 100_000

  let name: String
  let seed: UInt64
  let problems: ProblemList
  /// Whether the values are amounts or rates of insulin, which are whole thousandths of a unit.
  let isInsulin: Bool

  /// A value that was computed or drawn, as it can be where it is set.
  static func usable(_ value: Double, isInsulin: Bool) -> Double {
    isInsulin ? (value * 1_000).rounded() / 1_000 : value
  }

  func read(_ node: JSONNode) -> [JSONNode]? {
    if let items = node.items {
      guard !items.isEmpty else {
        problems.error(at: node.position, "The list of values for \"\(name)\" is empty.")
        return nil
      }
      return items
    }
    let field = JSONField(node, at: "sweep.\(name)", problems: problems)
    guard node.members != nil else {
      field.reportUnusable(
        expected: "a list of values, { from, to, step }, { from, to, n } or { normal: … }")
      return nil
    }
    guard !isPartOfPath(node) else { return nil }
    if field["normal"].exists {
      field.allowOnly(["normal"])
      return normal(field["normal"])
    }
    field.allowOnly(Self.keysOfRange)
    return range(field)
  }

  private static let keysOfRange = ["from", "to", "step", "n", "scale"]

  /// Whether an object says nothing of values, but goes on with the path to a setting, as it would
  /// outside of a sweep; that is reported.
  private func isPartOfPath(_ node: JSONNode) -> Bool {
    let keys = node.statedMembers ?? []
    // Laws of which nothing is drawn here are no settings either.
    let known = Self.keysOfRange + ["normal", "uniform", "lognormal", "choices"]
    guard let first = keys.first, !keys.contains(where: { known.contains($0.key) }) else {
      return false
    }
    problems.error(
      at: first.keyPosition,
      "\"\(first.key)\" says nothing of the values of \"\(name)\". A setting within it is swept "
        + "by its whole path: '\(name).\(first.key)'.")
    return true
  }

  // MARK: - Ranges

  private func range(_ field: JSONField) -> [JSONNode]? {
    let (first, last) = (bound(field.required("from")), bound(field.required("to")))
    guard let from = first, let to = last else {
      if field["step"].exists { _ = bound(field["step"]) }
      return nil
    }
    guard from.isSpan == to.isSpan else {
      field["to"].reportUnusable(expected: "the same kind of value as \"from\"")
      return nil
    }
    let values: [Double]?
    if field["step"].exists {
      guard !field["n"].exists, !field["scale"].exists else {
        field.error("A range has either \"step\" or \"n\" with \"scale\", not both.")
        return nil
      }
      values = stepped(from, to.value, field["step"])
    } else if !field["n"].exists, !field["scale"].exists {
      field.error("A range needs a \"step\", or \"n\" for how many values it has.")
      return nil
    } else {
      values = counted(from.value, to.value, field)
    }
    return values?.map { exact in
      if from.isSpan {
        let span = TimeSpan(milliseconds: Int64(exact.rounded()))
        return JSONNode(.string(span.description), at: field.position)
      }
      let value = Self.usable(exact, isInsulin: isInsulin)
      if let whole = Int64(exactly: value) { return JSONNode(.integer(whole), at: field.position) }
      return JSONNode(.number(value), at: field.position)
    }
  }

  private func bound(_ field: JSONField) -> (value: Double, isSpan: Bool)? {
    guard let text = field.node?.string else {
      return field.number(in: -1e12...1e12).map { ($0, false) }
    }
    guard let span = SpanText.milliseconds(of: text) else {
      field.reportUnusable(expected: "a number or a span of time such as '5m'")
      return nil
    }
    return (Double(span), true)
  }

  private func stepped(
    _ start: (value: Double, isSpan: Bool), _ to: Double, _ field: JSONField
  ) -> [Double]? {
    guard let bound = bound(field) else { return nil }
    guard bound.isSpan == start.isSpan else {
      field.reportUnusable(
        expected: start.isSpan ? "a span of time, as \"from\" is" : "a number, as \"from\" is")
      return nil
    }
    let (from, step) = (start.value, bound.value)
    guard step != 0, (to - from) / step >= 0 else {
      field.error("\"step\" must lead from \"from\" towards \"to\".")
      return nil
    }
    let steps = ((to - from) / step + 1e-9).rounded(.down)
    guard steps < Double(Self.maximumCount) else {
      field.error("This makes more than \(Self.maximumCount) values; take a longer step.")
      return nil
    }
    assert(steps >= 0, "A range has a value or more.")
    let largest = max(from.magnitude, to.magnitude)
    return (0...Int(steps)).map {
      $0 == 0 ? from : Self.tidy(from + Double($0) * step, upTo: largest)
    }
  }

  private func counted(_ from: Double, _ to: Double, _ field: JSONField) -> [Double]? {
    guard let count = field.required("n").integer(in: 2...Int64(Self.maximumCount)) else {
      return nil
    }
    let scale = field["scale"].exists ? field["scale"].choice(of: ["linear", "log"]) : "linear"
    guard let scale else { return nil }
    assert(count >= 2, "A range that is counted has two ends.")
    let fractions = (0..<count).map { Double($0) / Double(count - 1) }
    func ranging(_ value: (Double) -> Double) -> [Double] {
      fractions.map { $0 == 0 ? from : $0 == 1 ? to : value($0) }
    }
    guard scale == "log" else {
      let largest = max(from.magnitude, to.magnitude)
      return ranging { Self.tidy(from + $0 * (to - from), upTo: largest) }
    }
    guard from > 0, to > 0 else {
      field.error("A logarithmic range needs \"from\" and \"to\" above zero.")
      return nil
    }
    let ratio = PortableMath.log(to / from)
    return ranging { from * PortableMath.exp($0 * ratio) }
  }

  /// The nearest number in decimals of which the largest value of a range has thirteen digits, so
  /// that steps of 0.1 give 0.3 and not 0.30000000000000004.
  private static func tidy(_ value: Double, upTo largest: Double) -> Double {
    var (scale, rest) = (1e12, largest)
    while rest >= 10, scale > 1 { (scale, rest) = (scale / 10, rest / 10) }
    // Powers of ten are exact up to this one.
    while rest < 1, scale < 1e22 { (scale, rest) = (scale * 10, rest * 10) }
    return (value * scale).rounded() / scale
  }

  // MARK: - Draws

  private func normal(_ field: JSONField) -> [JSONNode]? {
    field.allowOnly(["mean", "sd", "n"])
    let mean = field.required("mean").number(in: -1e12...1e12)
    let deviation = field.required("sd").number(in: 0...1e12)
    let count = field.required("n").integer(in: 1...Int64(Self.maximumCount))
    guard let mean, let deviation, let count else { return nil }
    var stream = RandomStream(seed: seed, name: "sweep.\(name)")
    return (0..<count).map { _ in
      let drawn = stream.normal(mean: mean, standardDeviation: deviation)
      return JSONNode(.number(Self.usable(drawn, isInsulin: isInsulin)), at: field.position)
    }
  }
}
