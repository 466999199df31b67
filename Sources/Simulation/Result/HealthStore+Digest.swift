internal import Determinism
internal import HealthStore
internal import Quantities

// What a digest takes of a health store: every sample, every trace of a deletion, and who wrote
// them.

extension HealthRecordStore: Digestible where Backend == MemoryBackend {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(registry.sources)
    digest.absorb(registry.revisions)
    for type in ObjectType.allCases {
      absorb(type, into: &digest)
      digest.absorb(backend.tombstones(of: type, after: 0))
    }
    digest.absorb(backend.workoutLinks)
  }

  /// Absorbs the samples of a type and their number: of quantities what they have in common is
  /// prepared once, and each gives the same bytes as ``StoredSample`` gives.
  private func absorb(_ type: ObjectType, into digest: inout RunningDigest) {
    var prepared = PreparedPhrases(of: backend.traits(of: type))
    var count = 0
    backend.visit(type) { packed, identifier in
      prepared.absorb(packed, identifier, of: type, into: &digest)
      count += 1
    } others: { stored in
      digest.absorb(stored)
      count += 1
    }
    digest.absorb(count)
  }
}

/// What a digest takes of all samples with the same traits, in the order of ``Sample``.
private struct SharedPhrases {
  /// The place of the traits.
  let place: Int
  /// The unit and the device.
  var head: RepeatedPhrase
  /// How many entries the metadata have besides a sync identifier.
  let count: Int
  /// The entries before the sync identifier.
  var before: RepeatedPhrase
  /// The entries after the sync identifier, the revision and the source.
  var after: RepeatedPhrase

  init(_ traits: SampleTraits, at place: Int) {
    self.place = place
    var head = DigestPhrase()
    head.reserveCapacity(64)
    head.append(traits.unit.description)
    head.append(traits.device)
    self.head = RepeatedPhrase(head)
    let entries = traits.metadata.entries
    count = entries.count
    let identifier = entries.firstIndex { $0.key >= .syncIdentifier } ?? count
    var before = DigestPhrase()
    before.reserveCapacity(256)
    for entry in entries[..<identifier] { before.append(entry) }
    self.before = RepeatedPhrase(before)
    var after = DigestPhrase()
    for entry in entries[identifier...] { after.append(entry) }
    after.append(Int(traits.revision))
    after.append(Int(traits.source))
    self.after = RepeatedPhrase(after)
  }
}

/// The phrases of some traits: a run of a year has thousands of traits, and each takes kilobytes.
private struct PreparedPhrases {
  private static let most = 256
  private let traits: [SampleTraits]
  private var slots: [SharedPhrases] = []
  /// What stands before the text of a sync identifier.
  private var identifier: RepeatedPhrase

  init(of traits: [SampleTraits]) {
    self.traits = traits
    var phrase = DigestPhrase()
    phrase.append(MetadataKey.syncIdentifier.rawValue)
    phrase.append(0)
    identifier = RepeatedPhrase(phrase)
  }

  /// Lets a digest absorb a quantity as it lies in memory, with what it shares with others.
  mutating func absorb(
    _ packed: PackedSample, _ own: SyncIdentifier?, of type: ObjectType,
    into digest: inout RunningDigest
  ) {
    let slot = preparedSlot(of: Int(packed.traits))
    digest.absorb(packed.row)
    digest.absorb(packed.uuid)
    digest.absorb(type.rawValue)
    digest.absorb(packed.start)
    digest.absorb(packed.end)
    digest.absorb(0)
    digest.absorb(packed.value)
    digest.absorb(&slots[slot].head)
    digest.absorb(slots[slot].count + (own == nil ? 0 : 1))
    digest.absorb(&slots[slot].before)
    if let own {
      digest.absorb(&identifier)
      digest.absorb(own)
    }
    digest.absorb(&slots[slot].after)
    digest.absorb(packed.created)
    digest.absorb(0)
  }

