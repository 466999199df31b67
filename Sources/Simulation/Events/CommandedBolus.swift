package import Devices
package import Quantities

/// What becomes of a bolus that somebody wants before the pump is told: the app or the pump cuts it
/// off at a maximum, and the pump gives it in steps.
///
/// asked = amount + above the limit + off the grid.
package struct CommandedBolus: Sendable {
  /// What is wanted.
  let asked: InsulinAmount
  /// What the limit of the app or the pump's largest bolus cuts off.
  let aboveLimit: InsulinAmount
  /// What is cut off because the pump gives boluses in steps.
  let offGrid: InsulinAmount
  /// What the pump is told to give; zero where it is told nothing.
  package let amount: InsulinAmount
  private let limit: InsulinAmount
  private let isLimitOfApp: Bool

  /// Cuts off what cannot be given.
  ///
  /// - Parameters:
  ///   - units: What is wanted, in U.
  ///   - pump: The pump that is to give it.
  ///   - requester: Who wants it; at the pump itself no maximum of the app is a limit.
  ///   - appMaximum: The maximum of the app; `nil` where there is none.
  package init(
    units: Double, from pump: PumpProfile, by requester: BolusRequester,
    appMaximum: InsulinAmount?
  ) {
    assert(units.isFinite, "A bolus is a number of units.")
    let maximum = requester.goesThroughApp ? appMaximum : nil
    let pumpLimit = InsulinAmount(milliunits: pump.bolusVolumes.maximum)
    limit = min(maximum ?? pumpLimit, pumpLimit)
    isLimitOfApp = limit < pumpLimit
    asked = InsulinAmount(roundingUnits: units) ?? .zero
    amount = pump.supportedBolus(atMostUnits: min(units, limit.units))
    aboveLimit = max(.zero, asked - limit)
    offGrid = asked - aboveLimit - amount
    assert(amount >= .zero, "No bolus is negative.")
    assert(amount <= limit, "No bolus is above its limit.")
  }

  /// Whether there is nothing to give and nothing to tell.
  var isNothing: Bool { amount == .zero && aboveLimit == .zero }

  /// What a person is told of that which is cut off; `nil` where no limit cuts.
  var warning: String? {
    guard aboveLimit > .zero else { return nil }
    let who =
      isLimitOfApp
      ? "The app takes no bolus above its maximum of" : "The pump gives no bolus above"
    return "\(who) \(limit): of \(asked) asked for, \(aboveLimit) are not given."
  }

  /// The record of it.
  func record(of request: BolusRequest, at now: Instant) -> BolusRequestRecord {
    var record = BolusRequestRecord(asked, by: request.by, name: request.name, at: now)
    record.aboveLimit = aboveLimit
    record.offGrid = offGrid
    return record
  }
}
