import Dosing
import Quantities
import Testing

/// Whether two numbers agree to 1e-9, relatively, or absolutely where they are smaller than 1.
func agree(_ a: Double, _ b: Double, to tolerance: Double = 1e-9) -> Bool {
  (a - b).magnitude <= tolerance * max(1, max(a.magnitude, b.magnitude))
}

func agree(_ a: [Double], _ b: [Double], to tolerance: Double = 1e-9) -> Bool {
  difference(a, b, to: tolerance) == nil
}

/// Where two series first differ, in words; nothing where they agree.
func difference(_ a: [Double], _ b: [Double], to tolerance: Double = 1e-9) -> String? {
  guard a.count == b.count else { return "\(a.count) numbers, not \(b.count)" }
  let index = a.indices.first { !agree(a[$0], b[$0], to: tolerance) }
  return index.map { "\(a[$0]), not \(b[$0]), at \($0) of \(a.count)" }
}

extension [GlucoseEffect] {
  /// The quantity at an instant of the list.
  func quantity(at date: Instant) -> Double? { first { $0.startDate == date }?.quantity }
}

extension [PredictedGlucose] {
  /// The quantity at an instant of the list.
  func quantity(at date: Instant) -> Double? { first { $0.startDate == date }?.quantity.mgdL }
}

extension AlgorithmOutput {
  var automatic: AutomaticDoseRecommendation? {
    if case .success(.automatic(let dose)) = recommendation { dose } else { nil }
  }

  var manual: ManualBolusRecommendation? {
    if case .success(.manual(let bolus)) = recommendation { bolus } else { nil }
  }

  var error: AlgorithmError? {
    if case .failure(let error) = recommendation { error } else { nil }
  }
}
