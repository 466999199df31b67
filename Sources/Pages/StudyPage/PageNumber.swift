internal import Studies

/// Numbers as the page of a study shows them.
enum PageNumber {
  /// A number with a true minus sign, whole from 1,000 on; a dash where there is none.
  static func text(_ value: Double?, _ decimals: Int, signed: Bool = false) -> String {
    guard let value else { return "–" }
    let decimals = value.magnitude >= 1_000 ? 0 : decimals
    return StudyNumber.fixed(value, decimals, signed: signed).replacing("-", with: "−")
  }

  /// A p, which is never naught: below the last decimal it says so, as in `< 0.01`.
  static func p(_ value: Double?, _ decimals: Int) -> String {
    let shown = text(value, decimals)
    guard value != nil, shown == text(0, decimals) else { return shown }
    return "< \(shown.dropLast())1"
  }

  /// An interval in brackets; an end that there is not is a dash.
  static func interval(_ interval: IntervalOfMean?, _ decimals: Int) -> String {
    guard let interval else { return "–" }
    func end(_ value: Double?) -> String {
      text(value, (value?.magnitude ?? 0) >= 100 ? 0 : decimals)
    }
    return "[\(end(interval.lower)), \(end(interval.upper))]"
  }
}
