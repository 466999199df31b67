internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// Finds where body, pump, app and health store tell different stories, and why.
///
/// Basal of the app and of the health store is held against the pulses the pump gave in the same
/// half-open window; every bolus against its row in the event history, in the insulin delivery
/// store and in the health store; every injection against the app's rows and the samples of others.
/// What the differences come to is held against the totals of each record, so that none can be
/// left out.
struct RecordComparison {
  var start: Instant
  var end: Instant
  var clock: WallClock
  /// The instant up to which the app has closed its basal segments.
  var reportedThrough: Instant
  var basalDelivered: (Instant, Instant) -> InsulinAmount
  var boluses: [PumpBolusRecord]
  /// The identifiers of the events that the event history shows.
  var shownEvents: Set<SyncIdentifier>
  /// Every dose the app counts or counted until it was too old to be kept.
  var doses: [InsulinDeliveryRecord]
  var samples: [InsulinSampleRecord]
  var injections: [InjectionRecord]
  var intake: BodyIntake
  var isFedContinuously: Bool
  var ledger: DeliveryLedger
  var causes: RecordCauses
  /// Whether somebody gave a bolus of which the pump reported another amount.
  var isMisreported = false
  /// Whether there is an app that records; without one, body and pump alone are compared.
  var hasApp = true

  static let tolerance = RecordAgreement.tolerance

  func compare() -> RecordAgreement {
    assert(start <= end, "Records are compared over a stretch of time.")
    assert(
      Set(boluses.map(\.identifier)).count == boluses.count, "A bolus has one record of the pump.")
    guard hasApp else { return comparedBodyAndPump() }
    var agreement = RecordAgreement()
    agreement.basal = RecordAgreement.Totals(
      body: intake.basal, pump: basalDelivered(start, end).units,
      app: sum(appBasal.map(\.units)), healthStore: sum(storeBasal.map(\.units)))
    agreement.bolus = RecordAgreement.Totals(
      body: intake.bolus, pump: sum(boluses.map(\.delivered.units)),
      app: sum(doses.filter { $0.isFromPump && $0.isBolus }.map(\.units)),
      healthStore: sum(samples.filter { isFromPump($0) && !$0.isBasal }.map(\.units)))
    agreement.elsewhere = RecordAgreement.Totals(
      body: intake.injected + intake.unrequested,
      app: sum(doses.filter { !$0.isFromPump && $0.countsInInsulinOnBoard }.map(\.units)),
      healthStore: sum(samples.filter { !isFromPump($0) }.map(\.units)))
    agreement.add(basalDifferences() + bolusDifferences() + elsewhereDifferences())
    agreement.add(bodyDifferences(agreement))
    agreement.add(unexplained(agreement))
    return agreement
  }

  /// The comparison where no app records anything.
  private func comparedBodyAndPump() -> RecordAgreement {
    var agreement = RecordAgreement()
    agreement.basal = RecordAgreement.Totals(
      body: intake.basal, pump: ledger.basal.delivered.units, app: nil, healthStore: nil)
    agreement.bolus = RecordAgreement.Totals(
      body: intake.bolus, pump: sum(boluses.map(\.delivered.units)), app: nil, healthStore: nil)
    agreement.elsewhere = RecordAgreement.Totals(
      body: intake.injected + intake.unrequested, app: nil, healthStore: nil)
    agreement.add(bodyDifferences(agreement))
    return agreement
  }

  // MARK: - The sum

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
        guard left.magnitude > Self.tolerance else { continue }
        found.append(
          RecordDifference(
            .fault, .unexplained, origin, in: [record], from: start, to: end, units: left,
            "The \(name) has \(unitsText(left.magnitude)) U \(left > 0 ? "more" : "less") of "
              + "\(words(origin)) than the \(totals.pump == nil ? "body" : "pump"), "
              + "and no cause is known."))
      }
    }
    return found
  }

  // MARK: - Which insulin

  /// The basal that the app has recorded as given by the pump, by start.
  var appBasal: [InsulinDeliveryRecord] {
    doses.filter { $0.isFromPump && !$0.isBolus && !$0.isMutable }
  }

  /// The basal samples of the app in the health store, by start.
  var storeBasal: [InsulinSampleRecord] {
    samples.filter { $0.isOwn && $0.isBasal }.sorted {
      ($0.start, $0.sampleID) < ($1.start, $1.sampleID)
    }
  }

  /// Whether a sample tells of insulin that the pump gave.
  func isFromPump(_ sample: InsulinSampleRecord) -> Bool {
    guard sample.isOwn else { return false }
    guard !sample.isBasal, let identifier = sample.syncIdentifier else { return sample.isBasal }
    return boluses.contains { $0.identifier == identifier }
      || doses.contains { $0.identifier == identifier && $0.isFromPump }
  }

  // MARK: - Words

  /// The time of day; with the date where the run is longer than a day.
  func time(_ instant: Instant) -> String {
    let shown = clock.civilTime(at: instant)
    return end - start > .days(1) ? shown.description : shown.timeOfDay.description
  }

  func span(_ start: Instant, _ end: Instant) -> String { "\(time(start)) to \(time(end))" }

  func words(_ origin: RecordAgreement.Origin) -> String {
    switch origin {
    case .basal: "basal"
    case .bolus: "boluses"
    case .elsewhere: "insulin from elsewhere"
    }
  }

  /// "the app's records and the health store", as the records that lack something.
  func words(_ records: [RecordAgreement.Record]) -> String {
    switch records {
    case [.app, .healthStore]: "in neither the app nor the health store"
    case [.app]: "not in the app's records"
    default: "not in the health store"
    }
  }

  /// "the phone has been off since 03:00:00".
  func clause(_ obstacle: RecordCauses.Obstacle) -> String {
    "\(obstacle.words) since \(time(obstacle.since))"
  }

  func clause(lastWrite instant: Instant) -> String {
    "the app last wrote to the health store at \(time(instant))"
  }

  func clause(installedAnew instant: Instant, shown: Instant) -> String {
    "the app was installed anew at \(time(instant)), when the phone's clock showed \(time(shown))"
  }

  /// A sum in the order of the numbers.
  func sum(_ numbers: [Double]) -> Double { numbers.reduce(0, +) }
}

extension InsulinDeliveryRecord {
  var isBolus: Bool { kind == .bolus }
}
