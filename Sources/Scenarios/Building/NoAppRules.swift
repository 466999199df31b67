internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What a scenario without an app (`app: 'none'`) must not have, and what has no effect in it.
///
/// They look at the scenario before chance is resolved, in which nothing has disappeared. What
/// events need is told where they are read; see ``EventWithoutApp``.
struct NoAppRules {
  private let root: Field

  /// The rules for a scenario.
  init(root: Field) { self.root = root }

  /// Reports blocks that need an app, and settings that have no effect without one.
  func check() {
    guard !root.hasApp else { return }
    root["controller"].needsApp("A program that decides")
    if root["healthStore"].node?.statedMembers?.isEmpty == false {
      root["healthStore"].needsApp("The health store")
    }
    checkBehaviour(root["behaviour"])
    checkFaults(root["faults"])
    checkTherapy(root["therapy"])
    for key in ["commLatency", "history"] { root["pump"][key].warnOfNoApp() }
    checkHistory(root["history"])
  }

  private func checkHistory(_ history: Field) {
    history["glucose"].warnOfNoApp()
    for meal in history["carbs"].listed {
      if meal["entered"].node?.bool == true { meal["entered"].warnOfNoApp() }
      if meal["eaten"].node?.bool == false, meal["entered"].node?.bool != false {
        meal.needsApp("A meal that is entered and not eaten")
      }
    }
  }

  /// Settings of the therapy without effect are told together: a scenario inherits many.
  private func checkTherapy(_ therapy: Field) {
    let unused = unusedTherapy(therapy).filter(\.exists)
    guard let first = unused.first else { return }
    guard unused.count > 1 else { return first.warnOfNoApp() }
    let names = unused.map { "\"\($0.path)\"" }.joined(separator: ", ")
    first.warnOfNoEffect("\(names) have no effect without an app (app: '\(Field.noApp)').")
  }

  private func checkBehaviour(_ behaviour: Field) {
    behaviour["bolus"].needsApp("A bolus that is recommended")
    behaviour["correction"].needsApp(Behaviour.Correction.needOfApp)
    if behaviour["rescue"]["entry"].node?.bool == true {
      behaviour["rescue"]["entry"].needsApp(Behaviour.Rescue.needOfEntry)
    }
    behaviour["announce"].warnOfNoApp()
  }

  /// Faults are told of here, before chance makes several of one.
  private func checkFaults(_ faults: Field) {
    for item in faults.listed {
      let quiet = item.reporting(to: ProblemList())
      let slip = UserFaultSpec.schema.name
      if UserFaultSpec(quiet)?.task == .meal {
        item[slip].needsApp("A slip with an entry of carbohydrate")
      }
      for component in FaultComponent.all where item[component.name].exists {
        let need = component.form.read(quiet[component.name])?.effect.needOfApp
        if let need { item[component.name].needsApp(need) }
      }
      // Nobody files readings by their stamps, or takes them in later.
      for key in [item["cgm"]["timestamp"]["shift"], item["cgm"]["dropout"]["backfill"]] {
        key.warnOfNoApp()
      }
    }
  }

  /// The settings of the therapy that only an app, or the calculator of a pump, goes by.
  private func unusedTherapy(_ therapy: Field) -> [Field] {
    let usesCalculator = root["events"].listed.contains { $0["bolus"]["calculator"].exists }
    let scale = therapy["scale"]
    let ofCalculator = [
      therapy["sensitivity"], therapy["carbRatio"], therapy["target"], scale["sensitivity"],
      scale["carbRatio"],
    ]
    let ofApp = [
      "suspendThreshold", "maxBasal", "maxBolus", "preMealTarget", "workoutTarget", "presets",
    ]
    return (usesCalculator ? [] : ofCalculator) + ofApp.map { therapy[$0] }
  }
}
