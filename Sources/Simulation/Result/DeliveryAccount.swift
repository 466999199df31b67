internal import Devices
internal import Quantities

/// What became of the insulin that was asked for in a run, in units.
///
/// asked = delivered + undelivered + pending; the body got what was delivered, less what was not
/// absorbed, and what the pump gave without a command.
public struct DeliveryAccount: Hashable, Sendable {
  /// What basal rates amount to, and boluses as people asked for them, and the loop of the pump.
  public var asked: Double
  /// What the pump counts as given.
  public var delivered: Double
  /// What was never given.
  ///
  /// Fractions of a pulse that the pump forgot, what is left of boluses that were cancelled or
  /// stopped, and what people asked for in vain: boluses that never began, and what limits and
  /// steps cut off. What the loop asks for in vain it asks for again.
  public var undelivered: Double
  /// What is still to come at the end of the run.
  public var pending: Double
  /// What was counted and did not reach the body: lost to an occlusion, a failing site, a leak or
  /// air, given while the pump was taken off, or held back at the end; negative where more reached
  /// it than was counted.
  public var notAbsorbed: Double

  /// Sums up the ledger of a run's pump.
  public init(_ run: RunResult) {
    let ledger = run.ledger
    let (basal, boluses, body) = (ledger.basal, ledger.boluses, ledger.body)
    let inVain = run.bolusesInVain.reduce(run.cutFromBoluses) { $0 + $1.asked }.units
    asked = (basal.programmed + basal.anticipated).units + boluses.asked.units + inVain
    delivered = ledger.delivered.units
    undelivered = basal.discarded.units + (boluses.cancelled + boluses.lost).units + inVain
    pending = basal.pending.units + boluses.pending.units
    notAbsorbed = (body.recorded + body.unrequested - body.absorbed).units + run.agreement.takenOff
  }
}
