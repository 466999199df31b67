public import Quantities

/// The parameters of a patient of the Hovorka (Cambridge) model.
///
/// Symbols, units and nominal values are those of R. Hovorka et al., "Nonlinear model predictive
/// control of glucose concentration in subjects with type 1 diabetes", Physiol. Meas. 25, 2004.
public struct HovorkaParameters: Hashable, Sendable {
  /// How tissues that need no insulin take up glucose.
  public enum CentralUptake: String, Hashable, Sendable, CaseIterable {
    /// Constant from 4.5 mmol/L on, and falling with glucose below it: the paper of 2004.
    case constantAbove4point5
    /// F01 / 0.85 · G / (G + 1): M. E. Wilinska et al., J. Diabetes Sci. Technol. 4, 2010.
    case saturating
  }

  /// The name of the patient.
  public var identifier: String
  /// Body weight in kg.
  public var bodyWeight = 70.0
  /// Glucose production without insulin, in mmol/kg/min.
  public var egp0 = 0.0161
  /// Glucose use that needs no insulin, in mmol/kg/min.
  public var f01 = 0.0097
  /// Transfer between the glucose compartments, per minute.
  public var k12 = 0.066
  /// The rate at which insulin's action on transport follows it, per minute.
  public var ka1 = 0.006
  /// The rate at which insulin's action on disposal follows it, per minute.
  public var ka2 = 0.06
  /// The rate at which insulin's action on production follows it, per minute.
  public var ka3 = 0.03
  /// The sensitivity of transport, per minute per mU/L.
  public var sit = 0.005_12
  /// The sensitivity of disposal, per minute per mU/L.
  public var sid = 0.000_82
  /// The sensitivity of production, per mU/L.
  public var sie = 0.052
  /// Elimination of insulin from plasma, per minute.
  public var ke = 0.138
  /// The distribution volume of insulin, in L/kg.
  public var vi = 0.12
  /// The distribution volume of glucose, in L/kg.
  public var vg = 0.16
  /// The time to the peak absorption of insulin, in minutes.
  public var tmaxI = 55.0
  /// The time to the peak absorption of a meal, in minutes.
  public var tmaxG = 40.0
  /// The share of carbohydrate that reaches plasma.
  public var ag = 0.8
  /// The glucose above which the kidneys excrete it, in mmol/L.
  public var renalThreshold = 9.0
  /// The rate of clearance by the kidneys above their threshold, per minute.
  public var renalClearance = 0.003
  /// The delay of interstitial glucose, in minutes.
  public var sensorDelay = 15.0
  /// How uptake that does not depend on insulin falls with low glucose.
  public var centralUptake = CentralUptake.constantAbove4point5
  /// The heart rate at rest, in beats per minute.
  public var restingHeartRate = 65.0
  /// The highest heart rate, in beats per minute.
  public var maximumHeartRate = 185.0

  /// Creates the nominal patient of 2004.
  public init(identifier: String, bodyWeight: Double = 70) {
    self.identifier = identifier
    self.bodyWeight = bodyWeight
  }

  var glucoseVolume: Double { vg * bodyWeight }
  var insulinVolume: Double { vi * bodyWeight }

  /// Glucose use that needs no insulin, at a concentration in mmol/L, in mmol/min.
  func centralUse(at glucose: Double) -> Double {
    let most = f01 * bodyWeight
    switch centralUptake {
    case .constantAbove4point5: return most * min(1, glucose / 4.5)
    case .saturating: return most / 0.85 * glucose / (glucose + 1)
    }
  }

  /// The fastest rate, per minute, at which use that needs no insulin empties the glucose volume.
  var fastestCentralUse: Double {
    switch centralUptake {
    case .constantAbove4point5: f01 / (4.5 * vg)
    case .saturating: f01 / (0.85 * vg)
    }
  }

  /// Excretion by the kidneys at a concentration in mmol/L, in mmol/min.
  func excretion(at glucose: Double) -> Double {
    renalClearance * max(0, glucose - renalThreshold) * glucoseVolume
  }

  /// The plasma insulin, in mU/L, that holds a concentration in mmol/L; nothing when none does.
  func insulin(holding glucose: Double) -> Double? {
    guard glucose > 0, glucose.isFinite else { return nil }
    let e0 = egp0 * bodyWeight
    let use = centralUse(at: glucose) + excretion(at: glucose)
    let q1 = glucose * glucoseVolume
    guard e0 > use else { return nil }
    // The balance of both compartments is a quadratic in insulin with one positive root.
    let a = -e0 * sie * sid - sit * sid * q1
    let b = (e0 - use) * sid - e0 * sie * k12
    let c = (e0 - use) * k12
    return (-b - (b * b - 4 * a * c).squareRoot()) / (2 * a)
  }

  /// The basal rate that holds a glucose concentration, in U/h; nothing when none does.
  public func basalRate(holding glucose: GlucoseConcentration) -> Double? {
    insulin(holding: glucose.mmolL).map { ke * insulinVolume * $0 * 60 / 1_000 }
  }

  /// Checks that every figure is one the equations can use.
  func check() throws(PatientError) {
    let positive = [
      ("bodyWeight", bodyWeight), ("egp0", egp0), ("f01", f01), ("k12", k12), ("ka1", ka1),
      ("ka2", ka2), ("ka3", ka3), ("sit", sit), ("sid", sid), ("sie", sie), ("ke", ke), ("vi", vi),
      ("vg", vg), ("tmaxI", tmaxI), ("tmaxG", tmaxG), ("ag", ag), ("sensorDelay", sensorDelay),
      ("restingHeartRate", restingHeartRate),
    ]
    for (name, value) in positive where !(value > 0 && value.isFinite) {
      throw .unusableParameter(
        patient: identifier, name: name, value: value, allowed: "more than 0")
    }
    guard maximumHeartRate > restingHeartRate, maximumHeartRate.isFinite else {
      throw .unusableParameter(
        patient: identifier, name: "maximumHeartRate", value: maximumHeartRate,
        allowed: "above the resting heart rate of \(restingHeartRate)")
    }
  }
}
