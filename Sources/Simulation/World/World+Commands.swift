internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// A command on its way from the app to the pump.
struct CommandUnderway: Sendable {
  var command: PumpCommand
  /// When it was sent.
  var sent: Instant
  /// The act for which it was sent; commands of one act belong together.
  var act: Int
  /// The event for which it was sent; `nil` for one of the loop.
  var event: String?
  /// The fault that has the pump report another amount of the bolus that it is for.
  var misreport: Fault?
  /// When it reaches the pump.
  var due: Instant
}

/// Commands go to the pump, and the app learns what came of them.
extension World {
  /// Sends a command to the pump; false when it could not be sent or the pump refused it at once.
  ///
  /// Where there is no app, the person presses the pump's own buttons.
  /// A command that takes time is on its way afterwards, behind those sent before it.
  @discardableResult
  mutating func send(_ command: PumpCommand) -> Bool {
    guard hasApp else { return press(command) }
    guard canSend(command) else { return false }
    guard commandLatency > .zero else { return carryOut(command) }
    link.send(command, at: now, latency: commandLatency)
    return true
  }

  /// Whether the app can send a command to the pump; where it cannot, that is told.
  mutating func canSend(_ command: PumpCommand) -> Bool {
    let cause: String
    switch phoneState {
    case .on, .backgroundKilled: return true
    case .off: cause = "the phone is off"
    case .bluetoothOff:
      cause = "Bluetooth is off"
      acknowledge(command, .failure(.noCommunication))
    }
    note(
      .warning, "\(command.name)", "The \(command) was not sent: \(cause).",
      notGiven: command.bolus)
    return false
  }

  /// The pump gets the commands that have reached it.
  ///
  /// When it refuses one, those of the same act behind it are not sent any more, as an app waits
  /// for each answer before it goes on. What a person asks for besides is sent all the same.
  ///
  /// - Returns: What follows later by itself.
  mutating func carryOutArrivedCommands() -> [ScenarioEvent] {
    loseCommandsOutOfReach()
    var later: [ScenarioEvent] = []
    while let next = link.takeCommand(at: now) {
      assert(next.sent <= next.due, "A command does not arrive before it is sent.")
      let isCarriedOut = naming(for: next.event) { world in
        if world.cancelsAnother(next.command, for: next.event) { return false }
        guard let fault = next.misreport else {
          return world.carryOut(next.command, sent: next.sent)
        }
        let outcome = world.carryOut(next.command, misreportedBy: fault, sent: next.sent)
        if let consequence = outcome.later { later.append(consequence) }
        return outcome.isCarriedOut
      }
      if isCarriedOut {
        link.settle(next, as: .carriedOut)
      } else {
        link.settle(next, as: .failed(link.failure.map { "\($0)" } ?? ""))
        noteRefusal(of: next)
        for command in link.forgetCommands(of: next.act) { noteNotSent(command) }
      }
      ingestPump()
    }
    return later
  }

  /// A phone that goes off, or loses its radio, takes the commands with it that are on their way: a
  /// pump carries out only what it has been told to the end.
  private mutating func loseCommandsOutOfReach() {
    guard link.nextCommand != nil else { return }
    switch phoneState {
    case .off: loseCommandsUnderway(because: "the phone went off")
    case .bluetoothOff: loseCommandsUnderway(because: "Bluetooth went off")
    case .on, .backgroundKilled: break
    }
  }

  /// The commands that are on their way never reach the pump that they were sent to.
  mutating func loseCommandsUnderway(because cause: String) {
    for lost in link.forgetCommands() {
      let command = lost.command
      link.settle(lost, as: .failed("\(PumpError.noCommunication)"))
      acknowledge(command, .failure(.noCommunication))
      noteRefusal(of: lost)
      note(
        .warning, "\(command.name)", "The \(command) did not reach the pump: \(cause).",
        notGiven: command.bolus)
    }
  }

  /// Remembers that an event suspends or resumes nothing, whose command the pump did not take.
  private mutating func noteRefusal(of failed: CommandUnderway) {
    guard let event = failed.event else { return }
    switch failed.command {
    case .suspend where !isUncertain: names.noteSuspension(by: event, isRefused: true)
    case .resume: names.noteResumption(by: event, isRefused: true)
    default: break
    }
  }

