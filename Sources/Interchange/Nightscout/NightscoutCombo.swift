internal import StructuredText

/// A bolus of which a part is given at once and the rest over a time.
///
/// Nightscout's form states the whole in `enteredinsulin`, its shares in percent, and in `insulin`
/// the part that is given at once; AndroidAPS states an extended bolus as one of which nothing is.
/// Where the whole is not stated it follows from that part and its share, or from `relative`, the
/// rate of the rest in U/h.
struct NightscoutCombo {
  /// What is given at once, in units.
  let now: Double
  /// What is given over the duration, in units.
  let extended: Double

  /// The name of the event.
  private static let event = "Combo Bolus"

  /// Reads a treatment; `nil` where it is no bolus of two parts, or its numbers cannot be read.
  init?(_ treatment: JSONNode) {
    func number(_ key: String) -> Double? { NightscoutAmounts.number(treatment[key]) }
    guard treatment["eventType"]?.string == Self.event else { return nil }
    let shared = number("insulin").flatMap { insulin in
      number("splitNow").flatMap { $0 > 0 ? insulin * 100 / $0 : nil }
    }
    let slow = number("relative").flatMap { rate in
      number("duration").map { (number("insulin") ?? 0) + rate * $0 / 60 }
    }
    guard let whole = number("enteredinsulin") ?? shared ?? slow, (0...100).contains(whole)
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
    if node["eventType"]?.string == Self.event { Self.reportNumbers(of: treatment) }
    self.init(node)
  }

  /// Reports numbers that are there and cannot be read: without them a part would be lost.
  private static func reportNumbers(of treatment: JSONField) {
    for (key, unit) in [("enteredinsulin", "U"), ("splitNow", "%"), ("splitExt", "%")] {
      guard let node = treatment[key].node, !node.isNull else { continue }
      _ = treatment[key].looseNumber(in: 0...100, unit: unit)
    }
  }
}
