internal import StructuredText

/// Words of the field that people write for keys of scenarios, and the keys that mean the same.
enum OtherWords {
  private static let keys = [
    "isf": "sensitivity", "insulinsensitivity": "sensitivity", "correctionfactor": "sensitivity",
    "cf": "sensitivity", "icr": "carbRatio", "cr": "carbRatio", "i2c": "carbRatio",
    "insulintocarbratio": "carbRatio", "carbs": "grams", "carbohydrates": "grams", "cho": "grams",
    "amount": "units", "insulin": "units", "dose": "units", "basalrate": "basal", "sensor": "cgm",
    "body": "patient", "subject": "patient", "controller": "app", "algorithm": "app",
    "loop": "app", "length": "duration", "days": "duration", "hours": "duration",
    "glucosetarget": "target", "correctionrange": "target", "threshold": "suspendThreshold",
    "lgs": "suspendThreshold", "tempbasal": "basal", "when": "at", "time": "at",
    "meals": "events", "boluses": "events", "injections": "events", "tir": "metric",
    "tbr": "metric", "tar": "metric", "timeinrange": "metric",
  ]

  /// The end of a sentence that offers the nearest key, or the key that means the same; empty
  /// without either.
  static func suggestion(for written: String, among names: [String]) -> String {
    if let key = keys[written.lowercased()], names.contains(key) {
      return " Did you mean \"\(key)\"?"
    }
    return NearestName.suggestion(for: written, among: names)
  }
}
