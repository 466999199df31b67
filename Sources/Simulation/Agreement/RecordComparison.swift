internal import Devices
internal import Quantities

/// Finds where body, pump, app and health store tell different stories, and why.
///
/// Basal of the app and of the health store is held against the pulses the pump gave in the same
/// half-open window, and its kind against the programs that ran; every bolus against its row in the
/// event history, in the insulin delivery store and in the health store; every injection against
/// the app's rows and the samples of others. What the differences come to is held against the
/// totals of each record, so that none can be left out.
struct RecordComparison {
  private let compared: ComparedRecords

  init(_ compared: consuming ComparedRecords) {
    compared.gatherPumpBoluses()
    self.compared = compared
  }

  func compare() -> RecordAgreement {
    assert(compared.start <= compared.end, "Records are compared over a stretch of time.")
    assert(
      Set(compared.boluses.map(\.identifier)).count == compared.boluses.count,
      "A bolus has one record of the pump.")
    guard compared.hasApp else { return comparedBodyAndPump() }
    var agreement = RecordAgreement()
    agreement.basal = RecordAgreement.Totals(
      body: compared.intake.basal,
      pump: compared.basalDelivered(compared.start, compared.end).units,
      app: sum(compared.appBasal.lazy.map(\.units)),
      healthStore: sum(compared.storeBasal.lazy.map(\.units)))
    agreement.bolus = RecordAgreement.Totals(
      body: compared.intake.bolus, pump: sum(compared.boluses.lazy.map(\.delivered.units)),
      app: sum(compared.doses.lazy.filter { $0.isFromPump && $0.isBolus }.map(\.units)),
      healthStore: sum(
        compared.samples.lazy.filter { compared.isFromPump($0) && !$0.isBasal }.map(\.units)))
    agreement.elsewhere = RecordAgreement.Totals(
      body: compared.intake.injected + compared.intake.unrequested,
      app: sum(
        compared.doses.lazy.filter { !$0.isFromPump && $0.countsInInsulinOnBoard }.map(\.units)),
      healthStore: sum(compared.samples.lazy.filter { !compared.isFromPump($0) }.map(\.units)))
    agreement.takenOff = compared.intake.spilled
    agreement.add(
      BasalComparison(compared: compared).differences()
        + ProgramComparison(compared: compared).differences()
        + BolusComparison(compared: compared).differences()
        + OutsideInsulinComparison(compared).differences())
    agreement.add(BodyComparison(compared: compared).differences(agreement))
    agreement.add(unexplained(agreement))
    return agreement
  }

  /// The comparison where no app records anything.
  private func comparedBodyAndPump() -> RecordAgreement {
    var agreement = RecordAgreement()
    agreement.basal = RecordAgreement.Totals(
      body: compared.intake.basal, pump: compared.ledger.basal.delivered.units, app: nil,
      healthStore: nil)
    agreement.bolus = RecordAgreement.Totals(
      body: compared.intake.bolus, pump: sum(compared.boluses.lazy.map(\.delivered.units)),
      app: nil, healthStore: nil)
    agreement.elsewhere = RecordAgreement.Totals(
      body: compared.intake.injected + compared.intake.unrequested, app: nil, healthStore: nil)
    agreement.takenOff = compared.intake.spilled
    agreement.add(BolusComparison(compared: compared).interruptions())
    agreement.add(BodyComparison(compared: compared).differences(agreement))
    return agreement
  }

  // MARK: - The sum

  /// The sum in the order of the numbers.
  private func sum(_ numbers: some Sequence<Double>) -> Double { numbers.reduce(0, +) }

  /// What the named differences leave over between the totals of two records.
  private func unexplained(_ agreement: RecordAgreement) -> [RecordDifference] {
    var found: [RecordDifference] = []
    for origin in RecordAgreement.Origin.allCases {
      let totals = agreement[origin]
      for (record, name) in [(RecordAgreement.Record.app, "app"), (.healthStore, "health store")] {
        let named = agreement.differences.filter {
          $0.origin == origin && $0.records.contains(record)
        }
        let left =
          (totals[record] ?? 0) - totals.reference - sum(named.map(\.units))
        guard left.magnitude > ComparedRecords.tolerance else { continue }
        found.append(
          RecordDifference(
            .fault, .unexplained, origin, in: [record], from: compared.start, to: compared.end,
            units: left,
            "The \(name) has \(unitsText(left.magnitude)) U \(left > 0 ? "more" : "less") of "
              + "\(compared.words(origin)) than the \(totals.pump == nil ? "body" : "pump"), "
              + "and no cause is known."))
      }
    }
    return found
  }
}
