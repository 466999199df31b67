internal import ClosedLoop
internal import Determinism
internal import Devices
internal import Expectations
internal import Physiology
internal import Quantities
public import RunPlans
internal import ScenarioLanguage
internal import Simulation
public import StructuredText

/// Turns the tree of one run into the setup of a simulation.
///
/// Everything wrong is reported with its place; nothing is silently ignored: what the format has
/// and this version cannot do is an error at its place.
///
/// Each part of a run has a reader of its own, which is told no more than it needs. They take their
/// turns in one order, because problems at one place are told in the order in which they are found.
public struct RunBuilder {
  private let run: ExpandedRun
  private let resolved: ResolvedScenario
  /// The scenario as it is written.
  private let written: Field
  /// The scenario without chance.
  private let root: Field
  private let seed: UInt64

  /// Builds a run, or nothing when the scenario has errors; `seed` replaces the scenario's own.
  public static func build(
    _ run: ExpandedRun, seed: UInt64? = nil, problems: ProblemList
  ) -> BuiltRun? {
    let own = ProblemList()
    let drawn = RunSeed.value(
      seed: seed ?? run.seed, replicate: run.replicate, patient: run.chanceOf)
    let seed = run.statedSeed ?? drawn
    let written = Field(run.tree, problems: own)
    NoAppRules(root: written).check()
    let resolved = ScenarioResolver(tree: run.tree, root: written, seed: seed).resolved()
    let root = Field(JSONField(resolved.tree, problems: own), in: written.context)
    let built = RunBuilder(
      run: run, resolved: resolved, written: written, root: root, seed: seed
    ).built()
    problems.add(own.sorted)
    return own.hasErrors ? nil : built
  }

  private func built() -> BuiltRun? {
    checkKeys()
    let context = root.context
    let clock = ClockBlock(of: root)
    let times = EventTimes(in: context, seed: seed)
    let trips = TravelClock(root["events"], times)
    let travel = trips.wallClock
    let patientBlock = PatientBlock.reading(root)
    let person = PersonReader(root: root, block: patientBlock, seed: seed).person()
    let lethalGlucose = patientBlock.lethalGlucose(of: person, in: root["patient"])
    let appBlock = AppBlock.reading(root)
    let programmed = ProgrammedTherapy(of: root, appBlock, needs: person?.needs)
    let records = HealthStoreBlock.reading(root)
    let choice = PumpChoice.reading(root)
    let past = PastOfRun.reading(root)
    let sensor = SensorChoice.reading(root, after: past)
    let slips = Slip.byEvent(in: root["faults"], seed: seed)
    let events = EventReader(
      root: root, times: times, travel: travel, slips: slips,
      doubles: Slip.doubles(in: written["faults"])
    ).events()
    let faults = FaultReader(root: root, seed: seed).events()
    let behaviour = stated("behaviour", BehaviourBlock.form)?.reactions
    let controller = stated("controller", ProgramSpec.controller)
    let supplies = stated("supplies", Supplies.form) ?? .automatic
    let output = OutputBlock.reading(root)
    output.checkRows(of: context.end - context.start, root)
    let expectations = ExpectationReader(root: root, run: run.place, reach: run.reach)
      .expectations()
    checkStep(of: person)
    for program in [controller, person?.program].compactMap(\.self) { checkReach(of: program) }
    programmed?.warnOfUnit(in: root)
    programmed?.warnOfOddSettings(in: root)
    if let choice { programmed?.checkScale(in: root, for: choice.profile.basalRates) }
    guard !root.problems.hasErrors, let person, let choice, let sensor,
      let therapy = programmed?.settings(for: choice.profile.basalRates)
    else { return nil }
    let beginning = context.start - max(context.preRoll, past.preRoll)
    let happens = past.events + events + faults
    let isContinuous = choice.isContinuous(while: choice.events(from: beginning) + happens)
    do {
      let time = travel.timeOfDay(at: beginning)
      let rate = isContinuous ? therapy.basal.value(at: time).unitsPerHour : nil
      let patient =
        try run.checksStep
        ? person.checkedPatient(at: beginning, flowing: rate)
        : person.patient(at: beginning, flowing: rate)
      let apps = try PhoneApps(
        appBlock.configuration(
          records, therapy: therapy, pump: choice, clock: travel, in: context, seed: seed),
        isOpened: root.hasApp, hasVendorApp: records.hasVendorApp,
        showing: context.glucoseUnit, at: beginning)
      let pump: Pump
      do throws(PumpError) {
        pump = try choice.pump(
          on: therapy.basal,
          clock: appBlock.scheduleZone == .wallClock
            ? context.wallClock : WallClock(initialOffset: travel.offset(at: beginning)),
          at: beginning, seed: seed)
      } catch {
        PumpRules(root: root).place(of: error).error("\(error)")
        return nil
      }
      var setup = Setup(
        id: run.id, seed: seed, start: context.start, end: context.end,
        preRoll: context.start - beginning, clock: travel,
        cycleInterval: clock.cycleInterval, cycleJitter: clock.cycleJitter,
        outputInterval: output.every,
        patient: patient, basalNeed: person.basalNeed(at: beginning), pump: pump,
        sensor: sensor.sensor(clock: travel, seed: seed), sensorSite: sensor.site,
        app: apps.loop, store: apps.store,
        history: past.readings.filter { $0.instant < context.start },
        events: choice.events(from: beginning)
          + records.refusals(at: context.start - context.preRoll) + happens)
      setup.steadyInsulin = try person.steadyInsulin(of: patient, at: beginning, flowing: rate)
      setup.hasApp = root.hasApp
      setup.vendorApp = apps.vendor
      setup.commandLatency = choice.commandLatency
      setup.stays = [(from: beginning, clock: context.wallClock)] + trips.stays
      setup.behaviour = behaviour
      setup.supplies = supplies.leaving(to: happens)
      setup.lethalGlucose = lethalGlucose
      setup.glucoseUnit = context.glucoseUnit
      setup.pumpInsulin = patientBlock.insulin
      if isContinuous { setup.inflow = .continuous }
      if let controller {
        setup.controller = controller.seat ?? .controller
        setup.controllerRules = controller.rules
      }
      // An event has many bytes: it is put in its place once, for all that look ahead.
      let inTime = happens.indices.sorted {
        (happens[$0].instant, $0) < (happens[$1].instant, $1)
      }.map { happens[$0] }
      SupplyForecast(
        root: root, supplies: setup.supplies, therapy: therapy, events: inTime,
        beginning: beginning, end: context.end,
        study: run.isOfStudy ? .init(patient: run.patient) : nil
      ).warn(of: choice, sensor)
      let places = EventPlaces(in: root)
      PhoneForecast(root: root, events: inTime, places: places).warn()
      EntryForecast(root: root, events: inTime, places: places).warn()
      OrderForecast(events: inTime, places: places).note()
      SampleForecast(root: root, events: inTime, places: places).warn()
      BolusForecast(
        root: root, profile: choice.profile, largest: therapy.maximumBolus, doses: past.doses,
        events: events + faults, places: places
      ).warn()
      LimitForecast(root: root, therapy: therapy, events: inTime, places: places).warn()
      ClockForecast(
        root: root, profile: choice.profile, therapy: therapy, events: happens, clock: travel,
        beginning: beginning, end: context.end
      ).warn()
      SettingForecast(
        root: root, choice: choice, sensor: sensor, therapy: therapy, events: happens,
        beginning: beginning, end: context.end
      ).warn()
      warnOfIdleInsulin(setup)
      guard hasAllThatItNeeds(setup) else { return nil }
      return BuiltRun(
        setup: setup, title: root["title"].text() ?? run.scenario, expectations: expectations,
        controller: controller, body: person.program, output: output.selection,
        scenarioDigest: digest(), derivedTherapy: DerivedTherapy(therapy, of: root).text,
        resolved: resolved)
    } catch {
      let words = (error as? PatientError)?.words(in: context.glucoseUnit)
      root["patient"].error(words ?? "\(error)")
      return nil
    }
  }

