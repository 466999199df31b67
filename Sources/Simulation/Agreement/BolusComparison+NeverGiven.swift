internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// Boluses of which the records tell, and the pump gave none.
extension BolusComparison {
  /// A bolus that the app counts, or the health store holds, and the pump never gave.
  func notDelivered(
    _ identifier: SyncIdentifier, from start: Instant, to end: Instant, inApp: Double,
    inStore: Double
  ) -> [RecordDifference] {
    let cause: String? =
      identifier.isAssumed
      ? "assumed of a command that had no reply"
      : compared.ledger.reporting.overstated > .zero
        ? "reported by the pump, which gave nothing" : nil
    func difference(
      _ records: [RecordAgreement.Record], _ units: Double, _ who: String
    ) -> RecordDifference {
      RecordDifference(
        cause == nil ? .fault : .check, .notDelivered, .bolus, in: records, from: start, to: end,
        units: units,
        "\(who) \(unitsText(units)) U of a bolus at \(compared.time(start)), "
          + (cause ?? "which the pump did not give, and no cause is known") + ".")
    }
    let isInApp = inApp.magnitude > ComparedRecords.tolerance
    if isInApp, (inApp - inStore).magnitude <= ComparedRecords.tolerance {
      let both = "The app counts and the health store holds"
      return [difference([.app, .healthStore], inApp, both)]
    }
    var found: [RecordDifference] = []
    if isInApp { found.append(difference([.app], inApp, "The app counts")) }
    if inStore.magnitude > ComparedRecords.tolerance {
      found.append(difference([.healthStore], inStore, "The health store holds"))
    }
    return found
  }
}
