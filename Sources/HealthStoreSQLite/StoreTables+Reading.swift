internal import HealthStore
internal import Quantities

extension StoreTables {
  func stored(_ uuid: SampleUUID) throws(HealthStoreError) -> StoredSample? {
    samples.byUUID.bind(1, uuid: uuid)
    defer { samples.byUUID.reset() }
    return try samples.byUUID.step() ? sample(in: samples.byUUID) : nil
  }

  func stored(
    syncIdentifier: SyncIdentifier, type: ObjectType, source: Int32
  ) throws(HealthStoreError) -> StoredSample? {
    samples.bySync.bind(1, text: syncIdentifier.description)
    samples.bySync.bind(2, integer: types.row(of: type))
    samples.bySync.bind(3, integer: Int64(source) + 1)
    defer { samples.bySync.reset() }
    return try samples.bySync.step() ? sample(in: samples.bySync) : nil
  }

  func members(of row: Int64) throws(HealthStoreError) -> [StoredSample] {
    samples.byParent.bind(1, integer: row)
    defer { samples.byParent.reset() }
    var members: [StoredSample] = []
    while try samples.byParent.step() { members.append(try sample(in: samples.byParent)) }
    return members
  }

  func visit(
    _ scan: StoreScan, _ body: (StoredSample) -> Bool
  ) throws(HealthStoreError) {
    switch scan {
    case .rows(let type, let row):
      samples.byRow.bind(1, integer: types.row(of: type))
      samples.byRow.bind(2, integer: row)
      try visit(samples.byRow, body)
    case .time(let type, let from, let end):
      bind(samples.byTime, type, from, end)
      try visit(samples.byTime, body)
    case .timeReversed(let type, let from, let end):
      bind(samples.byTimeReversed, type, from, end)
      try visit(samples.byTimeReversed, body)
    }
  }

  private func bind(
    _ statement: borrowing SQLiteStatement, _ type: ObjectType, _ from: Instant, _ end: Instant
  ) {
    let (earliest, overflow) = from.millisecondsSince1970.subtractingReportingOverflow(
      longest[Int(type.rawValue)].milliseconds)
    statement.bind(1, integer: types.row(of: type))
    statement.bind(2, integer: overflow ? .min : earliest)
    statement.bind(3, integer: end.millisecondsSince1970)
  }

  private func visit(
    _ statement: borrowing SQLiteStatement, _ body: (StoredSample) -> Bool
  ) throws(HealthStoreError) {
    defer { statement.reset() }
    while try statement.step() {
      guard body(try sample(in: statement)) else { return }
    }
  }

  /// The sample in the current row of a statement.
  private func sample(
    in row: borrowing SQLiteStatement
  ) throws(HealthStoreError) -> StoredSample {
    let number = row.integer(0)
    guard let type = types.type(at: row.integer(2)) else {
      throw damaged("object", number, "its type is unknown")
    }
    let revision = try place(row.integer(3), in: revisionCount, "object", number, "revision")
    let source = try place(row.integer(17), in: sourceCount, "object", number, "source")
    for column in 5...7 as ClosedRange<Int32> {
      try check(row.integer(column), in: RowRules.milliseconds, "object", number, "time")
    }
    guard row.integer(5) <= row.integer(6) else {
      throw damaged("object", number, "it ends before it starts")
    }
    var metadata = Metadata()
    if let identifier = row.optionalText(13) { metadata[.syncIdentifier] = .text(identifier) }
    if let version = row.optionalInteger(14) { metadata[.syncVersion] = .number(Double(version)) }
    if let external = row.optionalText(15) { metadata[.externalUUID] = .text(external) }
    if row.integer(16) != 0 { try readMetadata(of: number, into: &metadata) }
    let sample = Sample(
      restoring: row.uuid(1), type: type, start: .init(millisecondsSince1970: row.integer(5)),
      end: .init(millisecondsSince1970: row.integer(6)),
      value: try value(of: type, number: number, in: row),
      device: row.optionalInteger(4).flatMap { devices[$0] }, metadata: metadata)
    try row.check()
    return StoredSample(
      row: number, sample: sample, revision: Int32(revision), source: Int32(source),
      created: .init(millisecondsSince1970: row.integer(7)),
      parent: row.optionalInteger(12) ?? 0)
  }

  private func value(
    of type: ObjectType, number: Int64, in row: borrowing SQLiteStatement
  ) throws(HealthStoreError) -> SampleValue {
    switch type.kind {
    case .category: return .category(Int(row.integer(11)))
    case .correlation: return .correlation([])
    case .document: return .document(try document(number))
    case .workout: return .workout(try workout(number))
    case .quantity, .characteristic, .activitySummary:
      if let text = row.optionalText(10), let unit = try? HealthUnit(text) {
        return .quantity(.init(row.real(9), unit))
      }
      return .quantity(.init(row.real(8), type.unit ?? .count))
    }
  }

