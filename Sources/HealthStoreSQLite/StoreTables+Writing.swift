internal import HealthStore
internal import Quantities

extension StoreTables {
  func insert(_ stored: StoredSample) throws(HealthStoreError) {
    let sample = stored.sample
    let metadata = SplitMetadata(sample.metadata)
    noteDuration(sample.duration, of: sample.type)
    samples.insert.bind(1, integer: stored.row)
    samples.insert.bind(2, uuid: sample.uuid)
    samples.insert.bind(3, integer: types.row(of: sample.type))
    samples.insert.bind(4, integer: Int64(stored.revision) + 1)
    samples.insert.bind(5, integer: try sample.device.map(rowOfDevice))
    samples.insert.bind(6, integer: sample.start.millisecondsSince1970)
    samples.insert.bind(7, integer: sample.end.millisecondsSince1970)
    samples.insert.bind(8, integer: stored.created.millisecondsSince1970)
    let isOriginal = sample.quantity?.unit == sample.type.unit
    samples.insert.bind(9, real: sample.storedValue)
    samples.insert.bind(10, real: isOriginal ? nil : sample.quantity?.value)
    samples.insert.bind(11, text: isOriginal ? nil : sample.quantity?.unit.unitString)
    samples.insert.bind(12, integer: sample.category.map { Int64($0) })
    samples.insert.bind(13, integer: stored.parent == 0 ? nil : stored.parent)
    samples.insert.bind(14, text: metadata.syncIdentifier)
    samples.insert.bind(15, integer: metadata.syncVersion.map { Int64($0) })
    samples.insert.bind(16, text: metadata.externalIdentifier)
    samples.insert.bind(17, integer: metadata.rest.isEmpty ? 0 : 1)
    do {
      try samples.insert.run()
    } catch .storage(code: 2_067, _) {
      throw .invalidArgument(.duplicateUUID(sample.uuid))
    }
    for entry in metadata.rest { try insert(entry, row: stored.row) }
    try insertContent(of: sample, row: stored.row)
  }

  private func insertContent(of sample: Sample, row: Int64) throws(HealthStoreError) {
    if case .document(let document) = sample.value {
      samples.insertDocument.bind(1, integer: row)
      samples.insertDocument.bind(2, text: document.title)
      samples.insertDocument.bind(3, text: document.patientName)
      samples.insertDocument.bind(4, text: document.custodianName)
      samples.insertDocument.bind(5, text: document.authorName)
      if let xml = document.xml {
        samples.insertDocument.bind(6, blob: xml)
      } else {
        samples.insertDocument.bindNull(6)
      }
      try samples.insertDocument.run()
    }
    if case .workout(let workout) = sample.value {
      samples.insertWorkout.bind(1, integer: row)
      samples.insertWorkout.bind(2, integer: Int64(workout.activity.rawValue))
      samples.insertWorkout.bind(3, integer: workout.duration.milliseconds)
      samples.insertWorkout.bind(4, real: workout.kilocalories)
      samples.insertWorkout.bind(5, real: workout.metres)
      try samples.insertWorkout.run()
      for (position, event) in workout.events.enumerated() {
        samples.insertEvent.bind(1, integer: row)
        samples.insertEvent.bind(2, integer: Int64(position))
        samples.insertEvent.bind(3, integer: Int64(event.kind.rawValue))
        samples.insertEvent.bind(4, integer: event.instant.millisecondsSince1970)
        samples.insertEvent.bind(5, integer: event.duration.milliseconds)
        try samples.insertEvent.run()
      }
    }
  }

