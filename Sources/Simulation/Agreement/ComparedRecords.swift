internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// What body, pump, app and health store have of the insulin of one run, as it is compared.
struct ComparedRecords {
  var start: Instant
  var end: Instant
  var clock: WallClock
  /// The instant up to which the app has closed its basal segments.
  var reportedThrough: Instant
  var basalDelivered: (Instant, Instant) -> InsulinAmount
  var boluses: [PumpBolusRecord]
  /// The programs that the pump ran, in the order of time.
  var programs: [PumpProgramRecord] = []
  /// What reached the body while a bolus was given, in U; `nil` where pulses do not tell.
  var reached: (PumpBolusRecord) -> Double? = { _ in nil }
  /// The identifiers of the boluses that the event history shows.
  var shownBoluses: Set<SyncIdentifier>
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
  /// Whether a fault made what the pump gave wrong by a factor.
  var isScaled = false
  /// What the body got of boluses that the pump did not count at all, in the order of time.
  var uncountedBoluses: [(instant: Instant, units: Double)] = []
  /// How much of them reached the body; `nil` where it is not known.
  var reachedInUncounted: Double?
  /// When the pump gave insulin without a command, in the order of time; boluses that it did not
  /// count are none.
  var unrequested: [Instant] = []
  /// What came free behind an occlusion, in the order of time.
  var released: [(instant: Instant, units: Double)] = []
  /// The first and the last pulse of which less reached the body than the pump counted, and of
  /// which more did; `nil` where none is known.
  var shortPulses: ClosedRange<Instant>?
  var excessPulses: ClosedRange<Instant>?
  /// Whether there is an app that records; without one, body and pump alone are compared.
  var hasApp = true

  /// The identifiers of the boluses of the pump, by its own account and by the app's, once they
  /// have been gathered.
  private(set) var pumpBoluses: Set<SyncIdentifier>?

  static let tolerance = RecordAgreement.tolerance

  // MARK: - Which insulin

  /// A stretch of basal as a record has it.
  struct BasalPiece {
    var start: Instant
    var end: Instant
    var units: Double
  }

  /// The basal that the app has recorded as given by the pump, by start.
  var appBasal: [BasalPiece] {
    doses.lazy.filter { $0.isFromPump && !$0.isBolus && !$0.isMutable }.map {
      BasalPiece(start: $0.start, end: $0.end, units: $0.units)
    }
  }

  /// The basal samples of the app in the health store, by start.
  var storeBasal: [BasalPiece] {
    let places = samples.indices.filter { samples[$0].isOwn && samples[$0].isBasal }.sorted {
      (samples[$0].start, samples[$0].sampleID) < (samples[$1].start, samples[$1].sampleID)
    }
    return places.map {
      BasalPiece(start: samples[$0].start, end: samples[$0].end, units: samples[$0].units)
    }
  }

  /// Whether a sample tells of insulin that the pump gave.
  func isFromPump(_ sample: InsulinSampleRecord) -> Bool {
    guard sample.isOwn else { return false }
    guard !sample.isBasal, let identifier = sample.syncIdentifier else { return sample.isBasal }
    return isPumpBolus(identifier)
  }

  /// Whether what was deleted told of a bolus of the pump.
  func isOfPumpBolus(_ deletion: RecordCauses.Deletion) -> Bool {
    deletion.syncIdentifier.map(isPumpBolus) ?? false
  }

  private func isPumpBolus(_ identifier: SyncIdentifier) -> Bool {
    guard let pumpBoluses else {
      preconditionFailure("The boluses of the pump are gathered before samples are compared.")
    }
    // An app that was installed anew may not know what it had assumed.
    return pumpBoluses.contains(identifier) || identifier.isAssumed
  }

  /// Gathers the identifiers of the boluses of the pump, which every sample is held against.
  mutating func gatherPumpBoluses() {
    pumpBoluses = Set(boluses.lazy.map(\.identifier)).union(
      doses.lazy.filter { $0.isFromPump && $0.isBolus }.map(\.identifier))
  }
}

/// The words in which the differences are told.
extension ComparedRecords {
  /// The time of day; with the date where the run is longer than a day, or begins after it, and
  /// with the offset where that changes.
  func time(_ instant: Instant) -> String {
    clock.moment(instant, from: start, to: end)
  }

  /// A stretch of time; with dates where its two times of day are one.
  func span(_ start: Instant, _ end: Instant) -> String {
    // An end comes after its start, and needs no date to be known for the later midnight.
    let times = [start, end].map {
      clock.moment($0, from: self.start, to: self.end, withDate: false)
    }
    guard times[0] == times[1], start < end else { return times.joined(separator: " to ") }
    return [start, end].map { clock.civilTime(at: $0).description }.joined(separator: " to ")
  }

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
}

extension InsulinDeliveryRecord {
  var isBolus: Bool { kind == .bolus }
}
