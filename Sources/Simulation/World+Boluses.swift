internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// The boluses that people want.
extension World {
  /// Has the pump do something for an event, and remembers what the event made.
  @discardableResult
  mutating func delivering<Outcome>(
    for event: ScenarioEvent, _ act: (inout Self) -> Outcome
  ) -> Outcome {
    let boluses = delivery.record.boluses.count
    let program = delivery.pump.program.event
    let outcome = act(&self)
    for bolus in delivery.record.boluses.dropFirst(boluses) {
      names.note(event.id, made: bolus.identifier)
    }
    if let started = delivery.pump.program.event, started != program {
      names.note(event.id, made: SyncIdentifier(started))
    }
    ingestPump()
    return outcome
  }

  /// A person asks for a bolus: of an amount, or as the app recommends or a calculator advises.
  ///
  /// - Returns: What follows later by itself; `nil` where nothing does.
  mutating func bolus(_ request: BolusRequest) -> ScenarioEvent? {
    if case .units(let asked) = request.amount { return bolus(asked, request) }
    receiveReadings()
    ingestPump()
    guard let advised = advisedUnits(request), let wanted = taken(advised, of: request)
    else { return nil }
    return bolus(wanted, request)
  }

  /// What a program recommends goes through the guards, and the person takes it as they do.
  ///
  /// - Returns: What became of it, and what follows later by itself.
  mutating func bolus(
    _ request: BolusRequest, recommending units: Double, by seat: ControllerSeat, guards: GuardSet
  ) -> (report: CommandReport, later: ScenarioEvent?) {
    var command = phone.guardedBolus(units, of: seat, by: guards, at: now)
    for guarding in command.guards {
      note(.guarded, guarding.rawValue, command.sentence(on: guarding))
    }
    var outcome = CommandReport.Outcome.notSent
    var later: ScenarioEvent?
    if case .startBolus(let amount, _) = command.given {
      command.given = nil
      let commanded = appRecord.bolusRequests.count
      link.failure = nil
      if let wanted = taken(amount.units, of: request) { later = bolus(wanted, request) }
      let new = appRecord.bolusRequests.dropFirst(commanded).map(\.commanded).first
      if let given = new, given > .zero {
        command.given = .startBolus(given, automatic: false)
        outcome =
          link.failure.map { .failed("\($0)") }
          ?? (commandLatency > .zero ? .underway : .carriedOut)
      }
    } else if command.guards.isEmpty {
      noteNoNeed(of: units, request)
    }
    return (CommandReport(command: command, outcome: outcome), later)
  }

  /// What the app recommends or a calculator advises, in units; `nil` for neither, which is noted.
  private mutating func advisedUnits(_ request: BolusRequest) -> Double? {
    guard case .calculated(let calculator, _, _) = request.amount else {
      let decision = phone.recommendBolus(at: now)
      if let refusal = decision.refusal {
        noteNoRecommendation(request, "\(refusal)")
        return nil
      }
      return decision.bolus.units
    }
    let bolus =
      hasApp
      ? phone.bolus(by: calculator, at: now)
      : pumpCalculator.bolus(
        by: calculator, glucose: person.recentGlucose(at: now), at: now)
    if !bolus.hasGlucose {
      note(
        .warning, request.name,
        "The calculator has no glucose of the last 15 minutes and corrects nothing.")
    }
    return bolus.units
  }

  /// The calculator in the pump, into which a person puts the newest reading of the sensor.
  private var pumpCalculator: PumpCalculator {
    PumpCalculator(
      therapy: configuration.therapy, clock: phone.zone, pulses: delivery.record.pulses,
      injections: delivery.body.injections, model: pumpInsulinModel)
  }

  /// Tells that a person wanted a bolus and needs none.
  private mutating func noteNoNeed(of units: Double, _ request: BolusRequest) {
    note(.bolus, request.name, "No bolus is needed (\(unitsText(units)) U).")
  }

