internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// A fault of the person that concerns one event.
struct Slip {
  let id: String
  let fault: UserFault

  /// The event with its slips: of what is forgotten nothing else is done, and told.
  static func changing(_ events: [ScenarioEvent], by slips: [Slip]) -> [ScenarioEvent] {
    let missed = slips.first { $0.fault.slip == .missed }
    return (missed.map { [$0] } ?? slips).reduce(events) { $1.changing($0) }
  }

  /// The names of what slips make a second time, be it only in other runs, by which later events
  /// may mean it.
  ///
  /// - Parameters:
  ///   - made: An event as it is planned.
  ///   - name: Its name.
  ///   - instant: When it is planned.
  ///   - doubles: The slips of the scenario as it is written; see ``doubles(in:)``.
  /// - Returns: The names.
  static func namesOfCopies(
    of made: [ScenarioEvent], called name: String, at instant: Instant, by doubles: [UserFaultSpec]
  ) -> [String] {
    let slips = doubles.filter { $0.means(name, at: instant) }.map {
      Slip(id: "", fault: UserFault(.doubled(after: .seconds(1)), of: $0.task, event: name))
    }
    guard !slips.isEmpty else { return [] }
    let own = Set(made.flatMap(\.names))
    return slips.reduce(made) { $1.changing($0) }.flatMap(\.names).filter { !own.contains($0) }
  }

  /// The faults of a scenario, as it is written, that may make something a second time.
  static func doubles(in faults: Field) -> [UserFaultSpec] {
    faults.listed.filter { $0[UserFaultSpec.schema.name].exists }.compactMap {
      guard let spec = UserFaultSpec($0.reporting(to: ProblemList())), spec.probability > 0,
        spec.share > 0
      else { return nil }
      var stream = RandomStream(seed: 0, name: "faults")
      guard case .doubled = spec.slip(&stream) else { return nil }
      return spec
    }
  }

  /// The event with the slip: what is done in the app changes, and a fault says so.
  func changing(_ events: [ScenarioEvent]) -> [ScenarioEvent] {
    guard let meant = events.first(where: isMeant) else { return events }
    let planned = meant.instant
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
      // What another slip has made a second time is not planned, and not made again.
      let copies = Set(events.filter(isMeant).map(\.id)).count
      let mark = String(repeating: "-again", count: copies)
      changed += events.filter { isMeant($0) && $0.id == meant.id }
        .map { $0.repeated(after: span, as: mark) }
    case .misjudged(let factor):
      for index in changed.indices where isMeant(changed[index]) {
        changed[index].action = changed[index].action.scaled(by: factor)
      }
    }
    var told = [
      ScenarioEvent(at: planned, id: id, .beginFault(Fault(id: id, .user(fault)))),
      ScenarioEvent(at: end, id: id, .endFault(id: id)),
    ]
    // What would not have been done when it was planned is done wrong in no way.
    for index in told.indices { told[index].condition = meant.condition }
    return told + changed
  }

  /// The slips of a scenario, in a run with that seed, by the event that each concerns.
  ///
  /// Every fault of a person is about one event by now; see ``ScenarioResolver``.
  static func byEvent(in faults: Field, seed: UInt64) -> [String: [Slip]] {
    var slips: [String: [Slip]] = [:]
    let items = faults.node?.items ?? []
    let ids = FaultKeys.names(of: items)
    for place in items.indices where faults[place][UserFaultSpec.schema.name].exists {
      let quiet = faults[place].reporting(to: ProblemList())
      guard let spec = UserFaultSpec(quiet), spec.probability > 0,
        let event = spec.match?.first
      else { continue }
      var stream = RandomStream(seed: seed, name: "faults")
      let fault = UserFault(spec.slip(&stream), of: spec.task, event: event)
      slips[event, default: []].append(Slip(id: ids[place], fault: fault))
    }
    return slips
  }

  private func isMeant(_ event: ScenarioEvent) -> Bool {
    switch event.action {
    case .enterCarbs: fault.task == .meal
    case .bolus, .recordBolus: fault.task == .bolus
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
  /// Its name and that of the entry that it makes; none where it begins or ends a fault, which has
  /// a name among the faults.
  fileprivate var names: [String] {
    switch action {
    case .beginFault, .endFault: []
    case .enterCarbs(let request): [id, request.name]
    case .bolus(let request): [id, request.name]
    default: [id]
    }
  }

  /// The same again, under a name of its own that ends with a mark.
  fileprivate func repeated(after span: TimeSpan, as mark: String) -> ScenarioEvent {
    var copy = self
    copy.instant += span
    copy.id += mark
    switch action {
    case .enterCarbs(var request):
      request.name += mark
      copy.action = .enterCarbs(request)
    case .bolus(var request):
      request.name += mark
      copy.action = .bolus(request)
    default: break
    }
    return copy
  }
}

extension ScenarioEvent.Action {
  /// The same with another amount.
  fileprivate func scaled(by factor: Double) -> Self {
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
