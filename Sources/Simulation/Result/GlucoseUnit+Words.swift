internal import Physiology
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

  /// A limit in the unit as it was stated: what lies below it does so as it is told.
  func exactly(_ limit: GlucoseConcentration) -> String {
    "\(whole(limit.mgdL / mgdL)) \(rawValue)"
  }

  /// A glucose that equations gave, whatever it is, to a tenth of the unit.
  func tenths(_ glucose: GlucoseConcentration) -> String {
    let value = glucose.mgdL / mgdL
    let number = value.magnitude < 1e15 ? whole((value * 10).rounded() / 10) : "\(value)"
    return "\(number) \(rawValue)"
  }
}

extension GlucoseUnit {
  /// A glucose and the range outside which it is, with so many decimals that it is seen to be:
  /// `19.98 mg/dL, outside the model's range of 20 to 600 mg/dL`.
  func sentence(
    of glucose: GlucoseConcentration, outside range: ModelRange, _ remark: String = ""
  ) -> String {
    let values = [glucose, range.lowest, range.highest].map { $0.mgdL / mgdL }
    var power = 10.0
    var shown = values
    repeat {
      shown = values.map { $0.magnitude < 1e15 / power ? ($0 * power).rounded() / power : $0 }
      power *= 10
    } while shown[1] <= shown[0] && shown[0] <= shown[2] && power < 1e10
    let words = shown.map { $0 == $0.rounded() && $0.magnitude < 1e12 ? "\(Int64($0))" : "\($0)" }
    return "\(words[0]) \(rawValue)\(remark), outside the model's range of \(words[1]) to "
      + "\(words[2]) \(rawValue)"
  }
}

/// A number as sentences have it: no decimals where there are none, and three at most.
func whole(_ value: Double) -> String {
  guard value.magnitude < 1e12 else { return "\(value)" }
  // What was stated in another unit has no more places than anyone can mean.
  let shown = (value * 1_000).rounded() / 1_000
  return shown == shown.rounded() ? "\(Int64(shown))" : "\(shown)"
}
