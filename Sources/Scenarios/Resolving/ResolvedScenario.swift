import ScenarioLanguage
public import StructuredText

/// A scenario in which nothing is left to chance that can be settled before a run begins.
///
/// Daily events with jitter have their times, faults that come by chance have come or not, meals
/// of the behaviour block are events. Every run is built from such a tree, so that a person could
/// have written the same run by hand; ``FrozenScenario`` does.
public struct ResolvedScenario: Sendable {
  /// The whole scenario of one run.
  public var tree: JSONNode
  /// What chance made of what, by addresses such as `events[3]`.
  public var origins: [String: String] = [:]
}

/// Resolves what a scenario leaves to chance.
struct ScenarioResolver {
  /// The scenario as it is written, for what is wrong with it.
  let root: Field
  /// The seed of the run, from which the streams of chance are named.
  let seed: UInt64
  private let tree: JSONNode
  /// The streams of the events of the file, where chance has a part in it.
  private var streams: StreamNames?

  /// A resolver of a scenario, in a run with that seed.
  init(tree: JSONNode, root: Field, seed: UInt64) {
    self.tree = tree
    self.root = root
    self.seed = seed
    if hasChance { streams = .ofEvents(root["events"].node?.items ?? [], in: root.context) }
  }

  /// The times of events.
  var times: EventTimes { EventTimes(in: root.context, seed: seed) }

  /// An event or a fault, with what it was made from.
  struct Item {
    var node: JSONNode
    /// Where it stood in the file; nothing for one that was added.
    var place: Int?
    /// What chance made it from; nothing for one that is as it was written.
    var origin: String?
    /// What its streams are called where that is not its id.
    var stream: String?
  }

  /// The scenario without chance.
  ///
  /// What is wrong with events and faults is left for the builder to report; what is wrong with the
  /// parts that disappear here is reported here.
  func resolved() -> ResolvedScenario {
    guard streams != nil, tree.members != nil else { return ResolvedScenario(tree: tree) }
    let meals = BehaviourMeals(root: root, seed: seed).items()
    var events = resolvedEvents() + meals
    let faults = resolvedFaults(of: events)
    name(&events)
    var resolved = ResolvedScenario(tree: tree.removing(["behaviour"]))
    put(events, under: "events", in: &resolved)
    put(faults, under: "faults", in: &resolved)
    if let rest = tree["behaviour"]?.removing(["meals", "announce", "bolus"]),
      rest.members?.isEmpty == false
    {
      resolved.tree = resolved.tree.setting("behaviour", to: rest)
    }
    if let app = tree["app"], app["manualBolusAccept"] != nil {
      resolved.tree = resolved.tree.setting("app", to: app.removing(["manualBolusAccept"]))
    }
    return resolved
  }

  private var hasChance: Bool {
    root["behaviour"].exists || root["app"]["manualBolusAccept"].exists
      || root["events"].listed.contains { $0["at"]["jitter"].exists }
      || root["faults"].listed.contains { isUncertain($0) }
  }

  private func put(_ items: [Item], under key: String, in resolved: inout ResolvedScenario) {
    guard let list = tree[key] ?? items.first?.node,
      tree[key] == nil || list.items != nil
    else { return }
    for (place, item) in items.enumerated() {
      resolved.origins["\(key)[\(place)]"] = item.origin
    }
    resolved.tree = resolved.tree.setting(
      key, to: JSONNode(.array(items.map(\.node)), at: list.position))
  }

  /// Events that have moved in their list keep the name that their place gave them.
  private func name(_ events: inout [Item]) {
    for (place, item) in events.enumerated() {
      guard let former = item.place, former != place, item.node["id"] == nil,
        let id = defaultEventID(item.node, former)
      else { continue }
      events[place].node = item.node.setting("id", to: .string(id))
    }
  }

  private func defaultEventID(_ node: JSONNode, _ place: Int) -> String? {
    EventKind.names.first { node[$0] != nil }.map {
      EventKeys.name(of: node, kind: $0, at: place)
    }
  }

  /// A field that reports to nobody, and the list that it reports to.
  static func quiet(_ field: Field) -> (field: Field, problems: ProblemList) {
    let problems = ProblemList()
    return (field.reporting(to: problems), problems)
  }

  /// An event of the list, such as one that was made anew, that reports to nobody.
  static func quietEvent(
    _ node: JSONNode, at place: Int, in context: ReadingContext
  ) -> (field: Field, problems: ProblemList) {
    let problems = ProblemList()
    return (Field(node, at: "events[\(place)]", in: context, problems: problems), problems)
  }

  // MARK: - Events

  /// Daily events at their times, and recommended boluses that are taken or not.
  private func resolvedEvents() -> [Item] {
    let acceptance = BolusAcceptance(root: root, seed: seed)
    var items: [Item] = []
    var isUsed = false
    for (place, field) in root["events"].listed.enumerated() {
      guard let node = field.node else { continue }
      var item = Item(node: node, place: place)
      if node["id"] == nil { item.stream = streams?[place] }
      resolveTimes(of: field, in: &item)
      let split = acceptance?.resolved(item, place: place)
      isUsed = isUsed || split != nil
      items += split ?? [item]
    }
    if let acceptance, !isUsed { acceptance.reportUnused() }
    return items
  }

  private func resolveTimes(of field: Field, in item: inout Item) {
    guard field["at"]["jitter"].exists else { return }
    let (quiet, problems) = Self.quiet(field["at"])
    let name = "events.\(streams?[item.place ?? 0] ?? "")"
    let texts = times.instants(of: quiet, stream: name).map {
      TimeText.text(of: $0, in: root.context)
    }
    guard !problems.hasErrors else { return }
    item.node = item.node.setting("at", to: .texts(texts, at: item.node.position))
    item.origin = "the jitter of \(field["at"].path), \(field["at"].position)"
  }
}
