import Devices
import Quantities
import RunPlans
import Simulation
import StructuredText
import Testing

@testable import Scenarios

@Suite("The block that describes a pump")
struct PumpBlockTests {
  private static func build(
    _ pump: String, preRoll: String = "0s"
  ) -> (built: BuiltRun?, problems: [String]) {
    let read = Read(
      """
      clock: { start: '2026-01-15T08:00:00', duration: '4h', preRoll: '\(preRoll)' },
      patient: { model: 'tidepool-simple', initialGlucose: 110,
        needs: { basal: [['00:00', 0.4]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false }, supplies: 'none', pump: \(pump)
      """)
    guard let plan = read.plan else { return (nil, read.sentences) }
    let problems = ProblemList()
    let built = RunBuilder.build(plan.run(at: 0), problems: problems)
    return (built, problems.sorted.map(\.description))
  }

  @Test("A pulse, steps, a capacity and a life replace those of the model")
  func changesProfile() throws {
    let (built, problems) = Self.build(
      """
      { model: 'omnipodDASH', pulse: 0.025, basalStep: 0.1, bolusStep: 0.075, capacity: 150,
        reservoir: 90, life: '60h' }
      """)
    let pump = try #require(built, "\(problems)").setup.pump
    #expect(pump.profile.pulse == .milliunits(25))
    #expect(pump.profile.basalRates.contains(400))
    #expect(!pump.profile.basalRates.contains(450))
    #expect(pump.profile.supportedBolus(atMostUnits: 1) == .milliunits(975))
    #expect(pump.profile.reservoirCapacity == .milliunits(150_000))
    #expect(pump.reservoir == .milliunits(90_000))
    // The seven and eight hours of grace are the model's own.
    #expect(
      pump.profile.life
        == PumpLife(advisory: .hours(60), imminent: .hours(67), end: .hours(68)))
  }

  @Test("What leaks of a pump without granularity does not reach the body")
  func leaksContinuously() throws {
    for (fault, arrived) in [("", 1.6), ("pump: { leak: { fraction: 0.5 } }", 0.8)] {
      let faults = fault.isEmpty ? "" : "{ id: 'f', during: ['+0s', '4h'], \(fault) }"
      let (built, problems) = Self.build("{ model: 'continuous' }, faults: [\(faults)]")
      let setup = try #require(built, "\(problems)").setup
      #expect(setup.inflow == (fault.isEmpty ? .continuous : .pulses))
      var run = Run(setup)
      while run.step() {}
      let result = run.finish()
      #expect(abs(result.agreement.basal.body - arrived) < 1e-9)
      #expect(abs(result.ledger.body.absorbed.units - arrived) < 1e-9)
      #expect(result.agreement.basal.pump == 1.6)
    }
  }

  /// What stops a bolus of 10 U, of which a pump without granularity gives one in each second.
  static let stops = [
    "cancelAt: '+5s' } }]", "by: 'pump', cancelAt: '+5s' } }]",
    "} }, { at: '+1h5s', suspend: true }]", "} }, { at: '+1h5s', pump: { refill: 100 } }]",
    "} }, { at: '+1h5s', pump: { replace: {} } }]",
    "} }], faults: [{ at: '+1h5s', pump: { empty: {} } }]",
    "} }], faults: [{ during: ['+1h5s', '5m'], pump: { error: {} } }]",
    "} }], faults: [{ during: ['+50m', '20m'], "
      + "pump: { uncertainDelivery: { trulyDelivered: 0.5 } } }]",
  ]

  /// The units of boluses in a run with a pump without granularity, of which the rest of the block
  /// is said and what follows it.
  private static func bolus(_ rest: String) throws -> RecordAgreement.Totals {
    let (built, problems) = build("{ model: 'continuous', \(rest)")
    let setup = try #require(built, "\(problems)").setup
    // What stops a bolus later changes nothing of how the body is fed until then.
    #expect(setup.inflow == .continuous)
    var run = Run(setup)
    while run.step() {}
    return run.finish().agreement.bolus
  }

  @Test("Of a bolus that is stopped the body has what was given", arguments: stops)
  func stoppedBolus(_ stop: String) throws {
    let bolus = try Self.bolus("}, events: [{ at: '+1h', bolus: { units: 10, \(stop)")
    #expect(bolus.pump == 5)
    #expect(abs(bolus.body - 5) < 1e-9)
  }

  @Test(
    "Of a bolus for which the reservoir does not last the body has what was given",
    arguments: [
      "reservoir: 3 }, events: [", "capacity: 3 }, events: [",
      "}, events: [{ at: '+10m', pump: { refill: 3 } }, ",
    ])
  func emptiedReservoir(_ block: String) throws {
    let bolus = try Self.bolus("\(block){ at: '+1h', bolus: { units: 10 } }]")
    let given = try #require(bolus.pump)
    #expect(given > 0 && given < 3)
    #expect(abs(bolus.body - given) < 1e-9)
  }

  @Test(
    "Of a bolus in which the pump ends or is taken off the body has what was given until then",
    arguments: [
      "startedAt: '+1h5s' }, events: [", "life: '1h', startedAt: '+5s' }, events: [",
      "}, events: [{ at: '+1h5s', pump: { remove: true } }, ",
    ])
  func endedPump(_ block: String) throws {
    let bolus = try Self.bolus("\(block){ at: '+1h', bolus: { units: 10 } }]")
    #expect(abs(bolus.body - 5) < 1e-9)
  }

  @Test("A pump without granularity that only warns feeds the body by whole boluses")
  func warningPump() throws {
    let (built, problems) = Self.build(
      "{ model: 'continuous' }, faults: [{ at: '+2h', pump: { lowBattery: {} } }]")
    #expect(try #require(built, "\(problems)").setup.inflow == .continuous)
  }

  @Test("Another pulse alone changes the step of boluses only where they were not whole pulses")
  func keepsStepsOfWholePulses() throws {
    let finer = try #require(Self.build("{ pulse: 0.01 }").built).setup.pump.profile
    #expect(finer.bolusVolumes == PumpProfile.generic50.bolusVolumes)
    let coarser = try #require(Self.build("{ pulse: 0.1 }").built).setup.pump.profile
    #expect(coarser.supportedBolus(atMostUnits: 0.19) == .milliunits(100))
    #expect(coarser.supportedBolus(atMostUnits: 0.05) == .zero)
    // A Tandem's boluses begin at 0.05 U and go in steps of 0.01 U, of which no pulse is made.
    let tandem = try #require(Self.build("{ model: 'tandemX2', pulse: 0.05 }").built)
    #expect(tandem.setup.pump.profile.supportedBolus(atMostUnits: 2.06) == .milliunits(2_050))
  }

  @Test("A stated step of boluses holds also where it is the smallest bolus of the model")
  func statedStep() throws {
    for (pump, supported) in [
      ("{ model: 'tandemX2', bolusStep: 0.05 }", 2_050), ("{ model: 'tandemX2' }", 2_060),
      // A Medtronic's own step is 0.05 U above 1 U.
      ("{ model: 'medtronic523', bolusStep: 0.025 }", 2_075), ("{ model: 'medtronic523' }", 2_050),
    ] as [(String, Int64)] {
      let (built, problems) = Self.build(pump)
      let profile = try #require(built, "\(problems)").setup.pump.profile
      let units = profile.id == "tandemX2" ? 2.06 : 2.08
      #expect(profile.supportedBolus(atMostUnits: units) == .milliunits(supported), "\(pump)")
    }
  }

  @Test(
    "What a pump cannot be is one located sentence",
    arguments: [
      ("{ pulse: 0.1, bolusStep: 0.05 }", "not a whole number of pulses"),
      ("{ reservoir: 250 }", "holds at most 200"),
      ("{ reservoir: 170, capacity: 150 }", "holds at most 150"),
      ("{ model: 'omnipodDASH', startedAt: '-81h' }", "before the run starts"),
      ("{ commLatency: '5m' }", "'1m'"),
      ("{ clockDrift: '5s' }", "/day"), ("{ clockDrift: '-13h/day' }", "from '-12h/day' to"),
      ("{ pulse: 0 }", "0.001"),
    ])
  func refuses(pump: String, part: String) {
    let (built, problems) = Self.build(pump)
    #expect(built == nil)
    #expect(problems.count == 1 && problems[0].contains(part), "\(problems)")
    #expect(problems.allSatisfy { $0.hasPrefix("Scenarios/a.json5:") })
  }

  @Test("A pump put on before the world began keeps its age; one put on later replaces a full one")
  func startedAt() throws {
    let worn = try #require(
      Self.build("{ model: 'omnipodDASH', startedAt: '-75h', reservoir: 50 }").built
    ).setup
    #expect(worn.start - worn.pump.activation == .hours(75))
    #expect(worn.pump.reservoir == .milliunits(50_000))
    var run = Run(worn)
    while run.step() {}
    let alerts = run.finish().trace.happenings.filter { $0.kind == .alert }.map(\.instant)
    #expect(alerts == [worn.start + .hours(4)])

    let later = try #require(
      Self.build("{ model: 'omnipodDASH', startedAt: '-5h', reservoir: 50 }", preRoll: "24h").built
    ).setup
    #expect(later.pump.reservoir == .milliunits(200_000))
    var second = Run(later)
    while second.step(), second.now < later.start - .hours(5) {}
    // 3.1 U prime the new pod.
    #expect(second.snapshot.pump.reservoir == .milliunits(46_900))
    #expect(second.snapshot.pump.activation == later.start - .hours(5))
  }

  @Test("Commands that belong together reach the pump one after the other")
  func latency() throws {
    var setup = try #require(Self.build("{ commLatency: '20s' }").built).setup
    setup.events.append(
      ScenarioEvent(at: setup.start, .tempBasal(.zero, duration: .minutes(30))))
    setup.events.append(ScenarioEvent(at: setup.start, .suspend))
    var run = Run(setup)
    while run.step() {}
    let result = run.finish()
    let starts = result.trace.happenings.filter { $0.kind == .tempBasal }
      .filter { $0.name == "start" }
    #expect(starts.map(\.instant) == [setup.start + .seconds(20)])
    let suspends = result.trace.happenings.filter { $0.kind == .suspend }
    #expect(suspends.first?.instant == setup.start + .seconds(40))
  }

  @Test("After a refusal, the commands sent with it are not sent any more")
  func refusalStopsTheRest() throws {
    var setup = try #require(Self.build("{ commLatency: '20s' }").built).setup
    // A temp basal above the new limit has to end before the pump gets the new schedule.
    var change = SettingsChange()
    change.basal = DailySchedule(always: InsulinRate(milliunitsPerHour: 600))
    change.maximumBasalRate = InsulinRate(milliunitsPerHour: 1_000)
    let rate = InsulinRate(milliunitsPerHour: 2_000)
    setup.events = [
      ScenarioEvent(at: setup.start, .tempBasal(rate, duration: .hours(1))),
      ScenarioEvent(
        at: setup.start + .minutes(5),
        .beginFault(Fault(id: "no", .pump(.reject([.cancelTempBasal]))))),
      ScenarioEvent(at: setup.start + .minutes(10), .changeSettings(change)),
    ]
    var run = Run(setup)
    while run.step() {}
    let result = run.finish()
    let told = result.trace.happenings.filter { $0.kind == .warning }.map(\.text)
    #expect(told.first?.hasPrefix("The cancellation of the temp basal failed") == true)
    #expect(
      told.dropFirst() == ["The new basal schedule was not sent: the command before it failed."])
    #expect(result.scheduledBasal.segments.map(\.value.unitsPerHour) == [0.4])
  }
}