  /// Whether the last command that failed may have been carried out.
  private var isUncertain: Bool {
    if case .uncertainDelivery? = link.failure { true } else { false }
  }

  /// Tells of a command that is not sent, as the one before it failed.
  mutating func noteNotSent(_ command: PumpCommand) {
    note(
      .warning, "\(command.name)",
      "The \(command) was not sent: the command before it failed.", notGiven: command.bolus)
  }

  /// Tells of the boluses that people asked for and that are on their way to the pump as the run
  /// ends: no other record has them.
  mutating func noteUnderwayAtEnd() {
    for command in link.peoplesBoluses {
      note(
        .warning, "\(command.name)",
        "The \(command) had not reached the pump when the run ended.", notGiven: command.bolus)
    }
  }

  /// A person presses the pump's own buttons, of which the app learns when it reads the pump; false
  /// when the pump refuses.
  @discardableResult
  mutating func press(_ command: PumpCommand) -> Bool {
    do throws(PumpError) {
      try perform(command, byHand: true)
      return true
    } catch {
      noteFailure(of: command, error)
      return false
    }
  }

  /// The pump gets a command now, and the app is told what came of it; false when it failed.
  ///
  /// `sent` is when a command was sent that took time to arrive.
  @discardableResult
  mutating func carryOut(_ command: PumpCommand, sent: Instant? = nil) -> Bool {
    do throws(PumpError) {
      try perform(command, sent: sent)
      acknowledge(command, .success(()))
      return true
    } catch {
      acknowledge(command, .failure(error))
      noteFailure(of: command, error)
      return false
    }
  }

  /// The pump carries out a command, or refuses it; its clock is set to what the phone shows.
  private mutating func perform(
    _ command: PumpCommand, sent: Instant? = nil, byHand isByHand: Bool = false
  ) throws(PumpError) {
    isTrigger = true
    if case .startBolus = command { endMisreport() }
    let act = { (world: inout World) throws(PumpError) in
      try world.delivery.perform(
        command, sent: sent, byHand: isByHand, at: world.now, noting: &world.trace)
    }
    guard case .setClock = command else { return try act(&self) }
    do throws(PumpError) {
      try changingPumpClock(act)
    } catch {
      // The reply alone may be lost.
      if delivery.takeClockSetting() { passOnClockError() }
      throw error
    }
    passOnClockError()
  }

  /// The pump lives up to now, and may get a command that a fault held up and that sets its clock.
  mutating func receivingHeldUpClock(_ live: (inout World) -> Void) {
    if let arrival = delivery.pump.arrivalOfClock, arrival <= now {
      changingPumpClock(live)
    } else {
      live(&self)
    }
    if delivery.takeClockSetting() { passOnClockError() }
  }

  private mutating func noteFailure(of command: PumpCommand, _ error: PumpError) {
    note(
      .warning, "\(command.name)", "The \(command) failed: \(error)", notGiven: command.bolus)
  }

  /// Has the pump do something for an event, and remembers what the event made.
  @discardableResult
  mutating func delivering<Outcome>(
    for event: ScenarioEvent, _ act: (inout Self) -> Outcome
  ) -> Outcome {
    let outcome = naming(for: event.id, act)
    ingestPump()
    return outcome
  }

  /// Has the pump do something, and remembers what an event made thereby.
  private mutating func naming<Outcome>(
    for event: String?, _ act: (inout Self) -> Outcome
  ) -> Outcome {
    let boluses = delivery.record.boluses.count
    let program = delivery.pump.program.event
    let heldUp = delivery.pump.latestHeldUp
    let outcome = act(&self)
    guard let event else { return outcome }
    for number in heldUp..<delivery.pump.latestHeldUp { names.note(event, heldUp: number + 1) }
    for bolus in delivery.record.boluses.dropFirst(boluses) {
      names.note(event, made: bolus.identifier)
    }
    if let started = delivery.pump.program.event, started != program {
      names.note(event, made: SyncIdentifier(started))
    }
    return outcome
  }

  /// A person stops the bolus that an event made, and no other.
  mutating func cancelBolus(for event: ScenarioEvent, onPump: Bool) {
    delivering(for: event) { world in
      if world.cancelsAnother(.cancelBolus, for: event.id) { return }
      _ = onPump ? world.press(.cancelBolus) : world.send(.cancelBolus)
    }
  }

