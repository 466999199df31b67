internal import Quantities

/// Numbers as the sentences of a run have them.
extension Run {
  /// A glucose in the unit of the run's sentences.
  func words(_ glucose: GlucoseConcentration) -> String {
    "\(number(glucose)) \(setup.glucoseUnit.rawValue)"
  }

  /// A glucose in the unit of the run's sentences, without the unit; mmol/L have one decimal.
  func number(_ glucose: GlucoseConcentration) -> String {
    switch setup.glucoseUnit {
    case .milligramsPerDecilitre: whole(glucose.mgdL)
    case .millimolesPerLitre: whole((glucose.mgdL / setup.glucoseUnit.mgdL * 10).rounded() / 10)
    }
  }
}

/// A number as sentences have it: no decimals where there are none, and three at most.
func whole(_ value: Double) -> String {
  guard value.magnitude < 1e12 else { return "\(value)" }
  // What was stated in another unit has no more places than anyone can mean.
  let shown = (value * 1_000).rounded() / 1_000
  return shown == shown.rounded() ? "\(Int64(shown))" : "\(shown)"
}
