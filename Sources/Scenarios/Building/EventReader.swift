internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Reads the list `events`: what happens in a run, with the person's slips in it.
struct EventReader {
  private let root: Field
  private let times: EventTimes
  private let travel: WallClock
  private let slips: [String: [Slip]]
  private let doubles: [UserFaultSpec]

  /// Creates a reader of the events of a scenario.
  ///
  /// - Parameters:
  ///   - root: The scenario.
  ///   - times: When things come in its run.
  ///   - travel: The phone's clock, with its changes of zone.
  ///   - slips: What the person does wrong, by the event that each slip concerns.
  ///   - doubles: What the person may do twice, in this run or in others.
  init(
    root: Field, times: EventTimes, travel: WallClock, slips: [String: [Slip]],
    doubles: [UserFaultSpec]
  ) {
    self.root = root
    self.times = times
    self.travel = travel
    self.slips = slips
    self.doubles = doubles
  }

  /// What happens, in the order of the file.
  func events() -> [ScenarioEvent] {
    guard root["events"].exists, let items = root["events"].items() else { return [] }
    let reactions = BehaviourBlock.reactions.filter { root["behaviour"][$0].exists }
    var names = TakenNames(noun: "event", numbered: reactions)
    return items.enumerated().flatMap { place, item in events(of: item, at: place, &names) }
  }

  private func events(
    of item: Field, at place: Int, _ names: inout TakenNames
  ) -> [ScenarioEvent] {
    guard let kind = kind(of: item) else { return [] }
    let keys = EventKeys.shared
    item.allowOnly((keys.all + [kind.schema] + kind.schema.companions).map(\.name))
    _ = item[keys.id]
    let occasions = times.occurrences(of: item, kind: kind.name, place: place)
    names.take(occasions.map(\.name), by: item)
    takeEntry(of: item, madeBy: occasions.map(\.name), &names)
    var events: [ScenarioEvent] = []
    for (count, (name, instant)) in occasions.enumerated() {
      let anchored = item.anchored(at: instant)
      let on = Occasion(root: root, travel: travel, item: anchored, instant: instant, id: name)
      var made = kind.form.read(anchored[kind.name])?(on) ?? []
      if let condition = item[keys.condition]?.condition(of: name) {
        for index in made.indices { made[index].condition = condition }
      }
      if !root.hasApp {
        made = EventWithoutApp(item, kind).happening(of: made, isFirst: count == 0)
      }
      let lived = Slip.changing(made, by: slips[name] ?? [])
      names.take(
        Slip.namesOfCopies(of: made, called: name, at: instant, by: doubles), by: item)
      events += lived
    }
    return events
  }

  /// Takes the names of the entries of an event whose entry has an id of its own.
  private func takeEntry(
    of item: Field, madeBy occurrences: [String], _ names: inout TakenNames
  ) {
    let entry = item["entry"]
    guard let id = entry["id"].node?.string else { return }
    let own = occurrences.map { OccurrenceName.of(id, madeBy: $0) }
    if own != occurrences { names.take(own, by: entry) }
  }

  /// The kind of an event, of which it has just one; reports what is none.
  private func kind(of item: Field) -> EventKind? {
    guard let node = item.node, node.members != nil else {
      item.reportUnusable(expected: "an event such as { at: '18:30', meal: { grams: 45 } }")
      return nil
    }
    let found = EventKind.all.filter { node[$0.name] != nil }
    // A meal or an injection may have an entry beside it.
    let primary = found.filter { kind in
      !found.contains { $0.schema.companions.contains { $0.name == kind.name } }
    }
    guard primary.count == 1 else {
      item.reportMisshapen(ScenarioSchema.event)
      return nil
    }
    return primary.first
  }
}
