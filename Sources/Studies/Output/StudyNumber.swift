internal import ScenarioLanguage
internal import StructuredText

/// Numbers as a study prints them.
public enum StudyNumber {
  /// A number without a needless fraction.
  public static func text(_ value: Double) -> String { CaseRow.text(value) }

  /// A value of a sweep in a few characters.
  static func setting(_ node: JSONNode) -> String {
    node.string ?? JSONWriter(style: .json5).line(JSONValue(node))
  }

  /// What a value of a sweep is sorted by where that is not its text: a span by how long it is, so
  /// that `30m` comes before `2h`.
  public static func order(ofSetting text: String) -> String? {
    SpanText.milliseconds(of: text).map { "\($0)" }
  }

  /// A confidence in percent with at most one decimal: `95`, `97.5`, `98.3`.
  public static func confidence(_ percent: Double) -> String {
    let text = fixed(percent, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A number with a fixed number of decimals, without a sign where all of them are 0; an end that
  /// is missing is "none".
  public static func fixed(_ value: Double?, _ decimals: Int, signed: Bool = false) -> String {
    guard let value else { return "none" }
    let text = FixedDecimal.text(value.magnitude, decimals: decimals)
    let isZero = text.allSatisfy { $0 == "0" || $0 == "." }
    if value < 0, !isZero { return "-" + text }
    return signed && !isZero ? "+" + text : text
  }
}
