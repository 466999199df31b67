internal import ClosedLoop
internal import Devices
internal import Quantities

/// How a bolus that a person asks for comes about in the world.
extension BolusRequest {
  /// A person asks for a bolus: of an amount, or as the app recommends or a calculator advises.
  ///
  /// - Returns: What follows later by itself; `nil` where nothing does.
  func carryOut(in world: inout World) -> ScenarioEvent? {
    if case .units(let asked) = amount { return give(asked, in: &world) }
    world.receiveReadings()
    world.ingestPump()
    guard let advised = advisedUnits(in: &world), let wanted = taken(advised, in: &world)
    else { return nil }
    return give(wanted, in: &world)
  }

  /// What a program recommends goes through the guards, and the person takes it as they do.
  ///
  /// - Returns: What became of it, and what follows later by itself.
  func carryOut(
    recommending units: Double, by seat: ControllerSeat, guards: GuardSet, in world: inout World
  ) -> (report: CommandReport, later: ScenarioEvent?) {
    var command = world.phone.guardedBolus(units, of: seat, by: guards, at: world.now)
    for guarding in command.guards {
      world.note(.guarded, guarding.rawValue, command.sentence(on: guarding))
    }
    var outcome = CommandReport.Outcome.notSent
    var later: ScenarioEvent?
    if case .startBolus(let amount, _) = command.given {
      command.given = nil
      let commanded = world.appRecord.bolusRequests.count
      world.link.failure = nil
      if let wanted = taken(amount.units, in: &world) { later = give(wanted, in: &world) }
      let new = world.appRecord.bolusRequests.dropFirst(commanded).map(\.commanded).first
      if let given = new, given > .zero {
        command.given = .startBolus(given, automatic: false)
        outcome =
          world.link.failure.map { .failed("\($0)") }
          ?? (world.commandLatency > .zero ? .underway : .carriedOut)
      }
    } else if command.guards.isEmpty {
      noteNoNeed(of: units, in: &world)
    }
    return (CommandReport(command: command, outcome: outcome), later)
  }

  // MARK: - What is advised

  /// What the app recommends or a calculator advises, in units; `nil` for neither, which is noted.
  private func advisedUnits(in world: inout World) -> Double? {
    guard case .calculated(let calculator, _, _) = amount else {
      let decision = world.phone.recommendBolus(at: world.now)
      if let refusal = decision.refusal {
        noteNoRecommendation("\(refusal)", in: &world)
        return nil
      }
      return decision.bolus.units
    }
    let bolus = world.calculatedBolus(by: calculator)
    if !bolus.hasGlucose {
      world.note(
        .warning, name, "The calculator has no glucose of the last 15 minutes and corrects nothing."
      )
    }
    return bolus.units
  }

  /// What a person takes of what is recommended or advised; `nil`, and told, where that is not
  /// worth it.
  private func taken(_ recommended: Double, in world: inout World) -> Double? {
    let units =
      switch amount {
      case .units(let asked): asked
      case .recommended(let scale, let cap), .calculated(_, let scale, let cap):
        min(recommended * scale, cap ?? .infinity)
      }
    if units >= minimumUnits { return units }
    world.note(.bolus, name, "A bolus of only \(unitsText(units)) U is not worth taking.")
    return nil
  }

  // MARK: - What goes to the pump

  /// The bolus that a person wants goes to the pump.
  ///
  /// - Returns: What follows later by itself; `nil` where nothing does.
  private func give(_ units: Double, in world: inout World) -> ScenarioEvent? {
    if let reported {
      // What the body gets is no dose of the app's, and no limit of the app cuts it.
      noteAsked(units, in: &world)
      return misreport(InsulinAmount(roundingUnits: units) ?? .zero, as: reported, in: &world)
    }
    guard let amount = commandedAmount(of: units, in: &world) else {
      noteNoNeed(of: units, in: &world)
      return nil
    }
    let command = PumpCommand.startBolus(amount, automatic: false)
    // The pump's own buttons need no radio.
    let isGiven = by.goesThroughApp ? world.send(command) : world.press(command)
    guard isGiven, let cancelAfter else { return nil }
    return ScenarioEvent(
      at: world.now + cancelAfter, .cancelBolus(onPump: !by.goesThroughApp))
  }

