public import Quantities

/// A virtual patient that can be named: its model, its parameters and where they come from.
public struct PatientDescription: Hashable, Sendable {
  /// The model with the parameters of this patient.
  public enum Model: Hashable, Sendable {
    /// UVA/Padova S2008, or the additions of 2013.
    case uvaPadova(UVAPadovaParameters)
    /// The same patients with the public additions of 2013 and exercise.
    case uvaPadovaExtended(UVAPadovaParameters)
    /// Hovorka.
    case hovorka(HovorkaParameters)
    /// The identifiable virtual patient of Kanderian et al.
    case kanderian(KanderianParameters)
    /// Bergman's minimal model.
    case bergman(BergmanParameters)

    /// The word by which scenarios name the model.
    public var name: String {
      switch self {
      case .uvaPadova: "uva-padova-s2008"
      case .uvaPadovaExtended: "uva-padova-s2013"
      case .hovorka: "hovorka"
      case .kanderian: "ivp"
      case .bergman: "bergman"
      }
    }

    /// The words by which scenarios name the models.
    public static let names = ["uva-padova-s2008", "uva-padova-s2013", "hovorka", "ivp", "bergman"]

    /// Whether the equations have exercise.
    public var knowsExercise: Bool {
      switch self {
      case .uvaPadova, .kanderian: false
      case .uvaPadovaExtended, .hovorka, .bergman: true
      }
    }

    /// The publication the equations are from.
    public var source: String {
      switch self {
      case .uvaPadova:
        "Dalla Man, Rizza, Cobelli 2007; public variant and patients of jxx123/simglucose"
      case .uvaPadovaExtended:
        "Dalla Man et al. 2014, the public part; exercise of Breton 2008; patients of 2008"
      case .hovorka: "Hovorka et al. 2004; exercise of Rashid et al. 2019"
      case .kanderian: "Kanderian et al. 2009"
      case .bergman:
        "Bergman et al. 1979; insulin, gut and exercise of McGill artificial-pancreas-simulator"
      }
    }
  }

  /// A parameter of a patient.
  public struct Parameter: Hashable, Sendable {
    /// What it is called.
    public let name: String
    /// Its value.
    public let value: Double
    /// Its unit.
    public let unit: String
  }

  /// The name by which scenarios and tables know the patient.
  public let identifier: String
  /// The model with the patient's parameters.
  public let model: Model

  /// Describes a patient of a model.
  public init(_ model: Model) {
    self.model = model
    identifier =
      switch model {
      case .uvaPadova(let parameters), .uvaPadovaExtended(let parameters): parameters.identifier
      case .hovorka(let parameters): parameters.identifier
      case .kanderian(let parameters): parameters.identifier
      case .bergman(let parameters): parameters.identifier
      }
  }

  /// Every patient with a name: 30 of UVA/Padova, the nominal one of Hovorka, ten of Kanderian, and
  /// the average one of Bergman's model.
  public static let catalogue: [PatientDescription] =
    UVAPadovaParameters.cohort.map { Self(.uvaPadova($0)) }
    + [Self(.hovorka(HovorkaParameters(identifier: "hovorka2004#nominal")))]
    + KanderianParameters.cohort.map { Self(.kanderian($0)) }
    + [Self(.bergman(.average))]

  /// The patients of a model; those of 2008 are those of the additions of 2013 too.
  public static func patients(ofModel name: String) -> [PatientDescription] {
    guard name == "uva-padova-s2013" else { return catalogue.filter { $0.model.name == name } }
    return UVAPadovaParameters.cohort.map { Self(.uvaPadovaExtended($0)) }
  }

  /// The patient with this identifier.
  ///
  /// - Throws: ``PatientError/unknownPatient(_:known:)`` with the identifiers there are.
  public static func named(_ identifier: String) throws(PatientError) -> PatientDescription {
    guard let found = catalogue.first(where: { $0.identifier == identifier }) else {
      throw .unknownPatient(identifier, known: catalogue.map(\.identifier))
    }
    return found
  }

