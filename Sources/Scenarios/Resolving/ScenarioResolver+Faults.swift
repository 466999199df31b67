internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

extension ScenarioResolver {
  /// Whether a fault comes by chance, or is one of the person's.
  func isUncertain(_ fault: Field) -> Bool {
    fault["every"].exists || fault["user"].exists || drawsItsLength(fault)
      || (fault["probability"].exists && fault["probability"].node?.double != 1)
  }

  /// Whether a fault lasts between two spans.
  private func drawsItsLength(_ fault: Field) -> Bool {
    FaultComponent.names.contains { component in
      (fault[component].node?.statedMembers ?? []).contains { $0.value["duration"]?.items != nil }
    }
  }

  /// The faults that come, each with its time; those of the person, each with its event.
  func resolvedFaults(of events: [Item]) -> [Item] {
    let tasks = tasks(of: events)
    let ids = FaultKeys.names(of: root["faults"].node?.items ?? [])
    var items: [Item] = []
    for (place, field) in root["faults"].listed.enumerated() {
      guard let node = field.node else { continue }
      let kept = Item(node: node, place: place)
      guard isUncertain(field) else {
        items.append(kept)
        continue
      }
      let found =
        field["user"].exists
        ? slips(of: field, id: ids[place], among: tasks) : arrivals(of: field, id: ids[place])
      guard let found else {
        items.append(kept)
        continue
      }
      // A fault that does not come keeps its name, because the expectations may speak of it that
      // are read with it; a frozen copy has neither.
      let origin = "\(field.path), \(field.position)"
      items +=
        found.isEmpty
        ? [Item(node: node.setting("probability", to: .integer(0)), place: place, origin: origin)]
        : found.map { Item(node: $0, origin: origin) }
    }
    // Among other faults an unnamed one would be counted anew.
    for (index, item) in items.enumerated() {
      guard let place = item.place, item.node["id"] == nil, item.node.members != nil else {
        continue
      }
      items[index].node = item.node.setting("id", to: .string(ids[place]))
    }
    return items
  }

  /// The times at which a fault comes, as faults of their own; nothing when it has errors.
  private func arrivals(of field: Field, id: String) -> [JSONNode]? {
    let (quiet, problems) = Self.quiet(field)
    guard let component = FaultComponent.all.first(where: { field[$0.name].exists }),
      let node = field.node, let fault = component.form.read(quiet[component.name])
    else { return nil }
    let spans = FaultTimes(in: root.context, seed: seed).spans(
      of: quiet, length: fault.length, id: id)
    guard !problems.hasErrors else { return nil }
    return spans.enumerated().map { count, span in
      let start = TimeText.text(of: span.start, in: root.context)
      let time: (key: String, value: JSONNode.Value) =
        span.end.map {
          ("during", .texts([start, "\($0 - span.start)"], at: node.position))
        } ?? ("at", .string(start))
      let name = count == 0 ? id : OccurrenceName.numbered(id, count + 1)
      let resolved = JSONNode([("id", .string(name)), time], at: node.position)
      let rest = withoutLength(
        node.removing(["id", "at", "during", "every", "probability"]), component.name)
      return (rest.members ?? []).reduce(resolved) { $0.setting($1.key, to: $1.value) }
    }
  }

  /// A fault whose kind does not say how long it lasts, because its time does.
  private func withoutLength(_ node: JSONNode, _ component: String) -> JSONNode {
    guard let kinds = node[component], let kind = FaultKeys.kind(in: kinds),
      FaultKeys.ends.contains(where: { kind.value[$0] != nil })
    else { return node }
    let bare = kinds.setting(kind.key, to: kind.value.removing(Set(FaultKeys.ends)).value)
    return node.setting(component, to: bare.value)
  }

  // MARK: - What the person does wrong

  /// Something a person does with the app: the entry of a meal, or a bolus.
  struct Task {
    var task: UserFault.Task
    var name: String
    /// What its stream is called.
    var stream: String
    var instant: Instant
  }

  /// Those of the list of events as it is written, whether a person takes the boluses or not.
  private var plannedTasks: [Task] {
    tasks(
      of: root["events"].listed.enumerated().compactMap { place, field in
        field.node.map { Item(node: $0, place: place) }
      })
  }

  private func tasks(of events: [Item]) -> [Task] {
    events.enumerated().flatMap { place, item -> [Task] in
      let task: UserFault.Task
      if item.node["meal"] != nil, item.node["entry"]?.bool != false {
        task = .meal
      } else if item.node["bolus"] != nil {
        task = .bolus
      } else {
        return []
      }
      let (event, _) = Self.quietEvent(item.node, at: place, in: root.context)
      return times.occurrences(of: event, kind: task.rawValue, place: item.place ?? place)
        .enumerated().map { count, occurrence in
          // The acceptance of a bolus has told its occurrences apart already.
          let isOne = item.place == nil
          let stream = item.stream.map { isOne ? $0 : "\($0)/\(count + 1)" }
          return Task(
            task: task, name: occurrence.name, stream: stream ?? occurrence.name,
            instant: occurrence.instant)
        }
    }
  }

  /// What the behaviour block calls its meals or boluses, whether they come on any day or not.
  private func dailyNames(of task: UserFault.Task) -> [String] {
    let field = root["behaviour"]
    let names = (field["meals"].node?.items ?? []).enumerated().map { place, meal in
      BehaviourMeals.name(of: meal, at: place)
    }
    switch task {
    case .meal: return names
    case .bolus: return field["bolus"].exists ? names.map { BehaviourMeals.bolusName(of: $0) } : []
    }
  }

  /// The slips that happen, as faults of their own; nothing when the fault has errors.
  private func slips(of field: Field, id: String, among tasks: [Task]) -> [JSONNode]? {
    guard let spec = UserFaultSpec(field) else { return nil }
    if spec.probability == 0 { return [] }
    let possible = tasks.filter { $0.task == spec.task }
    let daily = dailyNames(of: spec.task)
    // A bolus that is not taken cannot go wrong, and is meant all the same.
    let planned = plannedTasks.filter { $0.task == spec.task }
    let known = (possible + planned).map { OccurrenceName.id(of: $0.name) } + daily
    for name in spec.match ?? []
    where !known.contains(OccurrenceName.id(of: name)) {
      field["user"].error(
        "There is no \(spec.task.rawValue) \"\(name)\" that a person could get wrong."
          + NearestName.suggestion(for: name, among: known))
      return nil
    }
    let meant = possible.filter { spec.means($0.name, at: $0.instant) }
    if meant.isEmpty, daily.isEmpty,
      !planned.contains(where: { spec.means($0.name, at: $0.instant) })
    {
      field.warnOfNoEffect(
        "The fault has no effect: there is no \(spec.task.rawValue) that it concerns.")
    }
    var chance = RandomStream(seed: seed, name: "faults.\(id)")
    guard chance.bernoulli(spec.probability) else { return [] }
    var found: [JSONNode] = []
    for task in meant {
      var stream = RandomStream(seed: seed, name: "faults.\(id).\(task.stream)")
      guard stream.bernoulli(spec.share) else { continue }
      let name = found.isEmpty ? id : OccurrenceName.numbered(id, found.count + 1)
      found.append(
        UserFaultSpec.node(
          spec.slip(&stream), of: task.task, event: task.name, id: name,
          at: field.position))
    }
    return found
  }
}
