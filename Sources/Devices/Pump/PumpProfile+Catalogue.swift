public import Quantities

extension PumpProfile {
  /// Every pump that is known, the default first.
  public static let catalogue: [Self] = [
    .generic50, .mockPump, .omnipodEros, .omnipodDASH, .omnipod5, .medtronic522, .medtronic722,
    .medtronic523,
    .medtronic723, .medtronic554, .medtronic754, .dana, .medtrum200, .medtrum300, .tandemX2,
    .tandemMobi, .ypsopump, .continuous,
  ]

  /// The pump with an id; nothing when there is none.
  public static func named(_ id: String) -> Self? { catalogue.first { $0.id == id } }

  /// The name that scenarios have for ``generic50`` besides its id.
  public static let genericName = "generic"

  /// A pump with pulses of 0.05 U and no manufacturer's peculiarities; the default.
  public static let generic50 = Self(
    id: "generic50", name: "Generic 0.05 U pump", pulse: .milliunits(50),
    residualRule: .resetOnCommand,
    basalRates: SupportedSteps(0, 30_000, step: 50), maximumScheduleEntries: 48,
    scheduleStep: .minutes(30),
    bolusVolumes: SupportedSteps(50, 30_000, step: 50), bolusSpeed: .perUnit(.seconds(40)),
    tempBasal: TempBasalRule(rates: SupportedSteps(0, 30_000, step: 50)),
    reservoirCapacity: .milliunits(200_000),
    source: "The granularity that Omnipod, Medtrum and older Medtronic pumps share.")

  /// No device: it counts in milliunits and takes any rate.
  ///
  /// It serves to compare with simulators whose pump has no granularity: a body is fed by its rates
  /// and by whole boluses, and by its pulses where a fault changes what arrives of them.
  public static let continuous = Self(
    id: "continuous", name: "Continuous pump", pulse: .milliunits(1), residualRule: .carry,
    basalRates: SupportedSteps(0, 100_000, step: 1), maximumScheduleEntries: 48,
    scheduleStep: .seconds(1),
    bolusVolumes: SupportedSteps(1, 100_000, step: 1), bolusSpeed: .perUnit(.seconds(1)),
    tempBasal: TempBasalRule(rates: SupportedSteps(0, 100_000, step: 1)),
    reservoirCapacity: .milliunits(1_000_000),
    source: "No device: the pump of Tidepool's data-science-simulator.")

  /// The simulated pump of Loop's developers, with its default limits.
  public static let mockPump = Self(
    id: "mockPump", name: "LoopKit's MockPump", pulse: .milliunits(50),
    residualRule: .resetOnCommand,
    basalRates: SupportedSteps(0, 35_000, step: 50), maximumScheduleEntries: 48,
    scheduleStep: .minutes(30),
    bolusVolumes: SupportedSteps(100, 25_000, step: 100), bolusSpeed: .perUnit(.seconds(40)),
    tempBasal: TempBasalRule(rates: SupportedSteps(0, 35_000, step: 50)),
    reservoirCapacity: .milliunits(200_000), source: "LoopKit/LoopKit, MockKit")

  /// The first Omnipod that Loop could command: schedules start at 0.05 U/h.
  public static let omnipodEros = omnipod(
    id: "omnipodEros", name: "Omnipod Eros", lowestRate: 50, source: "LoopKit/OmniKit, Pod.swift")

  /// The Bluetooth Omnipod, which also runs a scheduled rate of zero.
  public static let omnipodDASH = omnipod(
    id: "omnipodDASH", name: "Omnipod DASH", lowestRate: 0, source: "LoopKit/OmniBLE, Pod.swift")

  /// The Omnipod that doses by itself; its commands are not public, so that it takes those of DASH.
  public static let omnipod5 = omnipod(
    id: "omnipod5", name: "Omnipod 5", lowestRate: 50,
    source: "Omnipod 5 user guide; commands as of Omnipod DASH, as its own are not public")