  /// The fasting glucose of the patient, at which it lives unless told otherwise: that of its
  /// publication, or 120 mg/dL where there is none.
  public var usualGlucose: GlucoseConcentration {
    switch model {
    case .uvaPadova(let parameters), .uvaPadovaExtended(let parameters): .mgdL(parameters.gb)
    case .hovorka, .kanderian, .bergman: .mgdL(120)
    }
  }

  /// The heart rates of the body, unless options say otherwise.
  public var heartRates: HeartRates {
    switch model {
    case .hovorka(let parameters):
      HeartRates(resting: parameters.restingHeartRate, maximum: parameters.maximumHeartRate)
    case .uvaPadova, .uvaPadovaExtended, .kanderian, .bergman:
      HeartRates(resting: 60, maximum: 180)
    }
  }

  /// The body at an instant, in the steady state of a glucose.
  ///
  /// - Parameters:
  ///   - start: The first instant of its life.
  ///   - glucose: The glucose it is held at.
  ///   - options: How its equations are solved, and what of its model is switched on.
  ///   - absorption: How the insulin is absorbed that has held it.
  /// - Returns: The body; it has only the insulin it receives from then on.
  /// - Throws: ``PatientError`` when no basal rate holds the glucose, or an option is unusable.
  public func patient(
    at start: Instant, glucose: GlucoseConcentration, options: PatientOptions = PatientOptions(),
    heldBy absorption: InsulinAbsorption = .rapid
  ) throws(PatientError) -> any Patient {
    var patient = try steady(at: start, glucose: glucose, options: options)
    patient.wasHeld(by: absorption)
    return patient
  }

  /// The basal rate that holds a glucose, in U/h; nothing when none does.
  ///
  /// `options` are those the body is made with, as uptake in lows has a part in it.
  public func basalRate(
    holding glucose: GlucoseConcentration, options: PatientOptions = PatientOptions()
  ) -> Double? {
    let start = Instant(millisecondsSince1970: 0)
    return (try? steady(at: start, glucose: glucose, options: options))?.steadyBasalRate
  }

  private func steady(
    at start: Instant, glucose: GlucoseConcentration, options: PatientOptions
  ) throws(PatientError) -> any SteadyPatient {
    let integration = options.integration
    let heart = options.heartRates ?? heartRates
    switch model {
    case .uvaPadova(let parameters):
      return try UVAPadovaPatient(
        parameters, at: start, glucose: glucose, memory: options.mealMemory,
        integration: integration)
    case .uvaPadovaExtended(let parameters):
      return try UVAPadovaExtendedPatient(
        parameters, at: start, glucose: glucose,
        amplifiesUptakeInLows: options.amplifiesUptakeInLows, glucagon: options.glucagon,
        restingHeartRate: heart.resting, maximumHeartRate: heart.maximum,
        memory: options.mealMemory, integration: integration)
    case .hovorka(var parameters):
      parameters.restingHeartRate = heart.resting
      parameters.maximumHeartRate = heart.maximum
      return try HovorkaPatient(parameters, at: start, glucose: glucose, integration: integration)
    case .kanderian(let parameters):
      return try KanderianPatient(parameters, at: start, glucose: glucose, integration: integration)
    case .bergman(let parameters):
      return try BergmanPatient(parameters, at: start, glucose: glucose, integration: integration)
    }
  }
}

/// A body that starts on a basal rate which holds it.
private protocol SteadyPatient: Patient {
  /// The basal rate that held the patient up to its start, in U/h.
  var steadyBasalRate: Double { get }

  /// Lays the insulin that is on its way as it is after a long time at that rate of an insulin,
  /// where it is that of rapid-acting insulin.
  ///
  /// What leaves the skin is the same; of a quick insulin less lies in the first compartment, and a
  /// slow one lies in a depot before it.
  mutating func wasHeld(by absorption: InsulinAbsorption)
}

extension UVAPadovaPatient: SteadyPatient {}
extension UVAPadovaExtendedPatient: SteadyPatient {}
extension HovorkaPatient: SteadyPatient {}
extension KanderianPatient: SteadyPatient {}
extension BergmanPatient: SteadyPatient {}
