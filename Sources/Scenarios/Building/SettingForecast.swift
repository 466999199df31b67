internal import ClosedLoop
internal import Devices
internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Which settings of a run make no difference, as far as that is known before it.
struct SettingForecast {
  let root: Field
  /// The pump.
  let choice: PumpChoice
  /// The sensor.
  let sensor: SensorChoice
  /// What is programmed.
  let therapy: TherapySettings
  /// What happens, faults included, in any order.
  let events: [ScenarioEvent]
  /// From when the world lives.
  let beginning: Instant
  /// Until when the run is looked at.
  let end: Instant

  /// Warns of what has no effect.
  func warn() {
    warnOfPumpStart()
    warnOfLateSensor()
    warnOfNeeds()
    warnOfChildsInsulin()
    // What a program does is not known before.
    guard root.hasApp, !root["controller"].exists else { return }
    warnOfRereporting()
    warnOfLongSegments()
    warnOfMidAbsorption()
  }

  /// When a pump was put on matters to what ends with its age, and to pulses at intervals.
  private func warnOfPumpStart() {
    guard let activation = choice.activation else { return }
    let (field, profile) = (root["pump"]["startedAt"], choice.profile)
    if activation > end {
      field.warnOfNoEffect("\"pump.startedAt\" has no effect: it comes after the end of the run.")
    } else if activation <= beginning, profile.life == nil, profile.basalInterval == nil {
      field.warnOfNoEffect(
        "\"pump.startedAt\" has no effect: the \(profile.name) was put on before the run, and "
          + "nothing about it goes by its age.")
    }
  }

  /// A sensor that is put in so late that no reading of it comes, nor of one that replaces it.
  private func warnOfLateSensor() {
    let field = root["cgm"]["startedAt"]
    guard field.exists, sensor.recording == nil else { return }
    let replacements = events.compactMap { event in
      if case .sensor(.replace) = event.action { event.instant } else { nil }
    }
    let warmUp = sensor.profile.warmUp
    guard ([sensor.insertion] + replacements).allSatisfy({ $0 + warmUp > end }) else { return }
    let after = warmUp > .zero ? ", after a warm-up of \(warmUp)" : ""
    field.warnOfNoEffect(
      "The sensor shows nothing in this run: its first reading comes after the end\(after).")
  }

  /// What a body with equations of its own needs serves a therapy that says less.
  private func warnOfNeeds() {
    guard let model = root["patient"]["model"].node?.string,
      PatientDescription.Model.names.contains(model),
      ["basal", "sensitivity", "carbRatio"].allSatisfy({ root["therapy"][$0].exists })
    else { return }
    root["patient"]["needs"].warnOfNoEffect(
      "\"patient.needs\" has no effect: the body acts by the equations of \(model), and the "
        + "therapy says basal, sensitivity and carbRatio itself.")
  }

  private func warnOfChildsInsulin() {
    let insulin = root["patient"]["insulinType"]
    guard insulin.node?.string == "rapidActingChild" else { return }
    insulin.warnOfNoEffect(
      "\"patient.insulinType\" has no effect: rapid-acting insulin acts as the model has it, also "
        + "a child's.")
  }

  // MARK: - Records

  private func warnOfRereporting() {
    let field = root["healthStore"]["rereportDeleted"]
    guard field.node?.bool == false, !events.contains(where: \.mayDeleteSamples) else { return }
    field.warnOfNoEffect(
      "\"healthStore.rereportDeleted\" has no effect: nothing is deleted in the health store.")
  }

  private func warnOfLongSegments() {
    let field = root["healthStore"]["splitLongSegments"]
    guard field.node?.bool == false, end - beginning < .days(1) else { return }
    field.warnOfNoEffect(
      "\"healthStore.splitLongSegments\" has no effect: only segments of a day or longer are "
        + "divided, and this run is shorter.")
  }

  // MARK: - Algorithm

  /// At the middle of its absorption a dose has the sensitivity of its beginning, where there is
  /// one alone.
  private func warnOfMidAbsorption() {
    let field = root["app"]["midAbsorptionISF"]
    let values = therapy.sensitivity.entries.map(\.value)
    guard field.node?.bool == true, values.allSatisfy({ $0 == values[0] }),
      !events.contains(where: \.mayChangeSensitivity)
    else { return }
    field.warnOfNoEffect(
      "\"app.midAbsorptionISF\" has no effect: the sensitivity is the same all day.")
  }
}

extension ScenarioEvent {
  /// Whether samples of the app may disappear from the health store.
  fileprivate var mayDeleteSamples: Bool {
    switch action {
    case .delete(let request): request.place != .eventHistory
    case .beginFault(let fault): if case .healthStore = fault.effect { true } else { false }
    case .reinstallApp, .restoreHealthStore: true
    default: false
    }
  }

  /// Whether the sensitivity that the app goes by may become another.
  fileprivate var mayChangeSensitivity: Bool {
    switch action {
    case .startPreset, .remote, .reinstallApp: true
    case .changeSettings(let change): change.sensitivity != nil
    case .beginFault(let fault): if case .app = fault.effect { true } else { false }
    default: false
    }
  }
}