  /// What a block says that may be left out altogether.
  private func stated<Value>(_ key: String, _ form: Form<Value>) -> Value? {
    root[key].exists ? form.read(root[key]) : nil
  }

  // MARK: - Checks

  private func checkKeys() {
    root.allowOnly(ScenarioSchema.root.names.filter { !RunPlan.expansionKeys.contains($0) })
    checkRandom(root["random"])
  }

  private func checkRandom(_ random: Field) {
    random.allowOnly(RandomBlock.block.all.map(\.name))
    // What is set for a run may have taken the place of the block that says how many there are.
    if run.hasReplicates {
      random["replicate"].warnOfNoEffect(
        "\"random.replicate\" has no effect beside several replicates.")
    }
    if run.patient == nil {
      random["patients"].warnOfNoEffect("\"random.patients\" has no effect without a cohort.")
    }
    if run.patient != nil {
      random["patient"].warnOfNoEffect(
        "\"random.patient\" has no effect on a cohort, whose rows say it.")
    }
  }

  /// A program outside cannot have a twin with finer steps.
  private func checkStep(of person: Person?) {
    guard run.checksStep, let program = person?.program else { return }
    root.problems.error(
      at: program.place,
      "Halving the step needs a second body, and the one of this run is a program outside. "
        + "Leave out --check-step.")
  }

  /// A record of answers is read like all that a scenario names, and so lies where that may reach.
  private func checkReach(of program: ProgramSpec) {
    guard let name = program.transcript else { return }
    let path = FilePath.joined(FilePath.folder(ofNamesIn: program.place.file), name)
    guard let refusal = run.reach.refusal(of: path, named: name) else { return }
    root.problems.error(at: program.place, refusal)
  }

  /// Warns of an insulin that the basal of a body does not know, which gets rates and no pulses.
  private func warnOfIdleInsulin(_ setup: Setup) {
    guard setup.inflow == .continuous, setup.pumpInsulin != .rapid else { return }
    root["patient"]["insulinType"].warnOfNoEffect(
      "\"patient.insulinType\" has no effect on the basal of the pump 'continuous'.")
  }

  /// Whether a run without an app has nothing that needs one, which was told where it stands.
  private func hasAllThatItNeeds(_ setup: Setup) -> Bool {
    guard !setup.hasApp, let need = setup.needOfApp else { return true }
    assertionFailure("What needs an app is told where it stands: \(need)")
    root["app"].error(need)
    return false
  }

  /// The digest of the expanded tree, its comments and places left out.
  private func digest() -> String {
    var digest = RunningDigest()
    digest.absorb(JSONWriter().line(JSONValue(run.tree)))
    return digest.hexadecimal
  }
}
