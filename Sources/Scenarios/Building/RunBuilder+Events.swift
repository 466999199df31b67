internal import ClosedLoop
internal import Devices
internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// The name of an event: its id, or its kind with its place.
  static func eventID(of node: JSONNode?, kind: String, at place: Int) -> String {
    node?[EventKeys.shared.id.name]?.string ?? "\(kind)-\(place + 1)"
  }

  /// When an event happens, and what each occurrence is called.
  func occurrences(
    of item: Field, kind: String, place: Int
  ) -> [(name: String, instant: Instant)] {
    let id = Self.eventID(of: item.node, kind: kind, at: place)
    let instants = times(item.required(EventKeys.shared.at.name), stream: "events.\(id)")
    return instants.enumerated().map { count, instant in
      (instants.count > 1 ? OccurrenceName.numbered(id, count + 1) : id, instant)
    }
  }

  /// An event of the list, such as one that was made anew.
  func event(_ node: JSONNode, at place: Int) -> Field {
    let json = JSONField(
      node: node, path: "events[\(place)]", problems: problems, isRequired: true,
      position: node.position)
    return Field(json, in: root.context)
  }

  /// Reads the list `events`.
  func events() -> [ScenarioEvent] {
    guard root["events"].exists, let items = root["events"].items() else { return [] }
    var events: [ScenarioEvent] = []
    let slips = slips()
    for (index, item) in items.enumerated() {
      guard item.node?.members != nil else {
        item.reportUnusable(expected: "an event such as { at: '18:30', meal: { grams: 45 } }")
        continue
      }
      let found = EventKind.all.filter { item[$0.name].exists }
      // A meal or an injection may have an entry beside it.
      let primary = found.filter { kind in
        !found.contains { $0.schema.companions.contains { $0.name == kind.name } }
      }
      guard primary.count == 1, let kind = primary.first else {
        item.reportMisshapen(ScenarioSchema.event)
        continue
      }
      let keys = EventKeys.shared
      item.allowOnly((keys.all + [kind.schema] + kind.schema.companions).map(\.name))
      _ = item[keys.id]
      let occasions = occurrences(of: item, kind: kind.name, place: index)
      for (count, (name, instant)) in occasions.enumerated() {
        let anchored = item.anchored(at: instant)
        let on = Occasion(builder: self, item: anchored, instant: instant, id: name)
        var made = kind.form.read(anchored[kind.name])?(on) ?? []
        if let condition = item[keys.condition]?.condition(of: name) {
          for place in made.indices { made[place].condition = condition }
        }
        made = withoutApp(made, of: kind, in: item, isFirst: count == 0)
        events += (slips[name] ?? []).reduce(made) { $1.changing($0) }
      }
    }
    return Self.multiplyingResistances(events)
  }
}
