internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// A fault of the person that concerns one event.
struct Slip {
  var id: String
  var fault: UserFault

  /// The event with the slip: what is done in the app changes, and a fault says so.
  func changing(_ events: [ScenarioEvent]) -> [ScenarioEvent] {
    guard let planned = events.first(where: isMeant)?.instant else { return events }
    var changed = events
    var end = planned
    switch fault.slip {
    case .missed: changed.removeAll(where: isMeantOrFollows)
    case .late(let span):
      end = planned + span
      for index in changed.indices where isMeantOrFollows(changed[index]) {
        changed[index].instant += span
      }
    case .doubled(let span):
      changed += events.filter(isMeant).map { $0.repeated(after: span) }
    case .misjudged(let factor):
      for index in changed.indices where isMeant(changed[index]) {
        changed[index].action = changed[index].action.scaled(by: factor)
      }
    }
    return [
      ScenarioEvent(at: planned, id: id, .beginFault(Fault(id: id, .user(fault)))),
      ScenarioEvent(at: end, id: id, .endFault(id: id)),
    ] + changed
  }

  private func isMeant(_ event: ScenarioEvent) -> Bool {
    switch event.action {
    case .enterCarbs: fault.task == .meal
    case .bolus: fault.task == .bolus
    default: false
    }
  }

  /// Whether the event is the one meant, or changes what it makes.
  private func isMeantOrFollows(_ event: ScenarioEvent) -> Bool {
    switch event.action {
    case .editCarbs, .deleteCarbs: fault.task == .meal
    default: isMeant(event)
    }
  }
}

extension ScenarioEvent {
  /// The same again, under a name of its own.
  func repeated(after span: TimeSpan) -> ScenarioEvent {
    var copy = self
    copy.instant += span
    copy.id += "-again"
    switch action {
    case .enterCarbs(var request):
      request.name += "-again"
      copy.action = .enterCarbs(request)
    case .bolus(var request):
      request.name += "-again"
      copy.action = .bolus(request)
    default: break
    }
    return copy
  }
}

extension ScenarioEvent.Action {
  /// The same with another amount.
  func scaled(by factor: Double) -> Self {
    switch self {
    case .enterCarbs(var request):
      request.grams *= factor
      return .enterCarbs(request)
    case .bolus(var request):
      request.amount =
        switch request.amount {
        case .units(let units): .units(units * factor)
        case .recommended(let scale, let cap): .recommended(scale: scale * factor, cap: cap)
        case .calculated(let calculator, let scale, let cap):
          .calculated(calculator, scale: scale * factor, cap: cap)
        }
      return .bolus(request)
    default: return self
    }
  }
}

extension RunBuilder {
  /// The slips of the person, by the event that each concerns.
  ///
  /// Every fault of a person is about one event by now; see ``ScenarioResolver``.
  func slips() -> [String: [Slip]] {
    var slips: [String: [Slip]] = [:]
    let ids = Self.faultIDs(of: root["faults"].node?.items ?? [])
    for (place, item) in (root["faults"].node?.items ?? []).indices.map({ ($0, root["faults"][$0]) }
    )
    where item["user"].exists {
      let quiet = item.reporting(to: ProblemList())
      guard let spec = UserFaultSpec(quiet), spec.probability > 0,
        let event = spec.match?.first
      else { continue }
      var stream = RandomStream(seed: seed, name: "faults")
      let fault = UserFault(spec.slip(&stream), of: spec.task, event: event)
      slips[event, default: []].append(Slip(id: ids[place], fault: fault))
    }
    return slips
  }
}
