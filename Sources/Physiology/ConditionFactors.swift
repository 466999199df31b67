/// What multiplies the parameters of a body for the time being; 1 is the patient's own value.
struct ConditionFactors: Hashable, Sendable {
  var insulinSensitivity = 1.0
  var glucoseProduction = 1.0
  var gastricEmptying = 1.0
  var insulinAbsorption = 1.0

  /// Takes up a condition; answers whether it is one of these factors with a usable value.
  mutating func take(_ condition: BodyCondition) -> Bool {
    switch condition {
    case .insulinSensitivity(let factor): set(\.insulinSensitivity, factor)
    case .glucoseProduction(let factor): set(\.glucoseProduction, factor)
    case .gastricEmptying(let factor): set(\.gastricEmptying, factor)
    case .insulinAbsorption(let factor): set(\.insulinAbsorption, factor)
    case .exercise, .variation, .glucagon: false
    }
  }

  private mutating func set(_ path: WritableKeyPath<Self, Double>, _ factor: Double) -> Bool {
    guard factor >= 0, factor.isFinite else { return false }
    self[keyPath: path] = factor
    return true
  }
}
