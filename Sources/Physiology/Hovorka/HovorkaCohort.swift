public import Determinism
import Quantities

/// A law from which patients of the Hovorka model are drawn.
///
/// A draw that makes no patient is thrown away, and another is made; the same seed gives the same
/// patients.
public enum HovorkaCohort: String, Hashable, Sendable, CaseIterable {
  /// Independent laws for every parameter (D. Boiroux et al., 2010 to 2017, as in public code).
  ///
  /// Thrown away: figures not above zero, no steady state at 5 mmol/L, a basal rate there outside
  /// 0.1 to 3 U/h.
  case independent
  /// Log-normal laws around the means of M. E. Wilinska et al. 2010, as in
  /// McGillDiabetesLab/artificial-pancreas-simulator, with its criteria.
  case logNormal
  /// Only weight and the three sensitivities vary (N. Resalat et al., PLoS ONE 14, 2019).
  ///
  /// Thrown away: sensitivities not above zero, glucose below 300 mg/dL after 1,000 min without
  /// insulin, or above 100 mg/dL after 1,000 min at 15 U/h.
  case sensitivityOnly

  /// How many draws are made for one patient before giving up.
  public static let drawLimit = 2_000

  /// Draws one patient; nothing when no draw within ``drawLimit`` makes one.
  ///
  /// - Parameters:
  ///   - stream: The source of chance, one for each member of a cohort.
  ///   - identifier: What to call the patient.
  /// - Returns: The parameters of the patient.
  public func draw(from stream: inout RandomStream, identifier: String) -> HovorkaParameters? {
    for _ in 0..<Self.drawLimit {
      let candidate =
        switch self {
        case .independent: Self.independent(&stream, identifier)
        case .logNormal: Self.logNormal(&stream, identifier)
        case .sensitivityOnly: Self.sensitivityOnly(&stream, identifier)
        }
      if isPatient(candidate) { return candidate }
    }
    return nil
  }

  private static func independent(_ s: inout RandomStream, _ identifier: String)
    -> HovorkaParameters
  {
    var p = HovorkaParameters(identifier: identifier, bodyWeight: s.uniform(in: 65...95))
    p.egp0 = s.normal(mean: 0.0161, standardDeviation: 0.0039)
    p.f01 = s.normal(mean: 0.0097, standardDeviation: 0.0022)
    p.k12 = s.normal(mean: 0.0649, standardDeviation: 0.0282)
    p.ka1 = s.normal(mean: 0.0055, standardDeviation: 0.0056)
    p.ka2 = s.normal(mean: 0.0683, standardDeviation: 0.0507)
    p.ka3 = s.normal(mean: 0.0304, standardDeviation: 0.0235)
    p.sit = s.normal(mean: 0.005_12, standardDeviation: 0.003_209)
    p.sid = s.normal(mean: 0.000_82, standardDeviation: 0.000_784)
    p.sie = s.normal(mean: 0.0520, standardDeviation: 0.030_62)
    p.ke = s.normal(mean: 0.14, standardDeviation: 0.035)
    p.vi = s.normal(mean: 0.12, standardDeviation: 0.012)
    p.vg = PortableMath.log(max(s.normal(mean: 1.16, standardDeviation: 0.23), 0.5))
    p.tmaxI = 1 / max(s.normal(mean: 0.018, standardDeviation: 0.0045), 1e-3)
    p.tmaxG = PortableMath.exp(s.normal(mean: 3.689, standardDeviation: 0.25))
    p.ag = s.uniform(in: 0.7...1.2)
    return p
  }

  private static func logNormal(_ s: inout RandomStream, _ identifier: String)
    -> HovorkaParameters
  {
    var p = HovorkaParameters(identifier: identifier, bodyWeight: s.uniform(in: 45...95))
    p.egp0 = s.logNormal(median: 0.0170, sigma: 0.2)
    p.f01 = s.logNormal(median: 0.0110, sigma: 0.1)
    p.k12 = s.logNormal(median: 0.05, sigma: 0.4)
    p.ka1 = s.logNormal(median: 0.0035, sigma: 0.4)
    p.ka2 = s.logNormal(median: 0.055, sigma: 0.4)
    p.ka3 = s.logNormal(median: 0.025, sigma: 0.4)
    p.sit = s.logNormal(median: 0.0018, sigma: 0.4)
    p.sid = s.logNormal(median: 0.0005, sigma: 0.4)
    p.sie = s.logNormal(median: 0.0190, sigma: 0.4)
    p.ke = s.logNormal(median: 0.14, sigma: 0.2)
    p.vi = s.logNormal(median: 0.12, sigma: 0.05)
    p.vg = s.logNormal(median: 0.16, sigma: 0.05)
    p.tmaxI = s.logNormal(median: 55.6, sigma: 0.2)
    p.tmaxG = s.logNormal(median: 40, sigma: 0.2)
    p.renalThreshold = 11
    p.renalClearance = s.logNormal(median: 0.01, sigma: 0.2)
    p.sensorDelay = 12
    p.centralUptake = .saturating
    return p
  }

  private static func sensitivityOnly(_ s: inout RandomStream, _ identifier: String)
    -> HovorkaParameters
  {
    let weight = max(s.normal(mean: 76.3, standardDeviation: 15.9), 1)
    var p = HovorkaParameters(identifier: identifier, bodyWeight: weight)
    let (z, v) = (s.normal(), 2 * s.unit() - 1)
    p.sid = 0.4 * (0.000_32 * z + 0.000_82)
    p.sit = 0.4 * (0.001_44 * (z + 0.25 * v) + 0.005_12)
    p.sie = 0.4 * (0.013_75 * (z + 0.75 * v) + 0.052)
    return p
  }

  private func isPatient(_ p: HovorkaParameters) -> Bool {
    guard (try? p.check()) != nil else { return false }
    switch self {
    case .independent:
      guard let basal = p.basalRate(holding: .mmolL(5)) else { return false }
      return (0.1...3).contains(basal)
    case .logNormal:
      let need = 5.5 * (p.f01 / 0.85) / 6.5
      guard 0.8 * p.egp0 >= need, let basal = p.basalRate(holding: .mmolL(5.5)) else {
        return false
      }
      let use = 0.4 * max(p.sit, 0.0016) + 0.6 * min(max(p.sid, 0.0003), 0.0007)
      let carbFactor = 180.1577 * use * 5 * p.vg / (p.ke * p.vi)
      return (0.1...2.2).contains(basal) && (2...24).contains(carbFactor)
    case .sensitivityOnly:
      return Self.glucose(p, rate: 0) >= 300 && Self.glucose(p, rate: 15) <= 100
    }
  }

  /// The glucose after 1,000 min at a rate in U/h, in mg/dL.
  private static func glucose(_ p: HovorkaParameters, rate: Double) -> Double {
    let start = Instant(millisecondsSince1970: 0)
    guard var patient = try? HovorkaPatient(p, at: start, glucose: .mgdL(120)) else { return .nan }
    patient.receive(.rate(unitsPerHour: rate))
    patient.advance(to: start + .minutes(1_000))
    return patient.glucose.mgdL
  }
}
