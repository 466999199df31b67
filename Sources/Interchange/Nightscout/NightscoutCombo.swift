internal import StructuredText

/// A bolus of which a part is given at once and the rest over a time.
///
/// Nightscout's form states the whole in `enteredinsulin`, its shares in percent, and in `insulin`
/// the part that is given at once; AndroidAPS states an extended bolus as one of which nothing is.
struct NightscoutCombo {
  /// What is given at once, in units.
  let now: Double
  /// What is given over the duration, in units.
  let extended: Double

  /// Reads a treatment; `nil` where it is no bolus of two parts, or its numbers cannot be read.
  init?(_ treatment: JSONNode) {
    func number(_ key: String) -> Double? { NightscoutAmounts.number(treatment[key]) }
    guard treatment["eventType"]?.string == "Combo Bolus", let whole = number("enteredinsulin"),
      (0...100).contains(whole)
    else { return nil }
    let stated = number("insulin") ?? number("splitNow").map { whole * $0 / 100 }
    let rest = number("splitExt").map { whole * $0 / 100 } ?? (whole - (stated ?? 0))
    let first = stated ?? (whole - rest)
    guard (0...100).contains(first), (0...100).contains(rest) else { return nil }
    (now, extended) = (first, rest)
  }

  /// Reads a treatment.
  init?(_ treatment: JSONField) {
    guard let node = treatment.node else { return nil }
    self.init(node)
  }
}
