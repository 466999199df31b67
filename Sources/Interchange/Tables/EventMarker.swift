internal import StructuredText

/// What a person marked in the app of a sensor of Medtronic, such as `Meal: 60,00grams`.
struct EventMarker {
  /// The number of a meal as it stands there; `nil` for what is no meal in grams.
  private(set) var grams: String?
  /// Why nothing is read of it.
  let reason: String

  /// Reads the words of a marker; `nil` where there is none.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0).trimmed.lowercased() }
    switch parts[0] {
    case "insulin":
      reason = "insulin of an event marker, which does not say of what kind it is"
    case "meal" where parts.count == 2 && parts[1].hasSuffix("grams"):
      grams = String(parts[1].dropLast(5)).trimmed
      reason = "a meal without grams"
    default: reason = "event markers other than meals in grams"
    }
  }
}