  private func insert(_ entry: Metadata.Entry, row: Int64) throws(HealthStoreError) {
    samples.insertMetadata.bind(1, integer: row)
    samples.insertMetadata.bind(2, integer: try rowOfKey(entry.key))
    for column in 4...6 as ClosedRange<Int32> { samples.insertMetadata.bindNull(column) }
    let kind: Int64
    switch entry.value {
    case .text(let text):
      kind = 1
      samples.insertMetadata.bind(6, text: text)
    case .number(let number):
      kind = 2
      samples.insertMetadata.bind(4, real: number)
    case .flag(let flag):
      kind = 3
      samples.insertMetadata.bind(4, real: flag ? 1 : 0)
    case .date(let date):
      kind = 4
      samples.insertMetadata.bind(5, integer: date.millisecondsSince1970)
    case .quantity(let quantity):
      kind = 5
      samples.insertMetadata.bind(4, real: quantity.value)
      samples.insertMetadata.bind(6, text: quantity.unit.unitString)
    }
    samples.insertMetadata.bind(3, integer: kind)
    try samples.insertMetadata.run()
  }

  func insert(_ link: WorkoutLink) throws(HealthStoreError) {
    samples.insertLink.bind(1, uuid: link.workout)
    samples.insertLink.bind(2, uuid: link.sample)
    try samples.insertLink.run()
  }

  func delete(_ row: Int64) throws(HealthStoreError) {
    samples.delete.bind(1, integer: row)
    try samples.delete.run()
  }

  func purge(upTo row: Int64) throws(HealthStoreError) {
    samples.purge.bind(1, integer: row)
    try samples.purge.run()
  }

  func insert(_ stone: Tombstone) throws(HealthStoreError) {
    samples.insertTombstone.bind(1, integer: stone.row)
    samples.insertTombstone.bind(2, uuid: stone.uuid)
    samples.insertTombstone.bind(3, integer: types.row(of: stone.type))
    samples.insertTombstone.bind(4, integer: Int64(stone.source) + 1)
    samples.insertTombstone.bind(5, integer: stone.start.millisecondsSince1970)
    samples.insertTombstone.bind(6, integer: stone.end.millisecondsSince1970)
    samples.insertTombstone.bind(7, text: stone.syncIdentifier?.description)
    samples.insertTombstone.bind(8, integer: stone.syncVersion.map { Int64($0) })
    samples.insertTombstone.bind(9, text: stone.externalIdentifier)
    samples.insertTombstone.bind(10, integer: stone.objectRow)
    samples.insertTombstone.bind(11, integer: stone.deleted.millisecondsSince1970)
    samples.insertTombstone.bind(12, integer: Int64(stone.deletedBy.number))
    try samples.insertTombstone.run()
  }

  func rowOfDevice(_ device: Device) throws(HealthStoreError) -> Int64 {
    if let row = deviceRows[device] { return row }
    let row = Int64(devices.count) + 1
    samples.insertDevice.bind(1, integer: row)
    for property in Device.Property.allCases {
      samples.insertDevice.bind(Int32(property.rawValue) + 2, text: device[property])
    }
    try samples.insertDevice.run()
    deviceRows[device] = row
    devices[row] = device
    return row
  }

  private func rowOfKey(_ key: MetadataKey) throws(HealthStoreError) -> Int64 {
    if let row = keyRows[key] { return row }
    let row = Int64(keys.count) + 1
    samples.insertKey.bind(1, integer: row)
    samples.insertKey.bind(2, text: key.rawValue)
    try samples.insertKey.run()
    keyRows[key] = row
    keys[row] = key
    return row
  }
}

/// Metadata split into what has a column of its own and the rest.
struct SplitMetadata {
  var syncIdentifier: String?
  var syncVersion: Int?
  var externalIdentifier: String?
  var rest: [Metadata.Entry] = []

  init(_ metadata: Metadata) {
    guard !metadata.isEmpty else { return }
    for entry in metadata.entries {
      switch (entry.key, entry.value) {
      case (.syncIdentifier, .text(let text)): syncIdentifier = text
      case (.externalUUID, .text(let text)): externalIdentifier = text
      case (.syncVersion, .number(let number)) where Int(exactly: number) != nil:
        syncVersion = Int(exactly: number)
      default: rest.append(entry)
      }
    }
  }
}
