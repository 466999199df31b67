internal import Devices
package import Quantities

/// What the settings and the pump allow of a rate and of a bolus that a program asks for.
///
/// The app holds commands against it, and so does a run without an app, so that both give the same.
package struct CommandLimits: Sendable {
  private let pump: PumpProfile
  private let maximumRate: Double
  private let maximumBolus: Double
  /// The most insulin on board after an automatic bolus, in U.
  private let maximumInsulin: Double

  /// The limits by the settings that an app has now.
  package init(of app: LoopApp) {
    let therapy = app.therapy
    pump = app.configuration.pump
    maximumRate = therapy.maximumBasalRate.unitsPerHour
    maximumBolus = therapy.maximumBolus.units
    maximumInsulin = therapy.activeInsulinMultiplier * maximumBolus
  }

  /// Gives a command, as far as it is allowed.
  ///
  /// - Parameters:
  ///   - asked: What a program asks for.
  ///   - set: The guards that stand between the program and the pump.
  ///   - scheduledRate: The rate of the schedule, of which some pumps run percentages.
  ///   - neutralRate: The rate that is neither more nor less than the settings want, in U/h.
  ///   - insulinOnBoard: The net insulin on board, in U.
  ///   - caution: Why no more insulin than the schedule's may be given; `nil` where more may.
  /// - Returns: The command, with the guards that acted and what is given.
  func command(
    for asked: ControllerCommand.Asked, by set: GuardSet, scheduledRate: InsulinRate,
    neutralRate: @autoclosure () -> Double, insulinOnBoard: @autoclosure () -> Double,
    caution: @autoclosure () -> CommandGuard?
  ) -> ControllerCommand {
    var command = ControllerCommand(asked)
    switch asked {
    case .cancelBolus: command.given = .cancelBolus
    case .resume: command.given = .resume
    case .suspend: command.given = .suspend
    case .cancelTempBasal: command.given = .cancelTempBasal
    case .tempBasal(let rate, let duration):
      command = tempBasal(
        rate, for: duration, by: set, scheduledRate: scheduledRate, neutralRate: neutralRate(),
        caution: caution())
    case .bolus(let units):
      command = bolus(units, by: set, insulinOnBoard: insulinOnBoard(), caution: caution())
    }
    return command
  }

  /// Gives a rate, as far as it is allowed.
  ///
  /// - Parameters:
  ///   - asked: The rate in U/h.
  ///   - duration: How long it is asked for.
  ///   - set: The guards that stand between the program and the pump.
  ///   - scheduledRate: The rate of the schedule, of which some pumps run percentages.
  ///   - neutralRate: The rate that is neither more nor less than the settings want, in U/h.
  ///   - caution: Why no more than that may be given; `nil` where more may.
  /// - Returns: The command, with the guards that acted and what is given.
  package func tempBasal(
    _ asked: Double, for duration: TimeSpan, by set: GuardSet, scheduledRate: InsulinRate,
    neutralRate: @autoclosure () -> Double, caution: @autoclosure () -> CommandGuard?
  ) -> ControllerCommand {
    assert(asked.isFinite, "An answer with a number that is none does not come so far.")
    var command = ControllerCommand(.tempBasal(unitsPerHour: asked, duration: duration))
    var rate = asked
    if set == .app, rate > neutralRate(), let caution = caution() {
      command.guards = [caution]
      return command
    }
    if rate < 0 { Self.cut(&rate, to: 0, .belowZero, &command) }
    if set == .app, rate > maximumRate { Self.cut(&rate, to: maximumRate, .maxBasal, &command) }
    let rule = pump.tempBasal
    let most = rule.greatestRate(of: scheduledRate).unitsPerHour
    if rate > most { Self.cut(&rate, to: most, .pumpMaximum, &command) }
    assert(rate >= 0 && rate <= most, "The guards have cut the rate.")
    let supported = pump.supportedRate(atMostUnitsPerHour: rate, of: scheduledRate)
    if Self.differs(rate, supported.unitsPerHour) { command.guards.append(.pumpStep) }
    let accepted = rule.duration(
      rule.nearest(to: duration), of: supported, beside: scheduledRate)
    if accepted != duration { command.guards.append(.duration) }
    assert(
      rule.accepts(duration: accepted), "The guards have found a duration that the pump takes.")
    command.given = .startTempBasal(supported, duration: accepted, automatic: true)
    return command
  }

  /// Gives a bolus, as far as it is allowed.
  ///
  /// - Parameters:
  ///   - asked: The bolus in U.
  ///   - isAutomatic: Whether nobody confirms it; the limit of active insulin is for such alone.
  ///   - set: The guards that stand between the program and the pump.
  ///   - insulinOnBoard: The net insulin on board, in U; asked only for an automatic bolus.
  ///   - caution: Why none may be given; `nil` where one may.
  /// - Returns: The command, with the guards that acted and what is given.
  package func bolus(
    _ asked: Double, isAutomatic: Bool = true, by set: GuardSet,
    insulinOnBoard: @autoclosure () -> Double, caution: @autoclosure () -> CommandGuard?
  ) -> ControllerCommand {
    assert(asked.isFinite, "An answer with a number that is none does not come so far.")
    var command = ControllerCommand(.bolus(units: asked))
    var units = asked
    if set == .app, let caution = caution() {
      command.guards = [caution]
      return command
    }
    if units < 0 { Self.cut(&units, to: 0, .belowZero, &command) }
    if set == .app, units > maximumBolus {
      Self.cut(&units, to: maximumBolus, .maxBolus, &command)
    }
    if set == .app, isAutomatic {
      let room = max(0, maximumInsulin - insulinOnBoard())
      if units > room { Self.cut(&units, to: room, .maxActiveInsulin, &command) }
    }
    let most = Double(pump.bolusVolumes.maximum) / 1_000
    if units > most { Self.cut(&units, to: most, .pumpMaximum, &command) }
    assert(units >= 0 && units <= most, "The guards have cut the bolus.")
    let supported = pump.supportedBolus(atMostUnits: units)
    if Self.differs(units, supported.units) { command.guards.append(.pumpStep) }
    if supported > .zero { command.given = .startBolus(supported, automatic: isAutomatic) }
    return command
  }

  private static func cut(
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