  private func readMetadata(
    of row: Int64, into metadata: inout Metadata
  ) throws(HealthStoreError) {
    samples.metadata.bind(1, integer: row)
    defer { samples.metadata.reset() }
    while try samples.metadata.step() {
      guard let key = keys[samples.metadata.integer(0)] else { continue }
      let number = samples.metadata.real(2)
      switch samples.metadata.integer(1) {
      case 1: metadata[key] = .text(samples.metadata.text(4))
      case 2: metadata[key] = .number(number)
      case 3: metadata[key] = .flag(number == 1)
      case 4:
        let instant = samples.metadata.integer(3)
        try check(instant, in: RowRules.milliseconds, "metadata", row, "instant_ms")
        metadata[key] = .date(.init(millisecondsSince1970: instant))
      default:
        guard let unit = try? HealthUnit(samples.metadata.text(4)) else { continue }
        metadata[key] = .quantity(.init(number, unit))
      }
    }
  }

  private func document(_ row: Int64) throws(HealthStoreError) -> ClinicalDocument {
    samples.document.bind(1, integer: row)
    defer { samples.document.reset() }
    guard try samples.document.step() else {
      throw damaged("object", row, "its document is missing")
    }
    let content = samples.document.isNull(5) ? nil : samples.document.blob(5)
    return ClinicalDocument(
      restoring: content, title: samples.document.text(1), patientName: samples.document.text(2),
      custodianName: samples.document.text(3), authorName: samples.document.text(4))
  }

  private func workout(_ row: Int64) throws(HealthStoreError) -> Workout {
    samples.workout.bind(1, integer: row)
    defer { samples.workout.reset() }
    guard try samples.workout.step() else {
      throw damaged("object", row, "its workout is missing")
    }
    try check(
      samples.workout.integer(2), in: RowRules.milliseconds, "workout", row, "duration_ms")
    return Workout(
      activity: .init(rawValue: Int(samples.workout.integer(1))),
      duration: .milliseconds(samples.workout.integer(2)),
      kilocalories: samples.workout.optionalReal(3), metres: samples.workout.optionalReal(4),
      events: try events(row))
  }

  private func events(_ row: Int64) throws(HealthStoreError) -> [Workout.Event] {
    samples.events.bind(1, integer: row)
    defer { samples.events.reset() }
    var events: [Workout.Event] = []
    while try samples.events.step() {
      guard let kind = Workout.Event.Kind(rawValue: Int(samples.events.integer(0))) else {
        throw damaged("workout_event", row, "its kind is unknown")
      }
      try check(
        samples.events.integer(1), in: RowRules.milliseconds, "workout_event", row, "instant_ms")
      try check(
        samples.events.integer(2), in: RowRules.milliseconds, "workout_event", row, "duration_ms")
      events.append(
        Workout.Event(
          kind, at: .init(millisecondsSince1970: samples.events.integer(1)),
          duration: .milliseconds(samples.events.integer(2))))
    }
    return events
  }

  func samples(ofWorkout uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID] {
    try identities(samples.linked, of: uuid)
  }

  func workouts(ofSample uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID] {
    try identities(samples.workouts, of: uuid)
  }

  private func identities(
    _ statement: borrowing SQLiteStatement, of uuid: SampleUUID
  ) throws(HealthStoreError) -> [SampleUUID] {
    statement.bind(1, uuid: uuid)
    defer { statement.reset() }
    var identities: [SampleUUID] = []
    while try statement.step() { identities.append(statement.uuid(0)) }
    return identities
  }

  func tombstones(
    of type: ObjectType, after row: Int64
  ) throws(HealthStoreError) -> [Tombstone] {
    samples.tombstones.bind(1, integer: types.row(of: type))
    samples.tombstones.bind(2, integer: row)
    defer { samples.tombstones.reset() }
    var stones: [Tombstone] = []
    while try samples.tombstones.step() {
      let row = samples.tombstones.integer(0)
      let source = try place(
        samples.tombstones.integer(3), in: sourceCount, "tombstone", row, "source")
      for column in [4, 5, 10] as [Int32] {
        try check(
          samples.tombstones.integer(column), in: RowRules.milliseconds, "tombstone", row, "time")
      }
      stones.append(
        Tombstone(
          row: samples.tombstones.integer(0), uuid: samples.tombstones.uuid(1), type: type,
          source: Int32(source),
          start: .init(millisecondsSince1970: samples.tombstones.integer(4)),
          end: .init(millisecondsSince1970: samples.tombstones.integer(5)),
          syncIdentifier: samples.tombstones.optionalText(6).map { SyncIdentifier($0) },
          syncVersion: samples.tombstones.optionalInteger(7).map { Int($0) },
          externalIdentifier: samples.tombstones.optionalText(8),
          objectRow: samples.tombstones.integer(9),
          deleted: .init(millisecondsSince1970: samples.tombstones.integer(10)),
          deletedBy: ClientID(number: Int(samples.tombstones.integer(11)))))
    }
    return stones
  }
}

extension StoreTables {
  /// The samples of all types that end before an instant.
  func samples(endingBefore instant: Instant) throws(HealthStoreError) -> [StoredSample] {
    var found: [StoredSample] = []
    for type in ObjectType.allCases where type.isSampleType {
      let scan = StoreScan.time(type, from: .init(millisecondsSince1970: .min), to: instant)
      try visit(scan) { stored in
        if stored.sample.end < instant { found.append(stored) }
        return true
      }
    }
    return found
  }
}
