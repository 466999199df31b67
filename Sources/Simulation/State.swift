internal import ClosedLoop
internal import Determinism
internal import Devices
internal import HealthStore
internal import Physiology
internal import Quantities

/// Everything of a run that changes, as one value: a copy is a checkpoint.
struct State: Sendable {
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
  /// What is asked of a program outside.
  var asking = Asking()
  /// The faults of the scenario.
  var faults = FaultState()
  /// What the person sees and does.
  var person: Person
  /// What is due and when.
  var agenda: Agenda
  /// What the events of the scenario have made, by their names.
  var names = ScenarioNames()

  // What is written down.
  var trace = Trace()
  /// What has come together since the last row of the trace.
  var row = RowSums()
  /// What the app did.
  var appRecord: AppRecord
  /// Where the patient model did not hold.
  var model: ModelWatch
  /// What explains that records differ.
  var circumstances = RecordCircumstances()
  /// Why the run is over before its time.
  var ending = Ending()

  /// The state in which a run begins.
  init(beginning setup: Setup) {
    now = setup.beginning
    delivery = Delivery(beginning: setup)
    person = Person(beginning: setup)
    sensor = setup.sensor
    store = SharedHealthStore(beginning: setup)
    phone = Phone(beginning: setup)
    agenda = Agenda(beginning: setup)
    appRecord = AppRecord(beginning: setup)
    model = ModelWatch(beginning: setup)
  }

  /// Whether the phone works: what people have done with it, or worse where a fault makes it so.
  var phoneState: PhoneState { max(phone.setting, faults.phone) }

  /// What has come together since the last row of the trace.
  struct RowSums: Sendable {
    var reading: GlucoseConcentration?
    var carbsEaten = CarbohydrateMass.zero
    var carbsEntered = CarbohydrateMass.zero
    var recommendation = ""
    var since: Instant?
  }
}

/// Why a run is over before its time; nothing is set while it goes on.
struct Ending: Sendable {
  /// The law that the run has broken.
  var brokenLaw: InvariantViolation?
  /// That the body did not survive.
  var lethalEnd: LethalEnd?

  /// When it is over; `nil` while it goes on.
  var instant: Instant? { lethalEnd?.instant ?? brokenLaw?.instant }
}
