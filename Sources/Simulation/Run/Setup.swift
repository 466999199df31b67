public import ClosedLoop
public import Devices
internal import Dosing
public import HealthStore
public import Physiology
public import Quantities

/// Everything a run is made from: immutable, and shared by all that look at it.
///
/// The parts are values in the state in which they begin; a run copies them.
public struct Setup: Sendable {
  /// The run's identifier: the scenario's, with variant, sweep point and replicate.
  public var id: String
  /// The seed from which every random stream of the run is named.
  public var seed: UInt64
  /// The first instant of the part that counts.
  public var start: Instant
  /// The last instant of the run.
  public var end: Instant
  /// How long before ``start`` the world begins to live.
  public var preRoll: TimeSpan
  /// The phone's clock.
  public var clock: WallClock
  /// The time between two cycles of the loop; cycles fall on whole multiples after the beginning.
  public var cycleInterval: TimeSpan
  /// The most by which a cycle comes late, drawn evenly from the stream `loop`.
  public var cycleJitter: TimeSpan
  /// The time between two rows of the timeline that is written.
  public var outputInterval: TimeSpan
  /// The time between two rows of the trace.
  var rowInterval: TimeSpan { Trace.interval(forOutputEvery: outputInterval) }

  /// The body at the beginning of the pre-roll.
  public var patient: any Patient
  /// The patient's own basal need at the beginning, in U/h; nothing where the model has none.
  public var basalNeed: Double?
  /// The insulin that the body holds in its steady state on that basal, in U: what it holds at the
  /// beginning; nothing where the model has no such notion.
  public var steadyInsulin: Double?
  /// The pump at the beginning.
  public var pump: Pump
  /// From when on the phone is in each zone, with the clock of that zone, which knows of no trip;
  /// empty where it never travels.
  public var stays: [(from: Instant, clock: WallClock)] = []
  /// How long a command takes from the app to the pump; commands go one after the other.
  public var commandLatency = TimeSpan.zero
  /// How the pump's insulin enters the body.
  public var inflow = Inflow.pulses
  /// How the pump's insulin is absorbed.
  public var pumpInsulin = InsulinAbsorption.rapid
  /// The sensor at the beginning.
  public var sensor: GlucoseSensor
  /// Where the sensor measures: in plasma when it has a lag of its own, or is an ideal meter.
  public var sensorSite: SensorSite
  /// The glucose in plasma below which nobody lives and the run ends; nothing where it goes on.
  public var lethalGlucose: GlucoseConcentration?
  /// The unit of glucose in the sentences of what happens.
  public var glucoseUnit = GlucoseUnit.milligramsPerDecilitre
  /// The app at the beginning.
  ///
  /// Where there is none, its settings still say what schedule the pump runs and how the pump's
  /// insulin is counted.
  public var app: LoopApp
  /// Whether there is an app, on a phone with a health store.
  ///
  /// Without one the pump runs its own schedule, people command it by its own buttons, and only the
  /// sensor's receiver shows readings; what ``needOfApp`` names cannot happen.
  public var hasApp = true
  /// Who decides about insulin.
  public var controller = ControllerSeat.loop
  /// How a program outside decides, where one does.
  public var controllerRules = ControllerRules()
  /// The health store at the beginning, with what is in it.
  public var store: InMemoryHealthStore
  /// The CGM vendor's own app on the same phone, where there is one.
  public var vendorApp: VendorGlucoseApp?

  /// Readings from before the beginning that the app has, earliest first.
  public var history: [PastReading]
  /// What happens, in the order of the file; sorted by time when the run begins.
  public var events: [ScenarioEvent]
  /// What the person does on seeing glucose, where that is left to chance.
  public var behaviour: Behaviour?
  /// Which devices the person replaces when they are due.
  public var supplies = Supplies.none

  /// Creates a setup; see the properties.
  public init(
    id: String, seed: UInt64, start: Instant, end: Instant, preRoll: TimeSpan = .zero,
    clock: WallClock, cycleInterval: TimeSpan = .minutes(5), cycleJitter: TimeSpan = .zero,
    outputInterval: TimeSpan = .minutes(5), patient: any Patient, basalNeed: Double?,
    pump: Pump,
    sensor: GlucoseSensor, sensorSite: SensorSite = .plasma, app: LoopApp,
    store: InMemoryHealthStore,
    history: [PastReading] = [], events: [ScenarioEvent]
  ) {
    self.id = id
    self.seed = seed
    self.start = start
    self.end = end
    self.preRoll = preRoll
    self.clock = clock
    self.cycleInterval = cycleInterval
    self.cycleJitter = cycleJitter
    self.outputInterval = outputInterval
    self.patient = patient
    self.basalNeed = basalNeed
    steadyInsulin = patient.insulinOnBoard
    self.pump = pump
    self.sensor = sensor
    self.sensorSite = sensorSite
    self.app = app
    self.store = store
    self.history = history
    self.events = events
  }

  /// The curve by which Loop counts the pump's insulin.
  var pumpInsulinModel: InsulinModel { app.configuration.therapy.pumpInsulinModel }

  /// The instant at which the world begins to live.
  public var beginning: Instant { start - preRoll }
}

/// Where a glucose sensor measures.
public enum SensorSite: String, Hashable, Sendable, CaseIterable {
  /// In blood; the delay of the interstitium is the sensor's own.
  case plasma
  /// In the interstitium of the patient model.
  case interstitium
}

/// A glucose reading from before a run.
public struct PastReading: Hashable, Sendable {
  /// When it was measured.
  public var instant: Instant
  /// What the sensor showed.
  public var glucose: GlucoseConcentration

  /// Creates a `PastReading` from its parts; see the properties.
  public init(instant: Instant, glucose: GlucoseConcentration) {
    self.instant = instant
    self.glucose = glucose
  }
}

/// How a pump's insulin enters the body.
public enum Inflow: String, Hashable, Sendable, CaseIterable {
  /// Pulse by pulse, as a pump gives it.
  case pulses
  /// Basal as a continuous rate and each bolus at once, as simulators without a pump's granularity
  /// have it. The pump still counts pulses, and the records show those.
  ///
  /// What leaks, is blocked or scattered between pump and body is so of pulses; a world with such
  /// faults needs ``pulses``.
  case continuous
}
