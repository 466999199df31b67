internal import Physiology
internal import Quantities
internal import Simulation

/// Who is simulated: the true body, and the needs that a therapy may be taken from.
struct Person {
  /// What the body needs, where the scenario says so.
  struct Needs {
    var basal: DailySchedule<InsulinRate>
    var sensitivity: DailySchedule<InsulinSensitivity>
    var carbRatio: DailySchedule<CarbohydrateRatio>
  }

  enum Model {
    case superposition(SuperpositionParameters)
    case named(PatientDescription, PatientOptions)
    /// A program outside.
    case external(ProgramSpec)
  }

  var model: Model
  var needs: Needs?
  var glucose: GlucoseConcentration
  /// How the insulin in the pump is absorbed.
  var absorption = InsulinAbsorption.rapid
  /// What varies in the body over time.
  var modulators: [Modulator] = []
  /// Whether events of the scenario make something vary.
  var hasVaryingEvents = false
  var clock = WallClock.utc

  /// The program that is the body; `nil` where it is one of ours.
  var program: ProgramSpec? {
    if case .external(let program) = model { program } else { nil }
  }

  /// The body at an instant, in the steady state of its glucose.
  ///
  /// - Parameters:
  ///   - instant: When the body begins to live.
  ///   - rate: The basal rate that flows already, in U/h; nothing when all insulin comes in pulses.
  /// - Returns: The body.
  /// - Throws: ``PatientError`` when the model has no such steady state.
  func patient(at instant: Instant, flowing rate: Double?) throws(PatientError) -> any Patient {
    var patient = try steady(at: instant, flowing: rate)
    if let rate { patient.receive(.rate(unitsPerHour: rate)) }
    guard hasVaryingEvents || !modulators.isEmpty else { return patient }
    return VaryingPatient(patient, modulators: modulators, clock: clock)
  }

  private func steady(at instant: Instant, flowing rate: Double?) throws(PatientError)
    -> any Patient
  {
    // A rate flows as rapid-acting insulin.
    let held = rate == nil ? absorption : .rapid
    return switch model {
    case .superposition(let parameters):
      try SuperpositionPatient(
        parameters, at: instant, glucose: glucose, initialRate: rate, heldBy: held)
    case .named(let description, let options):
      try description.patient(at: instant, glucose: glucose, options: options, heldBy: held)
    case .external: ExternalPatient(at: instant, glucose: glucose)
    }
  }

  /// The body beside a twin of itself with finer steps, as ``patient(at:flowing:)`` makes it.
  func checkedPatient(at instant: Instant, flowing rate: Double?) throws(PatientError)
    -> any Patient
  {
    let body = try patient(at: instant, flowing: rate)
    guard case .named(let description, var options) = model else {
      return StepCheckedPatient(body, twin: nil)
    }
    options.integration = options.integration.refined
    var twin = self
    twin.model = .named(description, options)
    return StepCheckedPatient(body, twin: try twin.patient(at: instant, flowing: rate))
  }

  /// The insulin that the body holds in its steady state on the basal that it needs, in U; nothing
  /// where the model has no such notion.
  ///
  /// - Parameters:
  ///   - patient: The body as it begins to live.
  ///   - instant: When that is.
  ///   - rate: The basal rate that flows already, in U/h.
  /// - Returns: The insulin.
  /// - Throws: ``PatientError`` when the model has no such steady state.
  func steadyInsulin(
    of patient: any Patient, at instant: Instant, flowing rate: Double?
  ) throws(PatientError) -> Double? {
    // What flows already is on board of this model, and need not be what the body needs.
    guard rate != nil, case .superposition(let parameters) = model else {
      return patient.insulinOnBoard
    }
    let need = parameters.basalRate.value(at: parameters.clock.timeOfDay(at: instant))
    return try steady(at: instant, flowing: need).insulinOnBoard
  }

  /// The basal rate that the body needs at an instant, in U/h.
  func basalNeed(at instant: Instant) -> Double? {
    if case .named(let description, let options) = model {
      return description.basalRate(holding: glucose, options: options)
    }
    return needs?.basal.value(at: clock.timeOfDay(at: instant)).unitsPerHour
  }
}
