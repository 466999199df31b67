internal import Quantities

/// Glucose as the sentences of a run have it.
extension GlucoseUnit {
  /// A glucose in the unit.
  func words(_ glucose: GlucoseConcentration) -> String { "\(number(glucose)) \(rawValue)" }

  /// A glucose in the unit, which is not named; mmol/L have one decimal.
  func number(_ glucose: GlucoseConcentration) -> String {
    switch self {
    case .milligramsPerDecilitre: whole(glucose.mgdL)
    case .millimolesPerLitre: whole((glucose.mgdL / mgdL * 10).rounded() / 10)
    }
  }

  /// A glucose that equations gave, whatever it is, to a tenth of the unit.
  func tenths(_ glucose: GlucoseConcentration) -> String {
    let value = glucose.mgdL / mgdL
    let number = value.magnitude < 1e15 ? whole((value * 10).rounded() / 10) : "\(value)"
    return "\(number) \(rawValue)"
  }
}

/// A number as sentences have it: no decimals where there are none, and three at most.
func whole(_ value: Double) -> String {
  guard value.magnitude < 1e12 else { return "\(value)" }
  // What was stated in another unit has no more places than anyone can mean.
  let shown = (value * 1_000).rounded() / 1_000
  return shown == shown.rounded() ? "\(Int64(shown))" : "\(shown)"
}
