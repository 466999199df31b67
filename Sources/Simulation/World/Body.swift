internal import Devices
internal import Dosing
internal import Physiology
internal import Quantities

/// The body, and the way on which insulin from the pump reaches it.
///
/// The model can be asked and fed from here only, so that insulin enters at its own instant.
struct Body: Sendable {
  /// Whether the pump's insulin reaches the body.
  private(set) var isPumpAttached = true
  private(set) var injections: [InjectionRecord] = []
  /// The insulin that entered, by where it came from.
  private(set) var intake = BodyIntake()
  private var patient: any Patient
  private var conditions = ActiveConditions()
  private let inflow: Inflow
  /// How the pump's insulin is absorbed.
  private let absorption: InsulinAbsorption
  private let sensorSite: SensorSite
  /// Whether somebody outside says what its glucose is.
  let isAsked: Bool

  init(beginning setup: Setup) {
    patient = setup.patient
    inflow = setup.inflow
    absorption = setup.pumpInsulin
    sensorSite = setup.sensorSite
    isAsked = setup.isBodyAsked
    if inflow == .continuous {
      intake.flow(setup.pump.basalRate.unitsPerHour, isAttached: true, at: setup.beginning)
    }
  }

  /// The glucose in plasma, as an ideal meter reads it.
  var glucose: GlucoseConcentration { patient.glucose }
  /// The glucose where an interstitial sensor sits.
  var interstitialGlucose: GlucoseConcentration { patient.sensedGlucose }
  /// The glucose that the sensor is shown.
  var sensedGlucose: GlucoseConcentration {
    sensorSite == .plasma ? patient.glucose : patient.sensedGlucose
  }
  /// The range in which the model's equations hold.
  var modelRange: ModelRange { patient.modelRange }
  /// The glucose as the equations give it, before it is cut at zero.
  var computedGlucose: GlucoseConcentration { patient.computedGlucose }
  /// The insulin that still acts, in U; `nil` if the model does not know it.
  var insulinOnBoard: Double? { patient.insulinOnBoard }
  /// What half the step would change; `nil` if that was not asked.
  var stepCheck: StepCheck? { (patient as? StepCheckedPatient)?.stepCheck }

  /// Lives up to an instant.
  mutating func live(to instant: Instant) { patient.advance(to: instant) }

  // MARK: - From outside

  /// The body as one outside; `nil` where it is one of ours.
  var external: ExternalPatient? { isAsked ? ExternalPatient.within(patient) : nil }

  /// Takes what somebody outside says of the body as it is now.
  mutating func take(_ lived: ExternalPatient.State) {
    if var own = patient as? ExternalPatient {
      own.take(lived)
      patient = own
    } else if var varying = patient as? VaryingPatient {
      varying.take(lived)
      patient = varying
    }
  }

  // MARK: - From the pump

  /// Takes the pump off, or puts it on again; `rest` is to come of a bolus that runs.
  mutating func attachPump(
    _ isAttached: Bool, running rate: InsulinRate, rest: InsulinAmount = .zero, at instant: Instant
  ) {
    takeBack(rest, at: instant)
    isPumpAttached = isAttached
    if rest > .zero { receiveBolus(rest, at: instant) }
    flow(rate, at: instant)
  }

  /// Another basal rate flows, where the body is fed continuously.
  mutating func flow(_ rate: InsulinRate, at instant: Instant) {
    guard inflow == .continuous else { return }
    patient.advance(to: instant)
    patient.receive(.rate(unitsPerHour: isPumpAttached ? rate.unitsPerHour : 0))
    intake.flow(rate.unitsPerHour, isAttached: isPumpAttached, at: instant)
  }

  /// A whole bolus enters, where the body is fed continuously.
  mutating func receiveBolus(_ amount: InsulinAmount, at instant: Instant) {
    guard inflow == .continuous else { return }
    patient.advance(to: instant)
    patient.receive(.pulse(units: isPumpAttached ? amount.units : 0, absorption: absorption))
    intake.take(bolus: amount.units, isAttached: isPumpAttached)
  }

  /// What is not given of a bolus is taken back, where all of it entered when it began.
  mutating func takeBack(_ rest: InsulinAmount, at instant: Instant) {
    assert(rest >= .zero, "A bolus gives no more than was asked for.")
    guard inflow == .continuous, rest > .zero else { return }
    patient.advance(to: instant)
    if isPumpAttached { patient.receive(.pulse(units: -rest.units, absorption: absorption)) }
    intake.take(bolus: -rest.units, isAttached: isPumpAttached)
  }

  /// A pulse enters, where the body is fed by pulses or the pulse is no part of a program.
  ///
  /// - Returns: The units that reached the body.
  mutating func receive(
    _ pulse: PumpPulse, _ channel: PumpPulseRecord.Channel, at instant: Instant
  ) -> Double {
    let units = isPumpAttached ? pulse.physical.units : 0
    if inflow == .pulses || pulse.kind == .unrequested || pulse.kind == .release {
      patient.advance(to: instant)
      if units > 0 { patient.receive(.pulse(units: units, absorption: absorption)) }
      intake.take(pulse, channel, isAttached: isPumpAttached)
    }
    return units
  }

  // MARK: - From elsewhere

  mutating func eat(_ meal: MealInput) { patient.eat(meal) }

  mutating func inject(
    _ units: Double, _ formulation: InsulinFormulation, name: String, model: InsulinModel?,
    countedModel: InsulinModel?, at instant: Instant
  ) {
    assert(
      injections.last.map { $0.instant <= instant } ?? true, "Injections come in the order of time."
    )
    patient.receive(.pulse(units: units, absorption: formulation.absorption))
    intake.inject(units)
    injections.append(
      InjectionRecord(
        instant: instant, units: units, name: name, model: model, countedModel: countedModel))
  }

  /// Meets a condition, such as exercise, beside those of its kind that hold; that the model does
  /// not know it is noted.
  mutating func apply(
    _ condition: BodyCondition, _ name: String, of event: String, at now: Instant,
    noting trace: inout Trace
  ) {
    let isKnown = patient.apply(conditions.joined(condition, of: event))
    trace.note(
      isKnown ? .exercise : .warning, name,
      isKnown
        ? "The body meets: \(name)."
        : "The patient model does not know \(name); nothing changes.", at: now)
  }
}
