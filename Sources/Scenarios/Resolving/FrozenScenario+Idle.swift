internal import ScenarioLanguage
internal import StructuredText

/// What is left out of a frozen scenario because it has no effect in it.
extension FrozenScenario {
  /// Leaves out the faults that did not come, of which the check would say that they never do.
  ///
  /// - Parameters:
  ///   - tree: The scenario.
  ///   - origins: What chance made of what, by addresses, which follow the places of the faults.
  static func removeAbsentFaults(
    from tree: inout JSONNode, _ origins: inout [String: String]
  ) {
    guard let list = tree["faults"], let faults = list.items else { return }
    var kept: [JSONNode] = []
    for (place, fault) in faults.enumerated() {
      let origin = origins.removeValue(forKey: "faults[\(place)]")
      if fault["probability"]?.double == 0 { continue }
      // No later fault has this place yet: as many are gone as it has moved.
      if let origin { origins["faults[\(kept.count)]"] = origin }
      kept.append(fault)
    }
    guard kept.count < faults.count else { return }
    tree =
      kept.isEmpty
      ? tree.removing(["faults"])
      : tree.setting("faults", to: JSONNode(.array(kept), at: list.position))
  }

  /// The scenario without how long food takes where no app is told that, in a body that knows it.
  static func withoutIdleAbsorption(_ tree: JSONNode) -> JSONNode {
    guard let list = tree["events"], let events = list.items else { return tree }
    let rules = AbsorptionRules(root: Field(tree, problems: ProblemList()))
    let told = events.map { event -> JSONNode in
      guard let meal = event["meal"], meal.members != nil,
        rules.reasonToIgnore(absorptionOf: event) != nil
      else { return event }
      return event.setting("meal", to: meal.removing(["absorption"]))
    }
    return tree.setting("events", to: JSONNode(.array(told), at: list.position))
  }
}
