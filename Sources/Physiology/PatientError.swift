public import Quantities

/// Why a virtual patient cannot be made as asked.
public enum PatientError: Error, Hashable, Sendable {
  /// No basal rate holds the patient steady at this glucose.
  case infeasibleStart(
    patient: String, glucose: GlucoseConcentration, lowest: GlucoseConcentration,
    highest: GlucoseConcentration)
  /// A parameter has a value with which the equations make no sense.
  case unusableParameter(patient: String, name: String, value: Double, allowed: String)
  /// No patient has this name.
  case unknownPatient(String, known: [String])
}

extension PatientError: CustomStringConvertible {
  public var description: String { words(in: .milligramsPerDecilitre) }

  /// What it says, with glucose in a unit.
  ///
  /// Bounds are rounded inwards, so that what is told can be held; next to nothing is told as 0.
  public func words(in unit: GlucoseUnit) -> String {
    func rounded(
      _ glucose: GlucoseConcentration,
      _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> Double {
      (glucose.mgdL / unit.mgdL * 10).rounded(rule) / 10
    }
    switch self {
    case .infeasibleStart(let patient, let glucose, let lower, let highest):
      let lowest = rounded(lower) == 0 ? 0 : rounded(lower, .up)
      return """
        The patient "\(patient)" cannot be in steady state at \(rounded(glucose)) \
        \(unit.rawValue): basal insulin can hold it between \(lowest) and \
        \(rounded(highest, .down)) \(unit.rawValue). Start it within that range.
        """
    case .unusableParameter(let patient, let name, let value, let allowed):
      return """
        The parameter "\(name)" of the patient "\(patient)" is \(value); it must be \(allowed). \
        Correct it.
        """
    case .unknownPatient(let name, let known):
      return """
        There is no patient "\(name)". Use one of \(known.joined(separator: ", ")).
        """
    }
  }
}
