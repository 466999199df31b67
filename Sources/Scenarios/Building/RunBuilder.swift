internal import ClosedLoop
internal import Determinism
internal import Devices
public import Expectations
internal import HealthStore
internal import Physiology
internal import Quantities
internal import ScenarioLanguage
public import Simulation
public import StructuredText

/// A run that is ready to start: its setup, and what is expected of it.
public struct BuiltRun: Sendable {
  /// What the run is made from.
  public var setup: Setup
  /// The scenario's title; its id when it has none.
  public var title: String
  /// What must be true of it.
  public var expectations: [Expectation]
  /// The program that decides; `nil` where the app does.
  public var controller: ProgramSpec?
  /// The program that is the body; `nil` where the body is one of ours.
  public var body: ProgramSpec?
  /// What is kept of it.
  public var output: OutputSelection
  /// The digest of the scenario as it was expanded, in hexadecimal.
  public var scenarioDigest: String
  /// What of the therapy the scenario does not state, and where it comes from.
  public var derivedTherapy: String?
  /// What the run was built from: the scenario without chance.
  public var resolved: ResolvedScenario

  /// The programs that have a part in the run.
  public var programs: [ProgramSpec] { [body, controller].compactMap(\.self) }
}

/// Turns the tree of one run into the setup of a simulation.
///
/// Everything wrong is reported with its place; nothing is silently ignored: what the format has
/// and this version cannot do is an error at its place.
public struct RunBuilder {
  let root: Field
  let run: ExpandedRun
  let seed: UInt64
  let problems: ProblemList

  /// Builds a run, or nothing when the scenario has errors; `seed` replaces the scenario's own.
  public static func build(
    _ run: ExpandedRun, seed: UInt64? = nil, problems: ProblemList
  ) -> BuiltRun? {
    let own = ProblemList()
    let root = Field(run.tree, problems: own)
    let base = seed ?? run.seed
    let seed = RunSeed.value(
      seed: base, replicate: run.replicate, patient: run.chanceOf, arm: run.chanceArm)
    NoAppRules(root: root).check()
    let resolved = ScenarioResolver(tree: run.tree, root: root, seed: seed).resolved()
    let builder = RunBuilder(
      root: Field(JSONField(resolved.tree, problems: own), in: root.context), run: run,
      seed: seed, problems: own)
    let built = builder.build(resolved)
    problems.add(own.sorted)
    return own.hasErrors ? nil : built
  }