  private static func omnipod(
    id: String, name: String, lowestRate: Int64, source: String
  ) -> Self {
    var pump = generic50
    pump.id = id
    pump.name = name
    pump.basalRates = SupportedSteps(lowestRate, 30_000, step: 50)
    pump.maximumScheduleEntries = 24
    pump.reservoirReporting = .upTo(.milliunits(50_000))
    pump.lowReservoirLevels = [.milliunits(10_000)]
    pump.life = PumpLife(advisory: .hours(72), imminent: .hours(79), end: .hours(80))
    pump.primeAmount = .milliunits(3_100)
    pump.refusesTempBasalDuringBolus = true
    pump.occlusionAlarmWaitsForBolus = true
    pump.resumesOnScheduleGrid = true
    pump.source = source
    return pump
  }

  /// A Medtronic with pulses of 0.05 U and a reservoir of 176 U.
  public static let medtronic522 = medtronicX22("522", capacity: 176_000)
  /// A Medtronic with pulses of 0.05 U and a reservoir of 300 U.
  public static let medtronic722 = medtronicX22("722", capacity: 300_000)
  /// A Medtronic with strokes of 0.025 U and a reservoir of 176 U.
  public static let medtronic523 = medtronicX23("523", capacity: 176_000)
  /// A Medtronic with strokes of 0.025 U and a reservoir of 300 U.
  public static let medtronic723 = medtronicX23("723", capacity: 300_000)
  /// A Medtronic Veo with strokes of 0.025 U and a reservoir of 176 U.
  public static let medtronic554 = medtronicX23("554", capacity: 176_000)
  /// A Medtronic Veo with strokes of 0.025 U and a reservoir of 300 U.
  public static let medtronic754 = medtronicX23("754", capacity: 300_000)

  /// How far the clock of a Medtronic may be off before Loop sets it.
  public static let medtronicClockTolerance = TimeSpan.seconds(20)

  private static func medtronicX22(_ model: String, capacity: Int64) -> Self {
    Self(
      id: "medtronic\(model)", name: "Medtronic \(model)", pulse: .milliunits(50),
      residualRule: .resetOnCommand,
      basalRates: SupportedSteps(0, 35_000, step: 50), maximumScheduleEntries: 48,
      scheduleStep: .minutes(30),
      bolusVolumes: SupportedSteps(100, 25_000, step: 100), bolusSpeed: .perUnit(.seconds(40)),
      tempBasal: TempBasalRule(
        rates: SupportedSteps(0, 35_000, step: 50), maximumDuration: .hours(24)),
      reservoirCapacity: .milliunits(capacity),
      reservoirReporting: .rounded(to: .milliunits(100)),
      lowReservoirLevels: [.milliunits(30_000), .milliunits(20_000), .milliunits(10_000)],
      stampsEventsWithOwnClock: true, clockTolerance: medtronicClockTolerance,
      source:
        "LoopKit/MinimedKit, PumpModel, MinimedPumpManager; the residual rule is an assumption")
  }

  private static func medtronicX23(_ model: String, capacity: Int64) -> Self {
    let rates = SupportedSteps([
      .init(0, 975, step: 25), .init(1_000, 9_950, step: 50), .init(10_000, 35_000, step: 100),
    ])
    let volumes = SupportedSteps([
      .init(25, 975, step: 25), .init(1_000, 9_950, step: 50), .init(10_000, 25_000, step: 100),
    ])
    let speed = BolusSpeed.byVolume([
      .init(upTo: .milliunits(975), pace: .perUnit(.seconds(80))),
      .init(upTo: .milliunits(7_500), pace: .perUnit(.seconds(40))),
      .init(upTo: .milliunits(25_000), pace: .total(.minutes(5))),
    ])
    var pump = medtronicX22(model, capacity: capacity)
    pump.pulse = .milliunits(25)
    pump.basalRates = rates
    pump.bolusVolumes = volumes
    pump.bolusSpeed = speed
    pump.tempBasal.rates = rates
    pump.reservoirReporting = .rounded(to: .milliunits(25))
    return pump
  }

