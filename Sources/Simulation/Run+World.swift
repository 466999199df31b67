internal import ClosedLoop
internal import Devices
internal import Dosing
internal import HealthStore
internal import Physiology
internal import Quantities

/// What the scenario makes happen.
extension Run {
  /// Whether an event happens: always, unless it stands under a condition.
  ///
  /// The condition is looked at once, at the first thing that belongs to the event.
  mutating func isConditionMet(for event: ScenarioEvent) -> Bool {
    guard let condition = event.condition else { return true }
    if let known = state.names.isFulfilled(condition.name) { return known }
    let value = value(of: condition.series)
    let isFulfilled = value.map { condition.isFulfilled(by: $0) } ?? false
    state.names.note(condition.name, isFulfilled: isFulfilled)
    if !isFulfilled {
      let found = value.map { "\(condition.series.rawValue) is \(whole($0))" } ?? "it is unknown"
      note(.note, condition.name, "\(condition.name) does not happen: \(found).")
    }
    return isFulfilled
  }

  private func value(of series: EventCondition.Series) -> Double? {
    switch series {
    case .trueGlucose: state.delivery.body.glucose.mgdL
    case .reading:
      (setup.hasApp ? state.phone.latestGlucose(at: state.now) : state.person.shownGlucose)?.mgdL
    case .insulinOnBoard: state.phone.insulinOnBoard(at: state.now)
    case .trueInsulinOnBoard: trueInsulinOnBoard()
    case .carbsOnBoard: state.phone.carbsOnBoard
    }
  }

  /// The net insulin on board by what entered the body so far, in U.
  private func trueInsulinOnBoard() -> Double {
    var schedules = state.appRecord.schedules
    schedules.note(state.phone, through: state.now)
    var counter = InsulinOnBoardCounter(
      pulses: state.delivery.record.pulses, injections: state.delivery.body.injections,
      reference: schedules.reference,
      model: setup.pumpInsulinModel)
    return counter.onBoard(at: state.now, app: nil).body.net
  }

  /// Faults begin and end, and the phone changes; what people do is handed back, in order.
  mutating func performEnvironmentChanges() -> [ScenarioEvent] {
    var acts: [ScenarioEvent] = []
    while let event = state.agenda.takeEvent(through: state.now) {
      assert(event.instant <= state.now, "An event does not happen before its time.")
      switch event.action.phase {
      case .act: acts.append(event)
      case .surroundings: if isConditionMet(for: event) { perform(event) }
      }
    }
    handOverWaitingSamples()
    return acts
  }

  /// People act, one after the other, and the step goes on; who asks a program for a bolus waits.
  mutating func goOn(performing acts: ArraySlice<ScenarioEvent>) -> Bool {
    assert(
      acts.allSatisfy { $0.action.phase == .act },
      "The surroundings have changed before people act.")
    var acts = acts
    while let event = acts.popFirst() {
      guard isConditionMet(for: event), canPerform(event) else { continue }
      if case .bolus(let request) = event.action, asksProgram(for: request) {
        askBolus(request, for: event, before: acts)
        return true
      }
      perform(event)
    }
    return goOnAfterActs()
  }

  /// Carries out an event.
  mutating func perform(_ event: ScenarioEvent) {
    switch event.action {
    case .eat(let meal, let name): eat(meal, name)
    case .inject(let units, let formulation, let name): inject(units, formulation, name)
    case .apply(let condition, let name): apply(condition, name)
    case .enterCarbs(let request): enterCarbs(request)
    case .editCarbs(let name, let grams, let absorption, let eatenAt):
      editCarbs(name, grams: grams, absorption: absorption, eatenAt: eatenAt)
    case .deleteCarbs(let name): deleteCarbs(name)
    case .bolus(let request): delivering(for: event) { $0.bolus(request) }
    case .recordBolus(let amount):
      let request = BolusRequest(.units(0), by: .pump, name: event.id)
      delivering(for: event) { $0.misreport(.zero, as: amount, request) }
    case .cancelBolus: delivering(for: event) { $0.send(.cancelBolus) }
    case .tempBasal(let rate, let duration):
      delivering(for: event) {
        $0.send(.startTempBasal(rate, duration: duration, automatic: false))
      }
    case .cancelTempBasal: delivering(for: event) { $0.send(.cancelTempBasal) }
    case .suspend: delivering(for: event) { $0.send(.suspend) }
    case .resume: delivering(for: event) { $0.send(.resume) }
    case .setClosedLoop(let isOn): setClosedLoop(isOn)
    case .startPreset(let request): startPreset(request)
    case .endPreset: endPreset()
    case .changeSettings(let change): changeSettings(change)
    case .logDose(let units, let takenAt, let insulin): logDose(units, takenAt, insulin)
    case .fingerstick(let request): measure(request)
    case .reinstallApp: reinstall()
    case .remote(let request): receive(request)
    case .delete(let request): delete(request)
    case .writeToHealthStore(let write): take(NamedWrite(write: write, event: event.id))
    case .authorize(let access):
      state.store.answer(access, at: state.now, noting: &state.trace)
    case .restoreHealthStore: state.store.restore(at: state.now, noting: &state.trace)
    case .pump(let service): perform(service)
    case .sensor(let service): perform(service)
    case .travel(let clock, let pumpFollows): travel(to: clock, pumpFollows: pumpFollows)
    case .remark(let sentence): note(.note, event.id, sentence)
    case .beginFault(let fault): begin(fault)
    case .endFault(let id): end(faultID: id)
    case .setPhone(let phone): setPhone(phone)
    case .setPhoneClock(let setting): setPhoneClock(setting)
    }
  }