  private func build(_ resolved: ResolvedScenario) -> BuiltRun? {
    checkKeys()
    let context = root.context
    let clock = ClockBlock(of: root)
    let times = EventTimes(in: context, seed: seed)
    let travel = TravelClock(root["events"], times).wallClock
    let patientBlock = patient()
    let person = person(patientBlock)
    let lethalGlucose = lethalGlucose(patientBlock, of: person)
    let appBlock = app()
    let therapy = therapy(appBlock, needs: person?.needs)
    let records = HealthStoreBlock.block.value(HealthStoreBlock(), of: root["healthStore"])
    let choice = PumpChoice.reading(root)
    let history = PastOfRun.reading(root)
    let sensor = SensorChoice.reading(root, after: history)
    let slips = Slip.byEvent(in: root["faults"], seed: seed)
    let events = EventReader(root: root, times: times, travel: travel, slips: slips).events()
    let faults = FaultReader(root: root, seed: seed).events()
    let behaviour =
      root["behaviour"].exists ? BehaviourBlock.form.read(root["behaviour"])?.reactions : nil
    let controller =
      root["controller"].exists ? ProgramSpec.controller.read(root["controller"]) : nil
    let supplies = root["supplies"].exists ? Supplies.form.read(root["supplies"]) : nil
    let output = OutputBlock.reading(root)
    let expectations = ExpectationReader(root: root, run: run.place, reach: run.reach)
      .expectations()
    if run.checksStep, let program = person?.program {
      problems.error(
        at: program.place,
        "Halving the step needs a second body, and the one of this run is a program outside. "
          + "Leave out --check-step.")
    }
    guard !problems.hasErrors, let person, let choice, let sensor,
      let therapy = therapy.map({ $0.settings.scaled(by: $0.scale, for: choice.profile.basalRates) }
      )
    else { return nil }
    let beginning = context.start - max(context.preRoll, history.preRoll)
    do {
      let profile = choice.profile
      let happens = history.events + events + faults
      // What does not arrive of a pulse is a part of that pulse, so that such a body gets pulses.
      let isContinuous =
        profile.id == PumpProfile.continuous.id && !happens.contains(where: \.changesWhatArrives)
      let time = travel.civilTime(at: beginning).timeOfDay
      let rate = isContinuous ? therapy.basal.value(at: time).unitsPerHour : nil
      let patient =
        try run.checksStep
        ? person.checkedPatient(at: beginning, flowing: rate)
        : person.patient(at: beginning, flowing: rate)
      var store = InMemoryHealthStore()
      let configuration = appConfiguration(
        appBlock, records, therapy: therapy, pump: choice, clock: travel)
      var app = LoopApp(configuration: configuration, at: beginning)
      if root.hasApp { try app.open(&store, granting: .full) }
      let pump = try Pump(
        profile: profile, schedule: therapy.basal,
        clock: configuration.scheduleZone == .wallClock
          ? context.wallClock : WallClock(initialOffset: travel.offset(at: beginning)),
        at: beginning, activation: choice.activation.map { min($0, beginning) },
        reservoir: (choice.activation ?? beginning) > beginning ? nil : choice.reservoir,
        seed: seed)
      var setup = Setup(
        id: run.id, seed: seed, start: context.start, end: context.end,
        preRoll: context.start - beginning,
        clock: travel,
        cycleInterval: clock.cycleInterval, cycleJitter: clock.cycleJitter,
        outputInterval: output.every,
        patient: patient, basalNeed: person.basalNeed(of: patient), pump: pump,
        sensor: GlucoseSensor(
          profile: sensor.profile, insertedAt: sensor.insertion, clock: travel, seed: seed,
          recording: sensor.recording),
        sensorSite: sensor.site, app: app, store: store,
        history: history.readings.filter { $0.instant < context.start },
        events: choice.events(from: beginning) + refusedPermissions(records) + happens)
      setup.hasApp = root.hasApp
      setup.commandLatency = choice.commandLatency
      setup.behaviour = behaviour
      setup.supplies = self.supplies(supplies ?? .automatic, happens)
      SupplyForecast(
        root: root, supplies: setup.supplies, therapy: therapy, events: happens,
        beginning: beginning, end: context.end,
        study: run.isOfStudy ? .init(patient: run.patient) : nil
      ).warn(of: choice, sensor)
      PhoneForecast(root: root, events: happens).warn()
      setup.lethalGlucose = lethalGlucose
      setup.glucoseUnit = context.glucoseUnit
      if isContinuous { setup.inflow = .continuous }
      setup.pumpInsulin = patientBlock.insulin
      if isContinuous, patientBlock.insulin != .rapid {
        root["patient"]["insulinType"].warning(
          code: "W-NOEFFECT",
          "\"patient.insulinType\" has no effect on the basal of the pump 'continuous'.")
      }
      if records.hasVendorApp {
        var vendor = VendorGlucoseApp(identitySeed: seed &+ 1)
        try vendor.open(&setup.store)
        setup.vendorApp = vendor
      }
      if let controller {
        setup.controller = controller.seat ?? .controller
        setup.controllerRules = controller.rules
      }
      if !root.hasApp, let need = setup.needOfApp {
        assertionFailure("What needs an app is told where it stands: \(need)")
        root["app"].error(need)
        return nil
      }
      return BuiltRun(
        setup: setup, title: root["title"].text() ?? run.scenario, expectations: expectations,
        controller: controller, body: person.program,
        output: output.selection, scenarioDigest: digest(), derivedTherapy: derivedTherapy(therapy),
        resolved: resolved)
    } catch {
      root["patient"].error("\(error)")
      return nil
    }
  }

  private func checkKeys() {
    root.allowOnly(ScenarioSchema.root.names.filter { !RunPlan.expansionKeys.contains($0) })
    checkRandom(root["random"])
  }

  private func checkRandom(_ random: Field) {
    random.allowOnly(RandomBlock.block.all.map(\.name))
    if random["replicate"].exists, (random["replicates"].node?.integer ?? 1) > 1 {
      random["replicate"].warning(
        code: "W-NOEFFECT", "\"random.replicate\" has no effect beside several replicates.")
    }
    if random["patients"].exists, run.patient == nil {
      random["patients"].warning(
        code: "W-NOEFFECT", "\"random.patients\" has no effect without a cohort.")
    }
    if random["patient"].exists, run.patient != nil {
      random["patient"].warning(
        code: "W-NOEFFECT", "\"random.patient\" has no effect on a cohort, whose rows say it.")
    }
  }

  /// The digest of the expanded tree, its comments and places left out.
  private func digest() -> String {
    var digest = RunningDigest()
    digest.absorb(JSONWriter().line(JSONValue(run.tree)))
    return digest.hexadecimal
  }
}
