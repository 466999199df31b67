import Quantities

/// The parameters of a patient of Bergman's minimal model with insulin given under the skin.
///
/// The glucose equations are those of R. N. Bergman et al., "Quantitative estimation of insulin
/// sensitivity", Am. J. Physiol. 236, 1979. The insulin, gut and exercise equations that go with
/// them, and the figures of an average person with type 1 diabetes, are those of the public
/// simulator McGillDiabetesLab/artificial-pancreas-simulator. The figures of 1979 are of dogs
/// without diabetes, which no insulin can hold above 90 mg/dL, and are not here.
public struct BergmanParameters: Hashable, Sendable {
  /// The name of the patient.
  public var identifier: String
  /// Body weight in kg.
  public var bodyWeight = 70.0
  /// Insulin clearance, in L/kg/min.
  public var clearance = 0.02
  /// Time constant of each of the two compartments of insulin absorption, in minutes.
  public var tauI = 70.0
  /// Distribution volume of glucose, in L/kg.
  public var vg = 0.20
  /// Effect of glucose on its own disappearance, per minute.
  public var p1 = 0.001
  /// Rate at which the action of insulin fades, per minute.
  public var p2 = 0.075
  /// Rate at which insulin begins to act, per minute² and mU/L.
  public var p3 = 5e-5
  /// The glucose that settles without any insulin, in mmol/L.
  public var gb: Double
  /// The gain of exercise on the effect of glucose.
  public var e1 = 2.0
  /// The gain of exercise on the action of insulin.
  public var e2 = 2.0
  /// The part of eaten carbohydrate that appears as glucose.
  public var bioavailability = 0.8
  /// Time to the peak of a meal that states no absorption time, in minutes.
  public var tauM = 40.0
  /// Delay of interstitial glucose, in minutes.
  public var tauS = 10.0

  /// Creates a patient with the figures of the average one.
  ///
  /// - Parameters:
  ///   - identifier: What people call the patient.
  ///   - basalRate: The basal rate, in U/h, that holds `basalGlucose`; 48 % of 0.53 U/kg/day in the
  ///     average person of 70 kg.
  ///   - basalGlucose: The glucose that the basal rate holds, in mmol/L.
  public init(identifier: String, basalRate: Double = 0.742, basalGlucose: Double = 6.5) {
    self.identifier = identifier
    gb = 0
    let insulin = 1_000 * basalRate / 60 / (clearance * bodyWeight)
    gb = basalGlucose * (1 + p3 / p2 * insulin / p1)
  }

  /// The average person of the public simulator.
  public static let average = BergmanParameters(identifier: "bergman#average")

  /// The glucose volume of the whole body, in L.
  var glucoseVolume: Double { vg * bodyWeight }

  /// The plasma insulin, in mU/L, of one U/min that leaves the skin.
  var insulinPerFlow: Double { 1_000 / (clearance * bodyWeight) }

  /// The action of insulin, per minute, that holds a concentration in mmol/L; below nothing when
  /// none does.
  func action(holding glucose: Double) -> Double { p1 * (gb / glucose - 1) }

  /// Checks that every figure is one the equations can use.
  func check() throws(PatientError) {
    let positive = [
      ("bodyWeight", bodyWeight), ("clearance", clearance), ("tauI", tauI), ("vg", vg), ("p1", p1),
      ("p2", p2), ("p3", p3), ("gb", gb), ("bioavailability", bioavailability), ("tauM", tauM),
      ("tauS", tauS),
    ]
    for (name, value) in positive where !(value > 0 && value.isFinite) {
      throw .unusableParameter(
        patient: identifier, name: name, value: value, allowed: "more than 0")
    }
    for (name, value) in [("e1", e1), ("e2", e2)] where !(value >= 0 && value.isFinite) {
      throw .unusableParameter(
        patient: identifier, name: name, value: value, allowed: "0 or more")
    }
  }
}
