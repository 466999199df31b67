public import Quantities

/// A virtual patient that can be named: its model, its parameters and where they come from.
public struct PatientDescription: Hashable, Sendable {
  /// The model with the parameters of this patient.
  public enum Model: Hashable, Sendable {
    case uvaPadova(UVAPadovaParameters)
    case hovorka(HovorkaParameters)
    case kanderian(KanderianParameters)

    /// The word by which scenarios name the model.
    public var name: String {
      switch self {
      case .uvaPadova: "uva-padova-s2008"
      case .hovorka: "hovorka"
      case .kanderian: "ivp"
      }
    }

    /// The publication the equations are from.
    public var source: String {
      switch self {
      case .uvaPadova:
        "Dalla Man, Rizza, Cobelli 2007; public variant and patients of jxx123/simglucose"
      case .hovorka: "Hovorka et al. 2004; exercise of Rashid et al. 2019"
      case .kanderian: "Kanderian et al. 2009"
      }
    }
  }

  /// A parameter of a patient.
  public struct Parameter: Hashable, Sendable {
    public let name: String
    public let value: Double
    public let unit: String
  }

  public let identifier: String
  public let model: Model

  /// Describes a patient of a model.
  public init(_ model: Model) {
    self.model = model
    identifier =
      switch model {
      case .uvaPadova(let parameters): parameters.identifier
      case .hovorka(let parameters): parameters.identifier
      case .kanderian(let parameters): parameters.identifier
      }
  }

  /// Every patient with a name: 30 of UVA/Padova, the nominal one of Hovorka, ten of Kanderian.
  public static let catalogue: [PatientDescription] =
    UVAPadovaParameters.cohort.map { Self(.uvaPadova($0)) }
    + [Self(.hovorka(HovorkaParameters(identifier: "hovorka2004#nominal")))]
    + KanderianParameters.cohort.map { Self(.kanderian($0)) }

  /// The patient with this identifier.
  ///
  /// - Throws: ``PatientError/unknownPatient(_:known:)`` with the identifiers there are.
  public static func named(_ identifier: String) throws(PatientError) -> PatientDescription {
    guard let found = catalogue.first(where: { $0.identifier == identifier }) else {
      throw .unknownPatient(identifier, known: catalogue.map(\.identifier))
    }
    return found
  }

  /// The body at an instant, in the steady state of a glucose.
  ///
  /// - Parameters:
  ///   - start: The first instant of its life.
  ///   - glucose: The glucose it is held at.
  ///   - integration: How its equations are solved.
  /// - Returns: The body; it has only the insulin it receives from then on.
  /// - Throws: ``PatientError`` when no basal rate holds the glucose.
  public func patient(
    at start: Instant, glucose: GlucoseConcentration, integration: Integration = .production
  ) throws(PatientError) -> any Patient {
    switch model {
    case .uvaPadova(let parameters):
      try UVAPadovaPatient(parameters, at: start, glucose: glucose, integration: integration)
    case .hovorka(let parameters):
      try HovorkaPatient(parameters, at: start, glucose: glucose, integration: integration)
    case .kanderian(let parameters):
      try KanderianPatient(parameters, at: start, glucose: glucose, integration: integration)
    }
  }

  /// The basal rate that holds a glucose, in U/h; nothing when none does.
  public func basalRate(holding glucose: GlucoseConcentration) -> Double? {
    let start = Instant(millisecondsSince1970: 0)
    switch model {
    case .uvaPadova(let parameters):
      return (try? UVAPadovaPatient(parameters, at: start, glucose: glucose))?.steadyBasalRate
    case .hovorka(let parameters): return parameters.basalRate(holding: glucose)
    case .kanderian(let parameters):
      return (try? KanderianPatient(parameters, at: start, glucose: glucose))?.steadyBasalRate
    }
  }
}
