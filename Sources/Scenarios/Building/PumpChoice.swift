internal import ClosedLoop
internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The pump of a run.
struct PumpChoice: Sendable {
  var profile: PumpProfile
  /// What the reservoir holds; full when the scenario does not say.
  var reservoir: InsulinAmount?
  /// When the pump was put on; nothing when it is put on as the world begins.
  var activation: Instant?
  /// What its clock gains in a day.
  var clockDrift: TimeSpan
  /// What the app goes by to know what it delivered.
  var dataSource: InsulinDataSource
  /// How long a command takes to reach it.
  var commandLatency: TimeSpan

  /// The name of the fault that a clock is which drifts from the beginning to the end.
  static let driftName = "pump-clock"

  /// The pump of a scenario; `nil` when the model is unknown or the steps do not fit the pulse.
  static func reading(_ root: Field) -> Self? { form.read(root.object("pump")) }

  /// The pump of a scenario, whose block is checked elsewhere.
  static func profile(of root: Field) -> PumpProfile? {
    reading(root.reporting(to: ProblemList()))?.profile
  }

  static let form = Form<Self>.object { keys in
    let model = keys.optional(
      "model", .pump, else: "'generic'",
      "A preset of pulse, steps, limits, reservoir and residual rule, as `loopsim pumps` lists "
        + "them; `generic` is `generic50`. `continuous` feeds the body by rates and whole boluses, "
        + "and takes back what is not given of a bolus that stops; where a fault can change what "
        + "arrives, whatever its size, or a bolus is `reported` wrongly, it feeds it by pulses, "
        + "from the beginning on.")
    let pulse = keys.optional(
      "pulse", .units(0.001...1), else: "the model's", "The smallest amount delivered.")
    let basalStep = keys.optional(
      "basalStep", .rate(0.001...1), else: "the model's", "The step of basal rates.")
    let bolusStep = keys.optional(
      "bolusStep", .units(0.001...1), else: "the model's, or the pulse", "The step of boluses.")
    let reservoir = keys.optional(
      "reservoir", .units(0...1_000), else: "full",
      "What the reservoir holds when the world begins, or when a pump is put on after that.")
    let capacity = keys.optional(
      "capacity", .units(1...1_000), else: "the model's", "What a full reservoir holds.")
    let life = keys.optional(
      "life", .duration(.hours(1)...(.days(400))), else: "the model's",
      "The age at which the pump should be replaced; it stops then, or after the model's grace.")
    let startedAt = keys.optional(
      "startedAt", .time, else: "when the world begins",
      "When it was put on; one put on after the pre-roll began replaces a full one.")
    let history = keys.key(
      "history", .words([("complete", InsulinDataSource.pumpHistory), ("reservoir", .reservoir)]),
      default: "'complete'",
      "What insulin follows from: the history, or the reservoir while its levels are continuous.")
    let latency = keys.key(
      "commLatency", .duration(.zero...(.minutes(1))), default: "'0s'",
      "How long a command takes to reach the pump. It does not where the phone, or its Bluetooth, "
        + "goes off before, or another pod is put on.")
    let drift = keys.key(
      "clockDrift", .durationPerDay(PumpFault.clockDrifts), default: "'0s/day'",
      "What the pump's clock gains in a day.")
    let residual = keys.optional(
      "residual", .words(residualRules), else: "the model's",
      "What becomes of the fraction of a pulse when the program changes.")
    return { field in
      guard var profile = field[model.name].exists ? field[model] : .generic50 else { return nil }
      if let rule = field[residual] { profile.residualRule = rule }
      if let capacity = field[capacity] { profile.reservoirCapacity = capacity }
      if let wear = field[life] { profile.life = PumpLife(profile.life, wear: wear) }
      if [pulse.name, basalStep.name, bolusStep.name].contains(where: { field[$0].exists }) {
        let step = profile.changeSteps(
          pulse: field[pulse], basal: field[basalStep], bolus: field[bolusStep])
        if let step {
          field[bolusStep.name].error(
            "A step of \(step) is not a whole number of pulses of \(profile.pulse). Choose a "
              + "multiple.")
          return nil
        }
      }
      let choice = Self(
        profile: profile, reservoir: field[reservoir], activation: field[startedAt],
        clockDrift: field[drift], dataSource: field[history], commandLatency: field[latency])
      choice.checkReservoir(field[reservoir.name], told: field[history.name])
      if let life = profile.life, let activation = choice.activation,
        activation + life.end <= field.context.start
      {
        field[startedAt.name].error(
          """
          The \(profile.name) stops \(life.end) after it was put on, before the run starts. \
          Put it on later.
          """)
      }
      return choice
    }
  }

