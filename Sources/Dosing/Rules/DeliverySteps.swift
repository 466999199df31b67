public import Quantities

/// The rates and amounts a pump can deliver, and rounding down to them.
///
/// A millionth of a step is forgiven when rounding down, so that 0.15 U, which binary numbers hold
/// as a little less, stays three steps of 0.05 U.
public struct DeliverySteps: Hashable, Sendable {
  /// The step of basal rates; a rate is a multiple of it.
  public var basal: InsulinRate
  /// The step of boluses.
  public var bolus: InsulinAmount
  /// The largest rate the pump can run.
  public var maximumBasalRate: InsulinRate
  /// The largest bolus the pump can give.
  public var maximumBolus: InsulinAmount

  /// Creates the steps of a pump: 0.05 U/h and 0.05 U up to 30 of each, unless told otherwise.
  ///
  /// - Precondition: Steps are more than nothing.
  public init(
    basal: InsulinRate = .init(milliunitsPerHour: 50), bolus: InsulinAmount = .milliunits(50),
    maximumBasalRate: InsulinRate = .init(milliunitsPerHour: 30_000),
    maximumBolus: InsulinAmount = .milliunits(30_000)
  ) {
    precondition(basal > .zero, "A basal step must be more than nothing.")
    precondition(bolus > .zero, "A bolus step must be more than nothing.")
    self.basal = basal
    self.bolus = bolus
    self.maximumBasalRate = maximumBasalRate
    self.maximumBolus = maximumBolus
  }

  /// The largest supported rate that is not above a number of U/h; nothing below zero.
  public func roundedDown(unitsPerHour rate: Double) -> InsulinRate {
    let steps = Self.steps(rate * 1_000, of: basal.milliunitsPerHour)
    let most = maximumBasalRate.milliunitsPerHour / basal.milliunitsPerHour
    return InsulinRate(milliunitsPerHour: min(steps, most) * basal.milliunitsPerHour)
  }

  /// The largest supported bolus that is not above a number of U; nothing below zero.
  public func roundedDown(units: Double) -> InsulinAmount {
    let steps = Self.steps(units * 1_000, of: bolus.milliunits)
    return .milliunits(min(steps, maximumBolus.milliunits / bolus.milliunits) * bolus.milliunits)
  }

  private static func steps(_ wanted: Double, of step: Int64) -> Int64 {
    // Above 10⁹ steps no pump can tell the difference; what is not a number is nothing.
    guard wanted > 0 else { return 0 }
    return Int64(min((wanted / Double(step) + 1e-6).rounded(.down), 1e9))
  }
}