  /// Warns that a person wanted a bolus and gets none, and tells why.
  mutating func noteNoRecommendation(_ request: BolusRequest, _ reason: String) {
    let end = reason.hasSuffix(".") ? "" : "."
    note(.warning, request.name, "No bolus is recommended: \(reason)\(end)")
  }

  /// What a person takes of what is recommended or advised; `nil`, and told, where that is not
  /// worth it.
  private mutating func taken(_ recommended: Double, of request: BolusRequest) -> Double? {
    let units =
      switch request.amount {
      case .units(let asked): asked
      case .recommended(let scale, let cap), .calculated(_, let scale, let cap):
        min(recommended * scale, cap ?? .infinity)
      }
    if units >= request.minimumUnits { return units }
    note(.bolus, request.name, "A bolus of only \(unitsText(units)) U is not worth taking.")
    return nil
  }

  /// The bolus that a person wants goes to the pump.
  ///
  /// - Returns: What follows later by itself; `nil` where nothing does.
  private mutating func bolus(_ units: Double, _ request: BolusRequest) -> ScenarioEvent? {
    if let reported = request.reported {
      // What the body gets is no dose of the app's, and no limit of the app cuts it.
      note(.bolus, request.name, "A bolus of \(unitsText(units)) U is asked for by \(request.by).")
      return misreport(InsulinAmount(roundingUnits: units) ?? .zero, as: reported, request)
    }
    guard let amount = commandedBolus(units: units, request) else {
      noteNoNeed(of: units, request)
      return nil
    }
    let command = PumpCommand.startBolus(amount, automatic: false)
    // The pump's own buttons need no radio.
    let isGiven = request.by.goesThroughApp ? send(command) : carryOut(command)
    guard isGiven, let cancelAfter = request.cancelAfter else { return nil }
    return ScenarioEvent(at: now + cancelAfter, .cancelBolus)
  }

  /// What of a request goes to the pump, `nil` where that is nothing.
  ///
  /// A part that a limit cuts off is a warning, and booked with what was asked for.
  private mutating func commandedBolus(units: Double, _ request: BolusRequest) -> InsulinAmount? {
    let bolus = CommandedBolus(
      units: units, from: delivery.pump.profile,
      appMaximum: request.by.goesThroughApp ? phone.therapy.maximumBolus : nil)
    if bolus.asked > .zero { appRecord.note(bolus.record(of: request, at: now)) }
    guard !bolus.isNothing else { return nil }
    note(.bolus, request.name, "A bolus of \(unitsText(units)) U is asked for by \(request.by).")
    if let warning = bolus.warning { note(.warning, request.name, warning) }
    return bolus.amount > .zero ? bolus.amount : nil
  }

  /// The body gets one amount, and the pump counts and reports another.
  ///
  /// The difference is a fault of its own, with its line in the ledger.
  ///
  /// - Returns: The end of that fault; `nil` where nothing has to end.
  mutating func misreport(
    _ truth: InsulinAmount, as reported: InsulinAmount, _ request: BolusRequest
  ) -> ScenarioEvent? {
    assert(truth >= .zero, "A pump cannot take insulin back.")
    var record = BolusRequestRecord(truth, by: request.by, name: request.name, at: now)
    record.misreported = reported - truth
    record.hasStatedReport = true
    appRecord.note(record)
    guard truth > .zero || reported > .zero else { return nil }
    let id = "misreported-bolus-\(faults.episodes.count + 1)"
    guard reported > .zero else {
      begin(Fault(id: id, .pump(.unrequested(truth))))
      return nil
    }
    // A pump that gives another bolus refuses this one, and the other is as it should be.
    let isRefused = delivery.pump.bolus != nil
    if !isRefused {
      begin(Fault(id: id, .pump(.scale(basal: 1, bolus: truth.units / reported.units))))
    }
    carryOut(.startBolus(reported, automatic: false))
    guard !isRefused else { return nil }
    let span = delivery.pump.profile.bolusSpeed.duration(of: reported) + .seconds(1)
    return ScenarioEvent(at: now + span, id: id, .endFault(id: id))
  }
}
