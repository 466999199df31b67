internal import ClosedLoop
internal import Expectations
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// A scenario without an app: `app: 'none'`.
///
/// What cannot be without one is an error at its place; what events and faults need is told by
/// `needOfApp`. What only tells an app or a health store of something is left out, and a warning
/// where the scenario states it.
extension RunBuilder {
  /// Whether the scenario has an app.
  var hasApp: Bool { root.hasApp }

  /// Reports blocks that need an app, and settings that have no effect without one.
  ///
  /// It looks at the scenario before chance is resolved, in which nothing has disappeared.
  func checkWithoutApp() {
    guard !hasApp else { return }
    if root["controller"].exists { root["controller"].needsApp("A program that decides") }
    if root["healthStore"].node?.members?.isEmpty == false {
      root["healthStore"].needsApp("The health store")
    }
    checkBehaviourWithoutApp(root["behaviour"])
    checkFaultsWithoutApp(root["faults"])
    checkTherapyWithoutApp(root["therapy"])
    for key in ["commLatency", "history"] where root["pump"][key].exists {
      noEffect(root["pump"][key])
    }
    if root["history"]["glucose"].exists { noEffect(root["history"]["glucose"]) }
    for place in (root["history"]["carbs"].node?.items ?? []).indices {
      let meal = root["history"]["carbs"][place]
      if meal["entered"].node?.bool == true { noEffect(meal["entered"]) }
      if meal["eaten"].node?.bool == false { meal.needsApp("A meal that is entered and not eaten") }
    }
  }

  /// Settings of the therapy without effect are told together: a scenario inherits many.
  private func checkTherapyWithoutApp(_ therapy: Field) {
    let unused = unusedTherapy.filter { therapy[$0].exists }
    guard let first = unused.first else { return }
    guard unused.count > 1 else { return noEffect(therapy[first]) }
    let names = unused.map { "\"\(therapy[$0].path)\"" }.joined(separator: ", ")
    therapy[first].warning(
      code: "W-NOEFFECT",
      "\(names) have no effect without an app (app: '\(Field.noApp)').")
  }

  private func noEffect(_ field: Field) {
    field.warning(
      code: "W-NOEFFECT",
      "\"\(field.path)\" has no effect without an app (app: '\(Field.noApp)').")
  }

  private func checkBehaviourWithoutApp(_ behaviour: Field) {
    if behaviour["bolus"].exists { behaviour["bolus"].needsApp("A bolus that is recommended") }
    if behaviour["correction"].exists {
      behaviour["correction"].needsApp(Behaviour.Correction.needOfApp)
    }
    if behaviour["rescue"]["entry"].node?.bool == true {
      behaviour["rescue"]["entry"].needsApp(Behaviour.Rescue.needOfEntry)
    }
    if behaviour["announce"].exists { noEffect(behaviour["announce"]) }
  }

  /// Faults are told of here, before chance makes several of one.
  private func checkFaultsWithoutApp(_ faults: Field) {
    for place in (faults.node?.items ?? []).indices {
      let item = faults[place]
      let quiet = item.reporting(to: ProblemList())
      let slip = UserFaultSpec.schema.name
      if item[slip].exists, UserFaultSpec(quiet)?.task == .meal {
        item[slip].needsApp("A slip with an entry of carbohydrate")
      }
      for component in FaultComponent.all where item[component.name].exists {
        let need = component.form.read(quiet[component.name])?.effect.needOfApp
        if let need { item[component.name].needsApp(need) }
      }
    }
  }

  /// The settings of the therapy that only an app, or the calculator of a pump, goes by.
  private var unusedTherapy: [String] {
    let usesCalculator = (root["events"].node?.items ?? []).contains {
      $0["bolus"]?["calculator"] != nil
    }
    let ofCalculator = ["sensitivity", "carbRatio", "target"]
    return (usesCalculator ? [] : ofCalculator) + [
      "suspendThreshold", "maxBolus", "preMealTarget", "workoutTarget", "presets",
    ]
  }

  // MARK: - Events

  /// What of an event happens without an app.
  ///
  /// - Parameters:
  ///   - made: What the event makes.
  ///   - kind: Its kind.
  ///   - item: Its object.
  ///   - isFirst: Whether it is the first occurrence, of which problems are told.
  /// - Returns: What happens without an app.
  func withoutApp(
    _ made: [ScenarioEvent], of kind: EventKind, in item: Field, isFirst: Bool
  ) -> [ScenarioEvent] {
    guard !hasApp else { return made }
    var kept = made
    let field = item[kind.name]
    if kind.schema.companions.contains(where: { $0.name == "entry" }) {
      kept.removeAll(where: \.action.onlyTells)
      let entry = item["entry"]
      if isFirst, entry.exists, entry.node?.bool != false { noEffect(entry) }
    }
    if kind.name == "fingerstick", !field["entry"].exists {
      for index in kept.indices {
        guard case .fingerstick(var request) = kept[index].action else { continue }
        request.log = .none
        kept[index].action = .fingerstick(request)
      }
    }
    for event in kept {
      if isFirst, let need = event.condition?.series.needOfApp { item["if"].needsApp(need) }
      guard let need = event.action.needOfApp else { continue }
      if isFirst { field.needsApp(need, event.action.remedy) }
      return []
    }
    return kept
  }

  /// What of the past happened without an app: doses and meals, of which nothing was told.
  func withoutApp(_ past: [ScenarioEvent]) -> [ScenarioEvent] {
    hasApp ? past : past.filter { !$0.action.onlyTells }
  }
}

extension ScenarioEvent.Action {
  /// Whether it only tells the app or the health store of something that happened.
  fileprivate var onlyTells: Bool {
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

// MARK: - Results

extension OutputSelection.File {
  /// Whether only an app has what it holds.
  public var needsApp: Bool {
    switch self {
    case .basalSegments, .eventHistory, .insulinDelivery, .healthStore, .settings, .cycles,
      .predictions:
      true
    case .timeline, .happenings, .ledger, .doses, .pulses: false
    }
  }
}

extension RunBuilder {
  /// Leaves out of the results what only an app has; what the scenario asks for of it is an error.
  func withoutApp(_ output: OutputBlock) -> OutputBlock {
    guard !hasApp else { return output }
    var output = output
    let (save, series) = (root["output"]["save"], root["output"]["series"])
    for place in (save.node?.items ?? []).indices {
      guard let word = save[place].node?.string,
        OutputSelection.File(rawValue: word)?.needsApp ?? OutputSelection.words.contains(word)
      else { continue }
      save[place].needsApp("The result '\(word)'")
    }
    for place in (series.node?.items ?? []).indices {
      let name = series[place].node?.string.flatMap { SeriesExpression.Name(rawValue: $0) }
      if let need = name?.needOfApp { series[place].needsApp(need) }
    }
    output.selection.files = output.selection.files.filter { !$0.needsApp }
    return output
  }
}
