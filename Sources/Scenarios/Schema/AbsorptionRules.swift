import ScenarioLanguage
import StructuredText

/// How long food takes to be taken up, where nobody heeds it: bodies with a stomach of their own
/// know that, and the app alone is told it, if at all.
struct AbsorptionRules {
  let root: Field
  /// The model of the body.
  private let model: String
  private let hasApp: Bool

  init(root: Field) {
    self.root = root
    model = root["patient"]["model"].node?.string ?? ""
    hasApp = root.hasApp
  }

  /// The models whose equations empty the stomach at a speed of their own.
  ///
  /// All others take up a meal as fast as it says: minimal models have a chain for each speed.
  private static let modelsWithAStomach: Set = ["uva-padova-s2008", "uva-padova-s2013", "hovorka"]

  private static let notTold = "no app is told of this meal"

  private static func told(by key: String) -> String { "the app is told what \"\(key)\" says" }

  func check() {
    for event in root["events"].listed {
      if let node = event.node { warn(event["meal"], reasonToIgnore(absorptionOf: node)) }
    }
    for meal in root["history"]["carbs"].listed {
      let isTold = hasApp && meal["entered"].node?.bool != false
      warn(meal, isTold ? nil : Self.notTold)
    }
    let (behaviour, announce) = (root["behaviour"], root["behaviour"]["announce"])
    for meal in behaviour["meals"].listed {
      let isTold = hasApp && announce["probability"].node?.double != 0
      let isTyped = announce["absorption"].exists
      warn(meal, isTold ? isTyped ? Self.told(by: "announce.absorption") : nil : Self.notTold)
    }
    let rescue = behaviour["rescue"]
    warn(rescue, rescue["entry"].node?.bool == true ? nil : Self.notTold)
  }

  /// Why nobody heeds how long the food of an event takes; `nil` where somebody does.
  func reasonToIgnore(absorptionOf event: JSONNode) -> String? {
    guard Self.modelsWithAStomach.contains(model) else { return nil }
    guard hasApp, event["entry"]?.bool != false else { return Self.notTold }
    return event["entry"]?["absorption"] == nil ? nil : Self.told(by: "entry.absorption")
  }

  private func warn(_ food: Field, _ reason: String?) {
    guard let reason, Self.modelsWithAStomach.contains(model) else { return }
    food["absorption"].warnOfNoEffect(
      "\"absorption\" has no effect: the model \(model) knows itself how fast food is taken up, "
        + "and \(reason).")
  }
}
