public import Quantities

/// A patient whose parameters vary over time, whatever its model.
///
/// Every five minutes by the clock the factors of all modulators are multiplied and given to the
/// body, as they are in the middle of the next five minutes. Conditions from outside multiply with
/// them.
public struct VaryingPatient: Patient {
  /// The body that varies.
  public internal(set) var base: any Patient
  private var modulators: [Modulator]
  private let clock: WallClock
  /// The factors of conditions from outside.
  private var given = TargetFactors()
  /// The factors that the body has.
  private var applied = TargetFactors()
  /// The products of the modulators alone, as last computed.
  private var modulatorsOnly = TargetFactors()
  private var nextChange: Instant

  private static let grid = TimeSpan.minutes(5)

  /// Makes a body vary.
  ///
  /// - Parameters:
  ///   - base: The body.
  ///   - modulators: What varies in it; modulators of what its model does not know do nothing.
  ///   - clock: The clock by which days pass.
  public init(_ base: any Patient, modulators: [Modulator], clock: WallClock = .utc) {
    self.base = base
    self.modulators = modulators
    self.clock = clock
    nextChange = base.now.floored(to: Self.grid)
    change()
  }

  public var now: Instant { base.now }
  public var glucose: GlucoseConcentration { base.glucose }
  public var computedGlucose: GlucoseConcentration { base.computedGlucose }
  public var modelRange: ModelRange { base.modelRange }
  public var sensedGlucose: GlucoseConcentration { base.sensedGlucose }
  public var insulinOnBoard: Double? { base.insulinOnBoard }

  public mutating func advance(to instant: Instant) {
    while base.now < instant {
      assert(base.now < nextChange, "Factors change when it is time.")
      base.advance(to: min(instant, nextChange))
      if base.now == nextChange { change() }
    }
  }

  public mutating func receive(_ insulin: InsulinInput) { base.receive(insulin) }

  public mutating func eat(_ meal: MealInput) { base.eat(meal) }

  public mutating func apply(_ condition: BodyCondition) -> Bool {
    if case .variation(let added) = condition {
      for modulator in added { begin(modulator) }
      return true
    }
    guard let (target, factor) = condition.modulation else { return base.apply(condition) }
    let own = modulatorsOnly[target]
    guard base.apply(.modulation(target, factor: own * factor)) else { return false }
    given[target] = factor
    applied[target] = own * factor
    return true
  }

  /// Takes up a modulator, which has its part in the five minutes that run.
  private mutating func begin(_ modulator: Modulator) {
    var modulator = modulator
    let factor = modulator.factor(
      from: nextChange - Self.grid, span: Self.grid, clock: clock)
    modulators.append(modulator)
    let target = modulator.target
    modulatorsOnly[target] = modulatorsOnly[target] * factor
    apply(target)
  }

  /// Gives the body the factor of a target, if it has changed.
  private mutating func apply(_ target: Modulator.Target) {
    let factor = modulatorsOnly[target] * given[target]
    guard factor != applied[target] else { return }
    if base.apply(.modulation(target, factor: factor)) { applied[target] = factor }
  }

  /// Gives the body the factors of the five minutes that begin now.
  private mutating func change() {
    for target in Modulator.Target.allCases {
      var product = 1.0
      for index in modulators.indices where modulators[index].target == target {
        product *= modulators[index].factor(from: nextChange, span: Self.grid, clock: clock)
      }
      modulatorsOnly[target] = product
      apply(target)
    }
    nextChange += Self.grid
  }
}

/// A factor for each target, 1 unless set.
private struct TargetFactors: Hashable, Sendable {
  private var insulinSensitivity = 1.0
  private var glucoseProduction = 1.0
  private var gastricEmptying = 1.0
  private var insulinAbsorption = 1.0

  subscript(target: Modulator.Target) -> Double {
    get {
      switch target {
      case .insulinSensitivity: insulinSensitivity
      case .glucoseProduction: glucoseProduction
      case .gastricEmptying: gastricEmptying
      case .insulinAbsorption: insulinAbsorption
      }
    }
    set {
      switch target {
      case .insulinSensitivity: insulinSensitivity = newValue
      case .glucoseProduction: glucoseProduction = newValue
      case .gastricEmptying: gastricEmptying = newValue
      case .insulinAbsorption: insulinAbsorption = newValue
      }
    }
  }
}

extension BodyCondition {
  /// The condition that multiplies a target by a factor.
  static func modulation(_ target: Modulator.Target, factor: Double) -> Self {
    switch target {
    case .insulinSensitivity: .insulinSensitivity(factor: factor)
    case .glucoseProduction: .glucoseProduction(factor: factor)
    case .gastricEmptying: .gastricEmptying(factor: factor)
    case .insulinAbsorption: .insulinAbsorption(factor: factor)
    }
  }

  /// The target and factor, when the condition is a factor.
  var modulation: (Modulator.Target, factor: Double)? {
    switch self {
    case .insulinSensitivity(let factor): (.insulinSensitivity, factor)
    case .glucoseProduction(let factor): (.glucoseProduction, factor)
    case .gastricEmptying(let factor): (.gastricEmptying, factor)
    case .insulinAbsorption(let factor): (.insulinAbsorption, factor)
    case .exercise, .variation, .glucagon: nil
    }
  }
}