  /// The quickest of the three bolus speeds of the pump, 12 s for a unit; 30 and 60 s are the
  /// others.
  ///
  /// A temp basal above 200 % runs for a quarter of an hour, whatever is asked for: so does DanaKit
  /// (`enactTempBasal`), and AndroidAPS's message to the pump.
  public static let dana = Self(
    id: "dana", name: "Dana RS / Dana-i", pulse: .milliunits(10), residualRule: .carry,
    basalRates: SupportedSteps(0, 3_000, step: 10), maximumScheduleEntries: 24,
    scheduleStep: .hours(1),
    bolusVolumes: SupportedSteps(50, 30_000, step: 50), bolusSpeed: .perUnit(.seconds(12)),
    tempBasal: TempBasalRule(
      style: .percent(maximum: 500, step: 1), rates: SupportedSteps(0, 15_000, step: 10),
      durationStep: .hours(1), minimumDuration: .hours(1), maximumDuration: .hours(24),
      otherDurations: [.minutes(15), .minutes(30)],
      cutOff: .init(above: 200, duration: .minutes(15))),
    basalInterval: .minutes(4), reservoirCapacity: .milliunits(300_000),
    reservoirReporting: .rounded(to: .milliunits(10)),
    source: "DanaKit, AndroidAPS; the residual rule is an assumption")

  /// A Medtrum patch with a reservoir of 200 U and rates up to 25 U/h.
  public static let medtrum200 = medtrum(units: 200, highest: 25_000)
  /// A Medtrum patch with a reservoir of 300 U and rates up to 30 U/h.
  public static let medtrum300 = medtrum(units: 300, highest: 30_000)

  private static func medtrum(units: Int64, highest: Int64) -> Self {
    var pump = generic50
    pump.id = "medtrum\(units)"
    pump.name = "Medtrum Nano \(units) U"
    pump.basalRates = SupportedSteps(0, highest, step: 50)
    pump.tempBasal.rates = pump.basalRates
    pump.reservoirCapacity = .milliunits(units * 1_000)
    pump.reservoirReporting = .rounded(to: .milliunits(50))
    pump.life = PumpLife(advisory: .hours(72), imminent: .hours(79), end: .hours(80))
    pump.source = "MedtrumKit, AndroidAPS; the residual rule and the last warning are assumptions"
    return pump
  }

  /// A Tandem pump that delivers by the milliunit every five minutes.
  public static let tandemX2 = tandem(
    id: "tandemX2", name: "Tandem t:slim X2", capacity: 300_000)
  /// The small Tandem pump, with a reservoir of 200 U.
  public static let tandemMobi = tandem(
    id: "tandemMobi", name: "Tandem Mobi", capacity: 200_000)

  private static func tandem(id: String, name: String, capacity: Int64) -> Self {
    Self(
      id: id, name: name, pulse: .milliunits(1), residualRule: .carry,
      basalRates: SupportedSteps(100, 15_000, step: 1, acceptsZero: true),
      maximumScheduleEntries: 16, scheduleStep: .minutes(1),
      bolusVolumes: SupportedSteps(50, 25_000, step: 10), bolusSpeed: .perUnit(.seconds(15)),
      tempBasal: TempBasalRule(
        style: .percent(maximum: 250, step: 1), rates: SupportedSteps(0, 37_500, step: 1),
        durationStep: .minutes(1), minimumDuration: .minutes(15), maximumDuration: .hours(72)),
      basalInterval: .minutes(5), reservoirCapacity: .milliunits(capacity),
      reservoirReporting: .rounded(to: .milliunits(1_000)),
      lowReservoirLevels: [.milliunits(20_000)],
      source: "User guide, TandemKit; bolus speed and residual rule are not verified")
  }

  /// The YpsoPump, with rates in steps that widen and temp basals in percent.
  public static let ypsopump = Self(
    id: "ypsopump", name: "mylife YpsoPump", pulse: .milliunits(10), residualRule: .carry,
    basalRates: SupportedSteps([
      .init(20, 1_000, step: 10), .init(1_000, 2_000, step: 20), .init(2_000, 15_000, step: 100),
      .init(15_000, 40_000, step: 500),
    ]),
    maximumScheduleEntries: 24, scheduleStep: .hours(1),
    bolusVolumes: SupportedSteps(100, 30_000, step: 100),
    bolusSpeed: .perUnit(.milliseconds(1_900)),
    tempBasal: TempBasalRule(
      style: .percent(maximum: 500, step: 1), rates: SupportedSteps(0, 200_000, step: 10),
      durationStep: .minutes(15), minimumDuration: .minutes(15), maximumDuration: .hours(24)),
    reservoirCapacity: .milliunits(160_000),
    reservoirReporting: .rounded(to: .milliunits(1_000)),
    source: "AndroidAPS PumpType, vendor; the residual rule is an assumption")
}
