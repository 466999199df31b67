public import Quantities
internal import StructuredText

/// Writes glucose in a page's unit, so that a button can change all of it.
public struct GlucoseWords: Sendable {
  /// The unit in which glucose is written.
  public let unit: GlucoseUnit

  /// Writes glucose in a unit.
  public init(_ unit: GlucoseUnit) { self.unit = unit }

  private var isMolar: Bool { unit == .millimolesPerLitre }

  /// The name of the unit.
  public var unitName: Markup { "<span data-unit>\(unit.rawValue)</span>" }

  /// A concentration: whole mg/dL, or mmol/L with one decimal.
  public func value(_ mgdL: Double) -> Markup {
    "<span data-mg=\"\(Self.exact(mgdL))\">\(PageSentence.withMinus(text(mgdL)))</span>"
  }

  /// A concentration in mg/dL as the script rounds it: with one decimal, or as many more as it
  /// takes to be rounded as the concentration itself is, in either unit.
  private static func exact(_ mgdL: Double) -> String {
    let units = [GlucoseUnit.milligramsPerDecilitre, .millimolesPerLitre].map(Self.init)
    let texts = (1...15).lazy.map { FixedDecimal.text(mgdL, decimals: $0) }
    let fitting = texts.first { text in
      Double(text).map { kept in units.allSatisfy { $0.text(kept) == $0.text(mgdL) } } ?? false
    }
    return fitting ?? mgdL.description
  }

  /// A range of the consensus, written as in mg/dL; the bounds in mmol/L are those of the
  /// consensus.
  public func range(_ mgdL: String) -> Markup {
    "<span data-rng=\"\(mgdL)\">\(rangeText(mgdL))</span>"
  }

  /// The same without markup.
  public func rangeText(_ mgdL: String) -> String {
    isMolar ? Self.molarRanges.first { $0.mgdL == mgdL }?.mmolL ?? mgdL : mgdL
  }

  /// The ranges of the international consensus in both units.
  ///
  /// Battelino and others, Diabetes Care 42 (2019) 1593–1603.
  static let molarRanges: [(mgdL: String, mmolL: String)] = [
    (">250", ">13.9"), ("181–250", "10.1–13.9"), ("70–180", "3.9–10.0"), ("54–69", "3.0–3.8"),
    ("<54", "<3.0"), ("<70", "<3.9"), (">180", ">10.0"),
  ]

  /// A concentration without markup, for sentences that no button changes.
  public func text(_ mgdL: Double) -> String {
    isMolar
      ? FixedDecimal.text(mgdL / unit.mgdL, decimals: 1) : FixedDecimal.text(mgdL, decimals: 0)
  }
}