  /// Whether a command of an event would stop the bolus of another one, which is told: a person who
  /// wants to stop a bolus sees that it is over.
  private mutating func cancelsAnother(_ command: PumpCommand, for event: String?) -> Bool {
    guard command == .cancelBolus, let event, let bolus = delivery.pump.bolus,
      !names.isMade(SyncIdentifier(bolus.event), by: event), !link.isUnderway(for: event)
    else { return false }
    note(
      .warning, "\(command.name)",
      "The \(command) failed: The bolus that is being given is another.")
    return true
  }

  /// Sends a command for an event, and tells where the pump has taken it and nothing has changed.
  private mutating func send(
    _ command: PumpCommand, for event: ScenarioEvent, orTell nothing: String
  ) -> Bool {
    let before = delivery.pump.program
    let isSent = delivering(for: event) { $0.send(command) }
    if isSent, commandLatency == .zero, delivery.pump.program == before {
      note(.note, event.id, nothing)
    }
    return isSent
  }

  /// A person sets a temp basal; the app lets them choose none above its maximum.
  mutating func setTempBasal(
    _ asked: InsulinRate, for duration: TimeSpan, onPump isOnPump: Bool, as event: ScenarioEvent
  ) {
    let maximum = phone.therapy.maximumBasalRate
    var rate = asked
    if hasApp, !isOnPump, asked > maximum {
      rate = delivery.pump.profile.supportedRate(
        atMostUnitsPerHour: maximum.unitsPerHour, of: delivery.pump.scheduledRate(at: now))
      note(
        .warning, event.id,
        "The app takes no temp basal above its maximum of \(maximum): of \(asked) asked for, "
          + "\(rate) is set.")
    }
    let profile = delivery.pump.profile
    let runs = profile.tempBasal.duration(
      duration, of: rate, beside: delivery.pump.scheduledRate(at: now))
    if runs < duration, let cutOff = profile.tempBasal.cutOff {
      note(
        .warning, event.id,
        "The \(profile.name) runs temp basals above \(cutOff.above) % of the schedule for "
          + "\(cutOff.duration) at most: \(rate) is not run for \(duration).")
    }
    let command = PumpCommand.startTempBasal(rate, duration: duration, automatic: false)
    delivering(for: event) { isOnPump ? $0.press(command) : $0.send(command) }
  }

  /// A person ends the temp basal that runs.
  mutating func cancelTempBasal(for event: ScenarioEvent) {
    _ = send(.cancelTempBasal, for: event, orTell: "No temp basal runs that could be cancelled.")
  }

  /// A person resumes delivery, or it is over for how long they suspended it.
  mutating func resume(for event: ScenarioEvent) {
    let nothing = "Delivery is not suspended, and there is nothing to resume."
    if send(.resume, for: event, orTell: nothing) { names.noteResumption(by: event.id) }
  }

  /// A person suspends delivery.
  mutating func suspend(for event: ScenarioEvent) {
    let isSent = send(.suspend, for: event, orTell: "Delivery is suspended already.")
    names.noteSuspension(by: event.id, isRefused: !isSent && !isUncertain)
  }

  /// The app learns what became of a command.
  private mutating func acknowledge(_ command: PumpCommand, _ result: Result<Void, PumpError>) {
    if case .failure(let error) = result { link.failure = error }
    guard hasApp else { return }
    switch command {
    case .replaceSchedule, .setClock: noteSchedulesUnderWrongClock()
    default: break
    }
    phone.acknowledge(command, result: result, under: faults, at: now)
  }

  /// The commands of a program that passed the guards go to the pump, one after the other.
  ///
  /// - Returns: What became of each.
  mutating func carryOut(_ commands: [ControllerCommand]) -> [CommandReport] {
    var reports: [CommandReport] = []
    link.beginAct()
    for command in commands {
      let hasFailed = reports.contains(where: \.hasFailed)
      reports.append(command.carryOut(in: &self, afterFailure: hasFailed))
    }
    for report in reports where report.outcome == .underway { link.keep(report, sentAt: now) }
    if reports.contains(where: \.isEnacted) {
      appRecord.noteEnacted(at: now)
      ingestPump()
    }
    return reports
  }
}

extension PumpCommand {
  /// The bolus that is asked for; `nil` for another command.
  fileprivate var bolus: InsulinAmount? {
    if case .startBolus(let amount, _) = self { amount } else { nil }
  }
}