  /// The slot with the phrases of the traits at a place, which are prepared unless they are those
  /// that were last in it.
  private mutating func preparedSlot(of place: Int) -> Int {
    let slot = place % Self.most
    while slots.count <= slot {
      slots.append(SharedPhrases(traits[slots.count], at: slots.count))
    }
    if slots[slot].place != place { slots[slot] = SharedPhrases(traits[place], at: place) }
    return slot
  }
}

extension DigestPhrase {
  /// Appends an entry that is no sync identifier.
  fileprivate mutating func append(_ entry: Metadata.Entry) {
    append(entry.key.rawValue)
    switch entry.value {
    case .text(let text):
      append(0)
      append(text)
    case .number(let number):
      append(1)
      append(number)
    case .flag(let flag):
      append(2)
      append(flag)
    case .date(let date):
      append(3)
      append(UInt64(bitPattern: date.millisecondsSince1970))
    case .quantity(let quantity):
      append(4)
      append(quantity.value)
      append(quantity.unit.description)
    }
  }

  /// Appends whether there is a device, and its properties.
  fileprivate mutating func append(_ device: Device?) {
    append(device != nil)
    guard let device else { return }
    for property in Device.Property.allCases {
      let text = device[property]
      append(text != nil)
      if let text { append(text) }
    }
  }
}

extension Source: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(name)
    digest.absorb(bundleIdentifier)
  }
}

extension StoreRegistry.RevisionEntry: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(source)
    digest.absorb(revision.version)
    digest.absorb(revision.productType)
    digest.absorb(revision.operatingSystemVersion)
  }
}

extension StoredSample: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(row)
    digest.absorb(sample)
    digest.absorb(Int64(revision))
    digest.absorb(Int64(source))
    digest.absorb(created)
    digest.absorb(parent)
  }
}

extension Sample: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(uuid)
    digest.absorb(type.rawValue)
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(value)
    var phrase = DigestPhrase()
    phrase.append(device)
    digest.absorb(phrase)
    digest.absorb(metadata.count)
    metadata.visitEntries { digest.absorb($0) }
  }
}

extension SampleUUID: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(high)
    digest.absorb(low)
  }
}

extension SampleValue: Digestible {
  func absorb(into digest: inout RunningDigest) {
    switch self {
    case .quantity(let quantity):
      digest.absorb(0)
      digest.absorb(quantity)
    case .category(let category):
      digest.absorb(1)
      digest.absorb(category)
    case .correlation(let members):
      digest.absorb(2)
      digest.absorb(members)
    case .document(let document):
      digest.absorb(3)
      digest.absorb(document)
    case .workout(let workout):
      digest.absorb(4)
      digest.absorb(workout)
    }
  }
}

extension HealthQuantity: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(value)
    digest.absorb(unit.description)
  }
}

extension ClinicalDocument: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(xml != nil)
    digest.absorb(xml ?? [])
    digest.absorb(xml?.count ?? 0)
    digest.absorb(title)
    digest.absorb(patientName)
    digest.absorb(custodianName)
    digest.absorb(authorName)
  }
}

extension Workout: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(activity.rawValue)
    digest.absorb(duration)
    digest.absorb(kilocalories)
    digest.absorb(metres)
    digest.absorb(events)
  }
}

extension Workout.Event: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(kind.rawValue)
    digest.absorb(instant)
    digest.absorb(duration)
  }
}

extension WorkoutLink: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(workout)
    digest.absorb(sample)
  }
}

extension Metadata.Entry: Digestible {
  func absorb(into digest: inout RunningDigest) {
    guard let syncIdentifier else {
      var phrase = DigestPhrase()
      phrase.append(self)
      digest.absorb(phrase)
      return
    }
    digest.absorb(key.rawValue)
    // As the text that it is.
    digest.absorb(0)
    digest.absorb(syncIdentifier)
  }
}

extension Tombstone: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(row)
    digest.absorb(uuid)
    digest.absorb(type.rawValue)
    digest.absorb(Int64(source))
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(syncIdentifier)
    digest.absorb(syncVersion)
    digest.absorb(externalIdentifier)
    digest.absorb(objectRow)
    digest.absorb(deleted)
    digest.absorb(deletedBy.number)
  }
}
