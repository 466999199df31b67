internal import Devices
internal import Dosing
public import Quantities

/// What the app makes of the commands that a program asks for.
extension LoopApp {
  /// The commands of an answer in the order in which they are sent, each after its guards.
  func guarded(
    _ answer: ControllerAnswer, by set: GuardSet, at now: Instant
  ) -> [ControllerCommand] {
    asked(in: answer).map { asked in
      var command = ControllerCommand(asked)
      if let obstacle = obstacle(to: asked, of: answer, at: now) {
        command.guards = [obstacle]
        return command
      }
      switch asked {
      case .cancelBolus: command.given = .cancelBolus
      case .resume: command.given = .resume
      case .suspend: command.given = .suspend
      case .cancelTempBasal: command.given = .cancelTempBasal
      case .tempBasal(let rate, let duration):
        giveTempBasal(rate, for: duration, by: set, at: now, in: &command)
      case .bolus(let units): giveBolus(units, by: set, at: now, in: &command)
      }
      return command
    }
  }

  private func asked(in answer: ControllerAnswer) -> [ControllerCommand.Asked] {
    var asked: [ControllerCommand.Asked] = []
    if answer.cancelsBolus { asked.append(.cancelBolus) }
    if answer.resumes { asked.append(.resume) }
    switch answer.tempBasal {
    case .start(let rate, let duration):
      asked.append(.tempBasal(unitsPerHour: rate, duration: duration))
    case .cancel: asked.append(.cancelTempBasal)
    case nil: break
    }
    if let bolus = answer.bolus { asked.append(.bolus(units: bolus)) }
    if answer.suspends { asked.append(.suspend) }
    return asked
  }

  /// What keeps a command from being sent at all.
  private func obstacle(
    to asked: ControllerCommand.Asked, of answer: ControllerAnswer, at now: Instant
  ) -> CommandGuard? {
    if !isClosedLoop { return .openLoop }
    guard let status = pump.status else { return .pumpUnknown }
    if status.alarm != nil { return .stopped }
    if pump.isUncertain { return .deliveryUncertain }
    if status.program?.kind == .suspended, !answer.resumes { return .suspended }
    if case .bolus = asked, pump.isBolusRunning(at: now), !answer.cancelsBolus {
      return .bolusInProgress
    }
    return nil
  }

  /// Why no more insulin than the schedule's may be given.
  private func caution(at now: Instant) -> CommandGuard? {
    if staleness(at: now) != nil { return .staleGlucose }
    return glucoseIsUnreliable ? .unreliableGlucose : nil
  }

  private func giveTempBasal(
    _ asked: Double, for duration: TimeSpan, by set: GuardSet, at now: Instant,
    in command: inout ControllerCommand
  ) {
    assert(asked.isFinite, "An answer with a number that is none does not come so far.")
    var rate = asked
    if set == .app, rate > therapies.neutralRate(at: now), let caution = caution(at: now) {
      command.guards = [caution]
      return
    }
    if rate < 0 { cut(&rate, to: 0, .belowZero, &command) }
    let limit = therapy.maximumBasalRate.unitsPerHour
    if set == .app, rate > limit { cut(&rate, to: limit, .maxBasal, &command) }
    let rule = configuration.pump.tempBasal
    let most = Double(rule.rates.maximum) / 1_000
    if rate > most { cut(&rate, to: most, .pumpMaximum, &command) }
    assert(rate >= 0 && rate <= most, "The guards have cut the rate.")
    let supported = configuration.pump.supportedRate(atMostUnitsPerHour: rate)
    if Self.differs(rate, supported.unitsPerHour) { command.guards.append(.pumpStep) }
    let accepted = rule.nearest(to: duration)
    if accepted != duration { command.guards.append(.duration) }
    assert(
      rule.accepts(duration: accepted), "The guards have found a duration that the pump takes.")
    command.given = .startTempBasal(supported, duration: accepted, automatic: true)
  }

  /// What the app makes of a bolus that a program recommends to a person.
  ///
  /// The limit of active insulin is for automatic doses only. The command is what the person would
  /// confirm.
  public func guardedBolus(
    _ units: Double, by set: GuardSet, at now: Instant
  ) -> ControllerCommand {
    var command = ControllerCommand(.bolus(units: units))
    giveBolus(units, isAutomatic: false, by: set, at: now, in: &command)
    return command
  }

  /// What the app makes of a bolus that a program in place of the algorithm recommends: what it
  /// makes of the algorithm's own.
  public func roundedBolus(_ units: Double) -> ControllerCommand {
    var command = ControllerCommand(.bolus(units: units))
    let supported = configuration.pump.supportedBolus(
      atMostUnits: disturbed(max(0, units), .recommendedBolus))
    command.given = .startBolus(supported, automatic: false)
    return command
  }

  private func giveBolus(
    _ asked: Double, isAutomatic: Bool = true, by set: GuardSet, at now: Instant,
    in command: inout ControllerCommand
  ) {
    assert(asked.isFinite, "An answer with a number that is none does not come so far.")
    var units = asked
    if set == .app, let caution = caution(at: now) {
      command.guards = [caution]
      return
    }
    if units < 0 { cut(&units, to: 0, .belowZero, &command) }
    let limit = therapy.maximumBolus.units
    if set == .app, units > limit { cut(&units, to: limit, .maxBolus, &command) }
    if set == .app, isAutomatic {
      let most = therapy.activeInsulinMultiplier * therapy.maximumBolus.units
      let room = max(0, most - (insulinOnBoard(at: now) ?? 0))
      if units > room { cut(&units, to: room, .maxActiveInsulin, &command) }
    }
    let most = Double(configuration.pump.bolusVolumes.maximum) / 1_000
    if units > most { cut(&units, to: most, .pumpMaximum, &command) }
    assert(units >= 0 && units <= most, "The guards have cut the bolus.")
    let supported = configuration.pump.supportedBolus(atMostUnits: units)
    if Self.differs(units, supported.units) { command.guards.append(.pumpStep) }
    guard supported > .zero else { return }
    command.given = .startBolus(supported, automatic: isAutomatic)
  }

  private func cut(
    _ number: inout Double, to limit: Double, _ guarding: CommandGuard,
    _ command: inout ControllerCommand
  ) {
    assert(limit.isFinite, "A limit is a number.")
    number = limit
    command.guards.append(guarding)
  }

  /// Whether rounding took more than binary fractions do.
  private static func differs(_ asked: Double, _ given: Double) -> Bool {
    (asked - given).magnitude > 1e-9
  }
}

extension TempBasalRule {
  /// The accepted duration that is nearest; of two equally near, the shorter one.
  func nearest(to duration: TimeSpan) -> TimeSpan {
    if accepts(duration: duration) { return duration }
    let bounded = min(max(duration, minimumDuration), maximumDuration)
    let below = durationStep * bounded.quotient(by: durationStep)
    let candidates = ([below, below + durationStep] + otherDurations).filter(accepts)
    return candidates.min {
      let (first, second) = (($0 - duration).magnitude, ($1 - duration).magnitude)
      return first == second ? $0 < $1 : first < second
    } ?? minimumDuration
  }
}

extension TimeSpan {
  /// The length without its sign.
  fileprivate var magnitude: TimeSpan { self < .zero ? .zero - self : self }
}
