internal import ClosedLoop
internal import Devices
internal import Quantities
internal import Simulation
internal import StructuredText

/// The pump of a run.
struct PumpChoice {
  var profile: PumpProfile
  /// What the reservoir holds; full when the scenario does not say.
  var reservoir: InsulinAmount?
  /// When the pump was put on; nothing when it is put on as the world begins.
  var activation: Instant?
  /// What its clock gains in a day.
  var clockDrift: TimeSpan?
  /// What the app goes by to know what it delivered.
  var dataSource: InsulinDataSource
  /// How long a command takes to reach it.
  var commandLatency: TimeSpan
}

extension RunBuilder {
  /// Reads the block `pump`.
  func pump() -> PumpChoice? {
    let field = root["pump"]
    field.allowOnly([
      "model", "pulse", "basalStep", "bolusStep", "reservoir", "capacity", "life", "startedAt",
      "history", "commLatency", "clockDrift", "residual",
    ])
    guard let profile = PumpProfile(reading: field) else { return nil }
    let choice = PumpChoice(
      profile: profile, reservoir: field["reservoir"].units(),
      activation: field["startedAt"].time(),
      clockDrift: field["clockDrift"].exists ? field["clockDrift"].durationPerDay() : nil,
      dataSource: dataSource(of: profile),
      commandLatency: field.standard("commLatency") { $0.duration() })
    if let reservoir = choice.reservoir, reservoir > profile.reservoirCapacity {
      field["reservoir"].error(
        """
        The reservoir of the \(profile.name) holds at most \(profile.reservoirCapacity), \
        not \(reservoir).
        """)
    }
    if let life = profile.life, let activation = choice.activation,
      activation + life.end <= root.context.start
    {
      field["startedAt"].error(
        """
        The \(profile.name) stops \(life.end) after it was put on, before the run starts. \
        Put it on later.
        """)
    }
    return choice
  }

  /// What insulin on board follows from, with a warning where the pump does not tell its level.
  private func dataSource(of profile: PumpProfile) -> InsulinDataSource {
    let field = root["pump"]
    let word = field.standard("history") { $0.choice(of: ["complete", "reservoir"]) }
    guard word == "reservoir" else { return .pumpHistory }
    if case .upTo(let level) = profile.reservoirReporting {
      field["history"].warning(
        code: "W-NOEFFECT",
        """
        history: 'reservoir' has no effect while the reservoir holds more than \(level): the \
        \(profile.name) does not tell its level then.
        """)
    }
    return .reservoir
  }

  /// What the block `pump` makes happen: a pump put on after the world began, a clock that drifts.
  func pumpEvents(_ choice: PumpChoice, from beginning: Instant) -> [ScenarioEvent] {
    var events: [ScenarioEvent] = []
    if let activation = choice.activation, activation > beginning {
      events.append(
        ScenarioEvent(at: activation, id: "pump", .pump(.replaceReservoir(choice.reservoir))))
    }
    if let drift = choice.clockDrift, drift != .zero {
      events.append(
        ScenarioEvent(
          at: beginning, id: "pump-clock",
          .beginFault(Fault(id: "pump-clock", .pump(.clockDrift(perDay: drift))))))
    }
    return events
  }
}

extension PumpProfile {
  /// Reads the model of a block `pump`, and what the block changes of it.
  ///
  /// Returns nothing when the model is unknown or the steps do not fit the pulse.
  init?(reading field: Field) {
    guard let model = field["model"].exists ? field["model"].pump() : "generic",
      let named = PumpProfile.named(model == "generic" ? "generic50" : model)
    else { return nil }
    self = named
    let rules: [(String, ResidualRule)] = [
      ("resetOnCommand", .resetOnCommand), ("resetOnRateChange", .resetOnRateChange),
      ("carry", .carry), ("resetOnTempStart", .resetOnTempStart), ("scheduleGrid", .scheduleGrid),
    ]
    if let word = field["residual"].choice(of: rules.map(\.0)) {
      residualRule = rules.first { $0.0 == word }?.1 ?? residualRule
    }
    if let capacity = field["capacity"].units() { reservoirCapacity = capacity }
    if let wear = field["life"].duration() {
      let grace = life.map { ($0.imminent - $0.advisory, $0.end - $0.advisory) }
      life = PumpLife(
        advisory: wear, imminent: wear + (grace?.0 ?? .zero), end: wear + (grace?.1 ?? .zero))
    }
    guard changeSteps(as: field) else { return nil }
  }

  /// Takes over another pulse and other steps; false when the steps are not whole pulses.
  private mutating func changeSteps(as field: Field) -> Bool {
    guard ["pulse", "basalStep", "bolusStep"].contains(where: { field[$0].exists }) else {
      return true
    }
    if let wanted = field["pulse"].units() { pulse = wanted }
    if let step = field["basalStep"].rate()?.milliunitsPerHour {
      basalRates = basalRates.inSteps(of: step)
      tempBasal.rates = tempBasal.rates.inSteps(of: step)
    }
    let own = InsulinAmount(milliunits: bolusVolumes.smallest)
    let isOwnStepWhole = own.flooredToMultiple(of: pulse) == own
    let step = field["bolusStep"].units() ?? (isOwnStepWhole ? own : pulse)
    guard step.flooredToMultiple(of: pulse) == step else {
      field["bolusStep"].error(
        "A step of \(step) is not a whole number of pulses of \(pulse). Choose a multiple.")
      return false
    }
    if step != own { bolusVolumes = bolusVolumes.inSteps(of: step.milliunits) }
    name += ", changed by the scenario"
    return true
  }
}

extension Field {
  /// The name of a pump.
  ///
  /// `omnipod` alone is refused: OmniKit's and OmniBLE's `Pod.swift` give Eros and DASH different
  /// basal rates.
  func pump() -> String? {
    guard node?.string == "omnipod" else { return choice(of: Vocabulary.pumps) }
    error(
      """
      There are several Omnipods: write 'omnipodDASH', which can be scheduled to give nothing, or \
      'omnipodEros' or 'omnipod5', whose scheduled rates begin at 0.05 U/h.
      """)
    return nil
  }
}
