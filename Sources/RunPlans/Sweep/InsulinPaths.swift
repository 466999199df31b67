internal import ScenarioLanguage

/// The addresses at which a scenario has insulin, whose amounts and rates are whole thousandths.
///
/// What a sweep computes or draws for them is rounded to that.
struct InsulinPaths {
  /// The keys as the reference has them, such as `events[].bolus.units`.
  let keys: Set<String>

  /// Whether an address leads to insulin, or into a schedule of it.
  func contains(_ path: ScenarioPath) -> Bool {
    var text = ""
    for part in path.parts {
      switch part {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index, .item: text += "[]"
      }
    }
    while !keys.contains(text) {
      guard text.hasSuffix("[]") else { return false }
      text.removeLast(2)
    }
    return true
  }
}
