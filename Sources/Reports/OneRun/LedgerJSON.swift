internal import Devices
internal import Quantities
public import Simulation
public import StructuredText

/// The insulin accounts of a run as a JSON tree.
public enum LedgerJSON {
  /// What was asked for, delivered, lost and pending; what each record holds, and every difference.
  public static func value(_ run: RunResult) -> JSONValue {
    let ledger = run.ledger
    return [
      "id": .string(run.id),
      "conserved": .bool(ledger.checkConservation() == nil),
      "basal": [
        "programmed_U": .number(ledger.basal.programmed.units),
        "anticipated_U": .number(ledger.basal.anticipated.units),
        "delivered_U": units(ledger.basal.delivered),
        "discarded_U": .number(ledger.basal.discarded.units),
        "pending_U": .number(ledger.basal.pending.units),
        "discards": .integer(Int64(ledger.basal.discards)),
      ],
      "bolus": [
        "asked_U": sum(run, \.asked),
        "misreported_U": sum(run, \.misreported),
        "above_limit_U": sum(run, \.aboveLimit),
        "off_grid_U": sum(run, \.offGrid),
        "not_started_U": units(wanted(run) - ledger.boluses.asked),
        "delivered_U": units(ledger.boluses.delivered),
        "cancelled_U": units(ledger.boluses.cancelled),
        "lost_U": units(ledger.boluses.lost),
        "pending_U": units(ledger.boluses.pending),
      ],
      "reservoir": [
        "filled_U": units(ledger.reservoir.filled),
        "remaining_U": units(ledger.reservoir.remaining),
        "primed_U": units(ledger.reservoir.primed),
        "removed_U": units(ledger.reservoir.removed),
        "unrequested_U": units(ledger.reservoir.unrequested),
      ],
      "body": body(ledger.body, takenOff: run.agreement.takenOff),
      "records": run.agreement.json(clock: run.clock),
    ]
  }

  /// What the pump was to give, whether or not it got the command and took it.
  private static func wanted(_ run: RunResult) -> InsulinAmount {
    run.bolusRequests.reduce(.zero) { $0 + $1.wanted }
  }

  private static func sum(
    _ run: RunResult, _ part: KeyPath<BolusRequestRecord, InsulinAmount>
  ) -> JSONValue {
    units(run.bolusRequests.reduce(.zero) { $0 + $1[keyPath: part] })
  }

  private static func body(_ body: BodyLedger, takenOff: Double) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("recorded_U", .number(body.recorded.units)),
      .init("unrequested_U", .number(body.unrequested.units)),
      .init(
        "absorbed_U",
        takenOff > 0 ? .amount(body.absorbed.units - takenOff) : .number(body.absorbed.units)),
      .init("held_back_U", .number(body.heldBack.units)),
    ]
    for difference in BodyLedger.Difference.allCases {
      members.append(.init("\(difference.rawValue)_U", .number(body[difference].units)))
    }
    if takenOff > 0 { members.append(.init("taken_off_U", .amount(takenOff))) }
    return .object(members)
  }

  private static func units(_ amount: InsulinAmount) -> JSONValue { .number(amount.units) }
}