  // MARK: - The body

  private mutating func eat(_ meal: MealInput, _ name: String) {
    assert(meal.grams >= 0, "Nobody eats less than nothing.")
    state.delivery.body.eat(meal)
    state.row.carbsEaten = state.row.carbsEaten + CarbohydrateMass(grams: meal.grams)
    note(.meal, name, "\(whole(meal.grams)) g of carbohydrate are eaten.")
  }

  private mutating func inject(_ units: Double, _ formulation: InsulinFormulation, _ name: String) {
    assert(units >= 0, "Nobody injects less than nothing.")
    let model = InsulinType(rawValue: formulation.id)?.model(
      rapidActing: state.phone.therapy.rapidActingModel)
    state.delivery.body.inject(units, formulation, name: name, model: model, at: state.now)
    let verb = formulation.routes == [.inhaler] ? "inhaled" : "injected"
    note(.injection, name, "\(unitsText(units)) U are \(verb).")
  }

  private mutating func apply(_ condition: BodyCondition, _ name: String) {
    let isKnown = state.delivery.body.apply(condition)
    note(
      isKnown ? .exercise : .warning, name,
      isKnown
        ? "The body meets: \(name)."
        : "The patient model does not know \(name); nothing changes.")
  }

  // MARK: - Carbohydrate entries

  private mutating func enterCarbs(_ request: CarbEntryRequest) {
    let entry = CarbStore.Entry(
      date: request.eatenAt, mass: CarbohydrateMass(grams: request.grams),
      absorptionTime: request.absorption)
    do throws(CarbStore.Refusal) {
      let identifier = try state.phone.enterCarbs(entry, at: state.now)
      state.names.note(request.name, entered: entry, as: identifier)
      state.row.carbsEntered = state.row.carbsEntered + entry.mass
      note(.carbEntry, request.name, "\(whole(request.grams)) g are entered in the app.")
    } catch {
      note(.warning, request.name, "The carbs were not taken: \(error)")
    }
  }

  private mutating func editCarbs(
    _ name: String, grams: Double?, absorption: TimeSpan?, eatenAt: Instant?
  ) {
    guard var named = state.names.carbEntry(name) else {
      note(.warning, name, "There is no carb entry \(name) to edit.")
      return
    }
    if let grams { named.entry.mass = CarbohydrateMass(grams: grams) }
    if let absorption { named.entry.absorptionTime = absorption }
    if let eatenAt { named.entry.date = eatenAt }
    do throws(CarbStore.Refusal) {
      try state.phone.editCarbs(named.identifier, to: named.entry, at: state.now)
      state.names.change(named)
      note(.carbEntry, name, "The carb entry is changed to \(whole(named.entry.mass.grams)) g.")
    } catch {
      note(.warning, name, "The carb entry was not changed: \(error)")
    }
  }

  private mutating func deleteCarbs(_ name: String) {
    guard let named = state.names.carbEntry(name) else {
      note(.warning, name, "There is no carb entry \(name) to delete.")
      return
    }
    do throws(CarbStore.Refusal) {
      try state.phone.deleteCarbs(named.identifier, at: state.now)
      state.names.removeCarbEntries { $0.identifier == named.identifier }
      note(.carbEntry, name, "The carb entry is deleted in the app.")
    } catch {
      note(.warning, name, "The carb entry was not deleted: \(error)")
    }
  }

  // MARK: - Delivery

  /// Has the pump do something for an event, and remembers what the event made.
  mutating func delivering(for event: ScenarioEvent, _ act: (inout Run) -> Void) {
    let boluses = state.delivery.record.boluses.count
    let program = state.delivery.pump.program.event
    act(&self)
    for bolus in state.delivery.record.boluses.dropFirst(boluses) {
      state.names.note(event.id, made: bolus.identifier)
    }
    if let started = state.delivery.pump.program.event, started != program {
      state.names.note(event.id, made: SyncIdentifier(started))
    }
    ingestPump()
  }