  /// What of a bolus goes to the pump, `nil` where that is nothing.
  ///
  /// A part that a limit cuts off is a warning, and booked with what was asked for.
  private func commandedAmount(of units: Double, in world: inout World) -> InsulinAmount? {
    let bolus = CommandedBolus(
      units: units, from: world.delivery.pump.profile, by: by,
      appMaximum: world.phone.therapy.maximumBolus)
    if bolus.asked > .zero { world.appRecord.note(bolus.record(of: self, at: world.now)) }
    guard !bolus.isNothing else { return nil }
    noteAsked(units, in: &world)
    if let warning = bolus.warning {
      world.note(.warning, name, warning, notGiven: bolus.aboveLimit)
    }
    return bolus.amount > .zero ? bolus.amount : nil
  }

  /// The body gets one amount, and the pump counts and reports another.
  ///
  /// The difference is a fault of its own, with its line in the ledger, as long as the pump gives
  /// the bolus.
  ///
  /// - Returns: The end of that fault, or its beginning where the pump gets the command later;
  ///   `nil` where there is none, or nothing has to end.
  func misreport(
    _ truth: InsulinAmount, as reported: InsulinAmount, in world: inout World
  ) -> ScenarioEvent? {
    assert(truth >= .zero, "A pump cannot take insulin back.")
    let isSomething = truth > .zero || reported > .zero
    var record = BolusRequestRecord(truth, by: by, name: name, at: world.now)
    record.misreported = reported - truth
    record.hasStatedReport = true
    let isInApp = by.goesThroughApp && world.hasApp
    if isSomething, isInApp {
      let asked = truth > .zero ? truth : reported
      record.isRefused = !world.canSend(.startBolus(asked, automatic: false))
    }
    world.appRecord.note(record)
    guard isSomething, !record.isRefused else { return nil }
    let isSent = isInApp && world.commandLatency > .zero
    let id = world.nextMisreport(isSent: isSent)
    guard reported > .zero else {
      world.begin(Fault(id: id, .pump(.unrequested(truth))))
      return nil
    }
    let counted = reported.flooredToMultiple(of: world.delivery.pump.profile.pulse)
    let fault = Fault(id: id, .pump(.misreportedBolus(factor: truth.units / counted.units)))
    let command = PumpCommand.startBolus(reported, automatic: false)
    if isSent {
      world.link.send(
        command, misreportedBy: fault, at: world.now, latency: world.commandLatency)
      return nil
    }
    return world.carryOut(command, misreportedBy: fault, byHand: !isInApp).later
  }

  // MARK: - What is noted

  private func noteAsked(_ units: Double, in world: inout World) {
    world.note(.bolus, name, "A bolus of \(unitsText(units)) U is asked for by \(by).")
  }

  /// Tells that a person wanted a bolus and needs none.
  private func noteNoNeed(of units: Double, in world: inout World) {
    world.note(.bolus, name, "No bolus is needed (\(unitsText(units)) U).")
  }

  /// Warns that a person wanted a bolus and gets none, and tells why.
  func noteNoRecommendation(_ reason: String, in world: inout World) {
    let end = reason.hasSuffix(".") ? "" : "."
    world.note(.warning, name, "No bolus is recommended: \(reason)\(end)")
  }

  /// Notes what was asked for and refused; what the app would have recommended nobody knows.
  func noteRefused(in world: inout World) {
    guard case .units(let units) = amount, let asked = InsulinAmount(roundingUnits: units),
      asked > .zero
    else { return }
    var record = BolusRequestRecord(asked, by: by, name: name, at: world.now)
    record.isRefused = true
    world.appRecord.note(record)
  }
}
