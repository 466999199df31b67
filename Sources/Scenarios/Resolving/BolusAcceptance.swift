internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// Which recommended boluses of the list `events` a person takes: `app.manualBolusAccept`.
struct BolusAcceptance {
  private let field: Field
  private let seed: UInt64
  private let rule: Rule

  /// How likely a bolus is taken, and from how many units on.
  struct Rule: Sendable {
    var probability: Double
    var minimumUnits: Double
  }

  static let form = Form<Rule>.object {
    let probability = $0.key(
      "probability", .fraction, default: "1.0", "How likely a recommended bolus is taken.")
    let least = $0.key(
      "minUnits", .units(0...30), default: "0.05", "The smallest that is accepted.")
    return { Rule(probability: $0[probability], minimumUnits: $0[least].units) }
  }

  /// Reads the block, in a run with that seed; nothing when the scenario has none.
  init?(root: Field, seed: UInt64) {
    field = root["app"]["manualBolusAccept"]
    guard field.exists, let rule = Self.form.read(field) else { return nil }
    self.seed = seed
    self.rule = rule
  }

  /// The event as the person decides; nothing for one that is no recommended bolus.
  func resolved(_ item: ScenarioResolver.Item, place: Int) -> [ScenarioResolver.Item]? {
    guard let bolus = item.node["bolus"], bolus["take"]?.string == "recommended" else {
      return nil
    }
    var node = item.node
    if bolus["minUnits"] == nil {
      node = node.setting("bolus", to: bolus.setting("minUnits", to: .written(rule.minimumUnits)))
    }
    let origin = "\(field.path), \(field.position)"
    let (event, problems) = ScenarioResolver.quietEvent(node, at: place, in: field.context)
    let occurrences = EventTimes(in: field.context, seed: seed)
      .occurrences(of: event, kind: "bolus", place: place)
    guard rule.probability < 1, !problems.hasErrors else {
      return [ScenarioResolver.Item(node: node, place: item.place, origin: item.origin)]
    }
    return occurrences.enumerated().map { count, occurrence in
      let (name, instant) = occurrence
      let stream = item.stream.map { "\($0)/\(count + 1)" }
      var chance = RandomStream(
        seed: seed, name: "behaviour.accept.\(stream ?? name)")
      var one = node.setting("id", to: .string(name)).setting(
        "at", to: .string(TimeText.text(of: instant, in: field.context)))
      if !chance.bernoulli(rule.probability) {
        one = one.removing(["bolus"]).setting("remark", to: .string(Self.refusal))
      }
      return ScenarioResolver.Item(node: one, origin: origin, stream: stream)
    }
  }

  /// What stands in the timeline where a recommended bolus is not taken.
  static let refusal = "The recommended bolus is not taken."

  /// Warns that the scenario has no bolus that could be accepted or not.
  func reportUnused() {
    field.warnOfNoEffect(
      "\"\(field.path)\" has no effect: no event is a bolus with take: 'recommended'.")
  }
}