  private static let residualRules = [
    ResidualRule.resetOnCommand, .resetOnRateChange, .carry, .resetOnTempStart, .scheduleGrid,
  ].map { ($0.rawValue, $0) }

  private func checkReservoir(_ field: Field, told history: Field) {
    if let reservoir, reservoir > profile.reservoirCapacity {
      field.error(
        """
        The reservoir of the \(profile.name) holds at most \(profile.reservoirCapacity), \
        not \(reservoir).
        """)
    }
    if dataSource == .reservoir, case .upTo(let level) = profile.reservoirReporting {
      history.warnOfNoEffect(
        """
        history: 'reservoir' has no effect while the reservoir holds more than \(level): the \
        \(profile.name) does not tell its level then.
        """)
    }
  }

  /// Whether the body gets rates and whole boluses in place of pulses.
  ///
  /// What does not arrive of a pulse is a part of that pulse, so that where an event changes what
  /// arrives, or what the pump says of it, such a body gets pulses too.
  func isContinuous(while events: [ScenarioEvent]) -> Bool {
    profile.id == PumpProfile.continuous.id && !events.contains(where: \.changesWhatArrives)
  }

  /// The pump as the world begins.
  ///
  /// - Parameters:
  ///   - schedule: The basal rates that it is programmed with.
  ///   - clock: The clock that they follow.
  ///   - beginning: When the world begins.
  ///   - seed: The seed of the run, from which the streams of its faults are named.
  /// - Returns: The pump.
  /// - Throws: `PumpError` when it cannot run the schedule.
  func pump(
    on schedule: DailySchedule<InsulinRate>, clock: WallClock, at beginning: Instant, seed: UInt64
  ) throws(PumpError) -> Pump {
    try Pump(
      profile: profile, schedule: schedule, clock: clock, at: beginning,
      activation: activation.map { min($0, beginning) },
      reservoir: (activation ?? beginning) > beginning ? nil : reservoir, seed: seed)
  }

  /// What the block `pump` makes happen: a pump put on after the world began, a clock that drifts.
  func events(from beginning: Instant) -> [ScenarioEvent] {
    var events: [ScenarioEvent] = []
    if let activation, activation > beginning {
      events.append(
        ScenarioEvent(at: activation, id: "pump", .pump(.replaceReservoir(reservoir))))
    }
    if clockDrift != .zero {
      events.append(
        ScenarioEvent(
          at: beginning, id: Self.driftName,
          .beginFault(Fault(id: Self.driftName, .pump(.clockDrift(perDay: clockDrift))))))
    }
    return events
  }
}

extension PumpLife {
  /// Another life with the same grace.
  fileprivate init(_ own: PumpLife?, wear: TimeSpan) {
    let grace = own.map { ($0.imminent - $0.advisory, $0.end - $0.advisory) }
    self.init(
      advisory: wear, imminent: wear + (grace?.0 ?? .zero), end: wear + (grace?.1 ?? .zero))
  }
}

extension PumpProfile {
  /// Takes over another pulse and other steps; a step of boluses that is no whole number of pulses
  /// is given back.
  fileprivate mutating func changeSteps(
    pulse other: InsulinAmount?, basal: InsulinRate?, bolus: InsulinAmount?
  ) -> InsulinAmount? {
    if let other { pulse = other }
    if let step = basal?.milliunitsPerHour {
      basalRates = basalRates.inSteps(of: step)
      tempBasal.rates = tempBasal.rates.inSteps(of: step)
    }
    let areOwnWhole = bolusVolumes.bands.allSatisfy { band in
      [band.lower, band.step].allSatisfy { $0 % pulse.milliunits == 0 }
    }
    if let step = bolus ?? (areOwnWhole ? nil : pulse) {
      guard step.flooredToMultiple(of: pulse) == step else { return step }
      bolusVolumes = bolusVolumes.inSteps(of: step.milliunits)
    }
    name += ", changed by the scenario"
    return nil
  }
}

extension Form where Value == PumpProfile {
  /// The name of a pump; `generic` stands for `generic50`.
  ///
  /// `omnipod` alone is refused: OmniKit's and OmniBLE's `Pod.swift` give Eros and DASH different
  /// basal rates.
  fileprivate static var pump: Self {
    let named =
      [(PumpProfile.genericName, PumpProfile.generic50)]
      + PumpProfile.catalogue.map { ($0.id, $0) }
    return .words(named) { field in
      guard field.node?.string == "omnipod" else { return field.choice(of: named.map(\.0)) }
      field.error(
        """
        There are several Omnipods: write 'omnipodDASH', which can be scheduled to give nothing, \
        or 'omnipodEros' or 'omnipod5', whose scheduled rates begin at 0.05 U/h.
        """)
      return nil
    }
  }
}
