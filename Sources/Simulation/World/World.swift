internal import ClosedLoop
internal import Devices
internal import Dosing
internal import HealthStore
internal import Physiology
internal import Quantities

/// The world of a run: a body with its devices, a person, and a phone with its apps and its health
/// store, and what is written down of them.
///
/// It does what it is told at the instant at which it stands. What is due and when, and who is
/// asked, is the matter of the ``Run``.
struct World: Sendable {
  /// The instant up to which everything has happened.
  var now: Instant
  /// The pump, the body, and the way between.
  var delivery: Delivery
  var sensor: GlucoseSensor
  /// The health store, and who acts on it besides the app.
  var store: SharedHealthStore
  /// The phone, its clock and its apps.
  var phone: Phone
  /// What is on its way between the phone and the devices.
  var link = DeviceLink()
  /// The faults of the scenario.
  var faults = FaultState()
  /// What the person sees and does.
  var person: Person
  /// The fault of a bolus of which the pump reports another amount, and that bolus, until it is
  /// over.
  var misreporting: (id: String, bolus: PumpEvent.Identifier)?
  /// The number in the id of the latest such fault that began on its way, or while others were on
  /// theirs; 0 before the first.
  var latestMisreport = 0
  /// The numbers of the commands, held up on the way to the pump, of whose boluses it reports other
  /// amounts, by the ids of those faults.
  var lateMisreports: [String: Int] = [:]
  /// The preset that a person started.
  var presetWatch = PresetWatch()
  /// What people had done in an app that has stopped and may lose the latest of it; `nil` while
  /// none has.
  var actsAtCrash: PeoplesActs?
  /// What the events of the scenario have made, by their names.
  var names = ScenarioNames()

  // What is written down.
  var trace = Trace()
  /// What was decided in the latest cycle, in which the loop may run twice.
  var decisions: [Decision] = []
  /// What has come together since the last row of the trace.
  var row = RowSums()
  /// The kind of the preset that was started last.
  var startedPreset: PresetRequest.Kind?
  /// What was eaten from the start on of which a program that decides was not told.
  var eatenUntold = CarbohydrateMass.zero
  /// What the app did.
  var appRecord: AppRecord
  /// The carbohydrates that the app lost, or counted besides.
  var miscountedCarbs = MiscountedCarbsWatch()
  /// Where the patient model did not hold.
  private(set) var model: ModelWatch
  /// Whether something is due, or was done, at the instant at which an app looks at the pump that
  /// writes at the instant of a trigger.
  ///
  /// A remark, a meal, or a bolus of nothing is no reason to look: it would change when others are
  /// written.
  var isTrigger = false
  /// What explains that records differ.
  var circumstances = RecordCircumstances()

  // What never changes.
  /// The first instant of the part that counts.
  let start: Instant
  /// The end of the run, if nothing ends it before.
  let plannedEnd: Instant
  let hasApp: Bool
  /// The app as it is when it is installed.
  let configuration: LoopAppConfiguration
  /// As whom the health store knows the app when the run begins; `nil` if it does not.
  let firstClient: ClientID?
  /// The curve by which Loop counts the pump's insulin.
  let pumpInsulinModel: InsulinModel
  let commandLatency: TimeSpan
  /// The unit of glucose in sentences.
  let glucoseUnit: GlucoseUnit

  /// The world in which a run begins.
  init(beginning setup: Setup) {
    now = setup.beginning
    delivery = Delivery(beginning: setup)
    person = Person(beginning: setup)
    sensor = setup.sensor
    store = SharedHealthStore(beginning: setup)
    phone = Phone(beginning: setup)
    appRecord = AppRecord(beginning: setup)
    model = ModelWatch(beginning: setup)
    start = setup.start
    plannedEnd = setup.end
    hasApp = setup.hasApp
    configuration = setup.app.configuration
    firstClient = store.records.registry.client(
      bundleIdentifier: setup.app.configuration.bundleIdentifier)
    pumpInsulinModel = setup.pumpInsulinModel
    commandLatency = setup.commandLatency
    glucoseUnit = setup.glucoseUnit
    followZone()
  }

  /// Whether the phone works: what people have done with it, or worse where a fault makes it so.
  var phoneState: PhoneState { max(phone.setting, faults.phone) }

  /// Whether the phone runs and the app on it.
  var isAppRunning: Bool { appCondition.isRunning }

  /// Whether the app can work.
  var appCondition: AppCondition {
    AppCondition(hasApp: hasApp, setting: phone.setting, under: faults)
  }

  /// Whether basal is written at the instant of its trigger rather than in the next cycle.
  var reportsAtTriggers: Bool { hasApp && configuration.reporting.write == .atTrigger }

  /// Adds to the list of what happened.
  mutating func note(
    _ kind: Happening.Kind, _ name: String, _ text: String, notGiven: InsulinAmount? = nil
  ) {
    trace.note(kind, name, text, notGiven: notGiven, at: now)
  }

  // MARK: - Body and sensor

  /// Pump and body live up to now.
  mutating func live() {
    receivingHeldUpClock { $0.delivery.live(to: $0.now, noting: &$0.trace) }
    names.findLate(in: delivery.pump)
    endMisreport()
  }

  /// The pump gives what is due up to now, and the body lives up to the last of it.
  mutating func givePulses() {
    receivingHeldUpClock { $0.delivery.givePulses(to: $0.now, noting: &$0.trace) }
    names.findLate(in: delivery.pump)
  }

  /// Notes where the body has left the range of its model.
  mutating func watchModel() { model.look(at: delivery.body, now: now, noting: &trace) }

  /// The sensor measures when a reading is due; the app gets it when it arrives.
  ///
  /// Of a body outside it is shown only what that body has said of this instant.
  mutating func sense() {
    if let external = delivery.body.external, external.livedThrough != now { return }
    sensor.isHeard = hearsSensor
    if let reading = sensor.observe(delivery.body.sensedGlucose, at: now) { link.send(reading) }
  }

  /// What a condition looks at; `nil` where it is unknown.
  func value(of series: EventCondition.Series) -> Double? {
    switch series {
    case .trueGlucose: delivery.body.glucose.mgdL
    case .reading: (hasApp ? phone.latestGlucose(at: now) : person.shownGlucose)?.mgdL
    case .insulinOnBoard: appCondition.canRun ? phone.insulinOnBoard(at: now) : nil
    case .trueInsulinOnBoard: trueInsulinOnBoard
    case .carbsOnBoard: appCondition.canRun ? phone.carbsOnBoard : nil
    }
  }

  /// The net insulin on board by what entered the body so far, in U.
  private var trueInsulinOnBoard: Double {
    var schedules = appRecord.schedules
    schedules.note(phone, through: now)
    var counter = InsulinOnBoardCounter(
      pulses: delivery.record.pulses, injections: delivery.body.injections,
      reference: schedules.reference, model: pumpInsulinModel, from: now)
    return counter.onBoard(at: now, app: nil).body.net
  }

  /// What a bolus calculator advises: that of the app, or, without an app and while the phone is
  /// off, the one in the pump, into which a person puts the newest reading that was shown.
  func calculatedBolus(by calculator: BolusCalculator) -> CalculatedBolus {
    guard !hasApp || phoneState == .off else { return phone.bolus(by: calculator, at: now) }
    let pump = PumpCalculator(
      therapy: phone.saved.therapy, clock: delivery.pump.zone, pulses: delivery.record.pulses,
      injections: delivery.body.injections, model: pumpInsulinModel,
      clockError: delivery.pump.clockError(at: now))
    return pump.bolus(by: calculator, glucose: person.recentGlucose(at: now), at: now)
  }
}
