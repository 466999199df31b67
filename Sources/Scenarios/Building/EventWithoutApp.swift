internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// An event of a scenario that has no app.
///
/// What only tells an app or a health store of something is left out, with a warning where the
/// scenario states it; what needs an app is an error at its place.
struct EventWithoutApp {
  private let item: Field
  private let kind: EventKind

  /// The event of an object, which is of that kind.
  init(_ item: Field, _ kind: EventKind) {
    self.item = item
    self.kind = kind
  }

  /// What of an occurrence happens.
  ///
  /// - Parameters:
  ///   - made: What the event makes.
  ///   - isFirst: Whether it is the first occurrence, of which problems are told.
  /// - Returns: What happens without an app.
  func happening(of made: [ScenarioEvent], isFirst: Bool) -> [ScenarioEvent] {
    let kept = untold(made, isFirst: isFirst).map(unlogged)
    for event in kept {
      if isFirst, let need = event.condition?.series.needOfApp { item["if"].needsApp(need) }
      guard let need = event.action.needOfApp else { continue }
      if isFirst { item[kind.name].needsApp(need, event.action.remedy) }
      return []
    }
    return kept
  }

  /// A meal or an injection without its entry.
  private func untold(_ made: [ScenarioEvent], isFirst: Bool) -> [ScenarioEvent] {
    guard kind.schema.companions.contains(where: { $0.name == "entry" }) else { return made }
    let entry = item["entry"]
    if isFirst, entry.exists, entry.node?.bool != false { entry.warnOfNoApp() }
    return made.filter { !$0.action.onlyTells }
  }

  /// A fingerstick that is taken down nowhere unless the scenario says where.
  private func unlogged(_ event: ScenarioEvent) -> ScenarioEvent {
    guard kind.name == "fingerstick", !item[kind.name]["entry"].exists,
      case .fingerstick(var request) = event.action
    else { return event }
    request.log = .none
    var unlogged = event
    unlogged.action = .fingerstick(request)
    return unlogged
  }
}

extension ScenarioEvent.Action {
  /// Whether it only tells the app or the health store of something that happened.
  var onlyTells: Bool {
    switch self {
    case .enterCarbs, .editCarbs, .deleteCarbs, .logDose, .writeToHealthStore: true
    default: false
    }
  }

  /// What to write in place of what needs an app; empty where there is nothing like it.
  fileprivate var remedy: String {
    guard case .bolus(let request) = self else { return "" }
    if case .recommended = request.amount {
      return "Write the units, or let the pump's \"calculator\" advise them."
    }
    return "Write by: 'pump' for the pump's own buttons."
  }
}