  private mutating func bolus(_ request: BolusRequest) {
    let units: Double
    switch request.amount {
    case .units(let asked): units = asked
    case .recommended(let scale, let cap), .calculated(_, let scale, let cap):
      receiveReadings()
      ingestPump()
      guard let advised = advisedUnits(request),
        let wanted = taken(advised, scale, cap, request)
      else { return }
      units = wanted
    }
    bolus(units, request)
  }

  /// What a person takes of what is recommended or advised; `nil`, and told, where that is not
  /// worth it.
  mutating func taken(
    _ recommended: Double, _ scale: Double, _ cap: Double?, _ request: BolusRequest
  ) -> Double? {
    let units = min(recommended * scale, cap ?? .infinity)
    if units >= request.minimumUnits { return units }
    note(.bolus, request.name, "A bolus of only \(unitsText(units)) U is not worth taking.")
    return nil
  }

  /// The bolus that a person wants.
  mutating func bolus(_ units: Double, _ request: BolusRequest) {
    if let reported = request.reported {
      // What the body gets is no dose of the app's, and no limit of the app cuts it.
      note(.bolus, request.name, "A bolus of \(unitsText(units)) U is asked for by \(request.by).")
      misreport(InsulinAmount(roundingUnits: units) ?? .zero, as: reported, request)
      return
    }
    guard let amount = commandedBolus(units: units, request) else {
      note(.bolus, request.name, "No bolus is needed (\(unitsText(units)) U).")
      return
    }
    let command = PumpCommand.startBolus(amount, automatic: false)
    // The pump's own buttons need no radio.
    let isGiven = request.by.goesThroughApp ? send(command) : carryOut(command)
    if isGiven, let cancelAfter = request.cancelAfter {
      let cancelled = state.now + cancelAfter
      state.agenda.addConsequence(ScenarioEvent(at: cancelled, .cancelBolus), at: cancelled)
    }
  }

  /// What of a request goes to the pump, `nil` where that is nothing.
  ///
  /// A part that a limit cuts off is a warning, and booked with what was asked for.
  private mutating func commandedBolus(units: Double, _ request: BolusRequest) -> InsulinAmount? {
    let bolus = CommandedBolus(
      units: units, from: state.delivery.pump.profile,
      appMaximum: request.by.goesThroughApp ? state.phone.therapy.maximumBolus : nil)
    if bolus.asked > .zero { state.appRecord.note(bolus.record(of: request, at: state.now)) }
    guard !bolus.isNothing else { return nil }
    note(.bolus, request.name, "A bolus of \(unitsText(units)) U is asked for by \(request.by).")
    if let warning = bolus.warning { note(.warning, request.name, warning) }
    return bolus.amount > .zero ? bolus.amount : nil
  }

  /// The body gets one amount, and the pump counts and reports another.
  ///
  /// The difference is a fault of its own, with its line in the ledger.
  private mutating func misreport(
    _ truth: InsulinAmount, as reported: InsulinAmount, _ request: BolusRequest
  ) {
    assert(truth >= .zero, "A pump cannot take insulin back.")
    var record = BolusRequestRecord(truth, by: request.by, name: request.name, at: state.now)
    record.misreported = reported - truth
    record.hasStatedReport = true
    state.appRecord.note(record)
    guard truth > .zero || reported > .zero else { return }
    let id = "misreported-bolus-\(state.faults.episodes.count + 1)"
    guard reported > .zero else {
      begin(Fault(id: id, .pump(.unrequested(truth))))
      return
    }
    // A pump that gives another bolus refuses this one, and the other is as it should be.
    let isRefused = state.delivery.pump.bolus != nil
    if !isRefused {
      begin(Fault(id: id, .pump(.scale(basal: 1, bolus: truth.units / reported.units))))
    }
    carryOut(.startBolus(reported, automatic: false))
    guard !isRefused else { return }
    let span = state.delivery.pump.profile.bolusSpeed.duration(of: reported) + .seconds(1)
    let over = state.now + span
    state.agenda.addConsequence(ScenarioEvent(at: over, id: id, .endFault(id: id)), at: over)
  }

  private mutating func perform(_ service: PumpService) {
    if case .setTime = service {
      setPumpClock()
    } else {
      state.delivery.perform(service, at: state.now, noting: &state.trace)
    }
    ingestPump()
  }

  private mutating func perform(_ service: SensorService) {
    switch service {
    case .replace:
      state.sensor.replace(at: state.now)
      note(.cgm, "replace", "A new sensor is put in.")
    case .stop:
      state.sensor.begin(.fail, id: "stopped", at: state.now)
      note(.cgm, "stop", "The sensor is stopped.")
    case .calibrate(let meter):
      let isTaken = state.sensor.calibrate(with: meter, at: state.now)
      let words = setup.glucoseUnit.words(meter)
      note(
        isTaken ? .cgm : .warning, "calibrate",
        isTaken
          ? "The sensor is calibrated with \(words)."
          : "The sensor did not take the calibration with \(words): it has come to its "
            + "end, or has not measured yet.")
    }
  }
}
