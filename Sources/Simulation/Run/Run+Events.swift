internal import ClosedLoop
internal import Devices
internal import Dosing
internal import HealthStore
internal import Physiology
internal import Quantities

/// What the scenario makes happen.
extension Run {
  /// Faults begin and end, and the phone changes; what people do is handed back, in order.
  mutating func performEnvironmentChanges() -> [ScenarioEvent] {
    var acts: [ScenarioEvent] = []
    while let event = agenda.takeEvent(through: world.now) {
      assert(event.instant <= world.now, "An event does not happen before its time.")
      switch event.action.phase {
      case .act: acts.append(event)
      case .surroundings: if isConditionMet(for: event) { perform(event) }
      }
    }
    world.handOverWaitingSamples()
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
      if case .bolus(let request) = event.action, asking.asksProgram(for: request) {
        ask(for: AskedBolus(event: event, request: request, rest: acts))
        return true
      }
      perform(event)
    }
    return goOnAfterActs()
  }

  /// Whether an event happens: always, unless it stands under a condition.
  ///
  /// The condition is looked at once, at the first thing that belongs to the event.
  private mutating func isConditionMet(for event: ScenarioEvent) -> Bool {
    guard let condition = event.condition else { return true }
    if let known = world.names.isFulfilled(condition.name) { return known }
    let value = value(of: condition.series, in: event.action.phase)
    let isFulfilled = value.map { condition.isFulfilled(by: $0) } ?? false
    world.names.note(condition.name, isFulfilled: isFulfilled)
    if !isFulfilled {
      let found =
        value.map { "\(condition.series.rawValue) is \(number($0, of: condition.series))" }
        ?? "it is unknown"
      world.note(.note, condition.name, "\(condition.name) does not happen: \(found).")
    }
    return isFulfilled
  }

  /// What a condition looks at in a phase of the step; `nil` where it is unknown.
  ///
  /// The surroundings change before the body lives up to the instant: what it comes to by then is
  /// seen in a copy. A body outside has said nothing of the instant yet, and its last word counts.
  private func value(
    of series: EventCondition.Series, in phase: ScenarioEvent.Action.Phase
  ) -> Double? {
    guard phase == .surroundings, series.isOfBody, !world.delivery.body.isAsked else {
      return world.value(of: series)
    }
    var world = world
    world.live()
    return world.value(of: series)
  }

  /// A value as conditions are written: glucose in mmol/L to a hundredth, so that 3.89 is not told
  /// as 3.9 beside a limit of 3.9.
  private func number(_ value: Double, of series: EventCondition.Series) -> String {
    let unit = setup.glucoseUnit
    guard series.isGlucose, unit == .millimolesPerLitre else { return whole(value) }
    return whole((value / unit.mgdL * 100).rounded() / 100)
  }

  /// Whether an event can be carried out; what is done on the phone cannot while it is off.
  private mutating func canPerform(_ event: ScenarioEvent) -> Bool {
    if case .resume = event.action, world.names.isSuspensionIdle(by: event.id) { return false }
    guard world.phoneState == .off, let act = event.action.onPhone else { return true }
    world.note(
      .warning, event.id, "\(act) did not happen: the phone is off.",
      notGiven: event.action.statedBolus)
    if case .bolus(let request) = event.action { request.noteRefused(in: &world) }
    if case .suspend = event.action { world.names.noteSuspension(by: event.id, isRefused: true) }
    if case .logDose(let units, let takenAt, _) = event.action {
      world.circumstances.lostLogs.append(
        .init(start: takenAt, units: units, loss: .phoneOff, instant: world.now))
    }
    return false
  }

  /// Carries out an event.
  mutating func perform(_ event: ScenarioEvent) {
    world.link.beginAct(of: event.id)
    if event.action.isSeenByApp { world.isTrigger = true }
    switch event.action {
    case .eat(let meal, let name): world.eat(meal, name)
    case .inject(let units, let formulation, let name): world.inject(units, formulation, name)
    case .apply(let condition, let name):
      world.delivery.body.apply(
        condition, name, of: event.id, at: world.now, noting: &world.trace)
    case .enterCarbs(let request): request.carryOut(in: &world)
    case .editCarbs(let name, let grams, let absorption, let eatenAt):
      world.names.carbEntries.edit(
        name, grams: grams, absorption: absorption, eatenAt: eatenAt, in: &world.phone,
        at: world.now, noting: &world.trace)
    case .deleteCarbs(let name):
      world.names.carbEntries.delete(
        name, in: &world.phone, at: world.now, noting: &world.trace)
    case .bolus(let request):
      tellOfAdviser(request)
      plan(world.delivering(for: event) { request.carryOut(in: &$0) }, of: event)
    case .recordBolus(let amount):
      let request = BolusRequest(.units(0), by: .pump, name: event.id)
      plan(
        world.delivering(for: event) { request.misreport(.zero, as: amount, in: &$0) }, of: event)
    case .cancelBolus(let isOnPump): world.cancelBolus(for: event, onPump: isOnPump)
    case .tempBasal(let rate, let duration, let isOnPump):
      world.setTempBasal(rate, for: duration, onPump: isOnPump, as: event)
    case .cancelTempBasal: world.cancelTempBasal(for: event)
    case .suspend: world.suspend(for: event)
    case .resume: world.resume(for: event)
    case .setClosedLoop(let isOn): world.setClosedLoop(isOn)
    case .startPreset(let request): world.startPreset(request)
    case .endPreset: world.endPreset()
    case .changeSettings(let change): world.changeSettings(change)
    case .logDose(let units, let takenAt, let insulin):
      world.logDose(units, takenAt, insulin, for: event.id)
    case .fingerstick(let request): request.carryOut(for: event.id, in: &world)
    case .reinstallApp: world.reinstall()
    case .remote(let request): receive(request)
    case .delete(let request): request.carryOut(in: &world)
    case .writeToHealthStore(let write): world.take(NamedWrite(write: write, event: event.id))
    case .authorize(let access):
      world.store.answer(access, at: world.now, noting: &world.trace)
    case .restoreHealthStore: world.store.restore(at: world.now, noting: &world.trace)
    case .pump(let service): service.carryOut(in: &world)
    case .sensor(let service): service.carryOut(in: &world)
    case .travel(let clock, let pumpFollows): world.travel(to: clock, pumpFollows: pumpFollows)
    case .remark(let sentence): world.note(.note, event.id, sentence)
    case .beginFault(let fault):
      world.begin(fault)
      if case .pump(.misreportedBolus) = fault.effect { plan(world.endOfMisreport, of: event) }
    case .endFault(let id): world.end(faultID: id)
    case .setPhone(let phone): world.setPhone(phone)
    case .setPhoneClock(let setting): world.setPhoneClock(setting)
    }
  }

  /// What follows from an event comes when it is due; `nil` where nothing does.
  mutating func plan(_ consequence: ScenarioEvent?, of event: ScenarioEvent) {
    guard var consequence else { return }
    if consequence.id.isEmpty { consequence.id = event.id }
    agenda.addConsequence(consequence, at: consequence.instant)
  }
}
