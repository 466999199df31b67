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
    let traits = backend.traits(of: type)
    var prepared = PreparedPhrases()
    var count = 0
    backend.visit(type) { packed, identifier in
      let index = Int(packed.traits)
      digest.absorb(
        packed, identifier, of: type, prepared.phrases(index) { SharedPhrases(traits[index]) })
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
  /// The unit and the device.
  var head = DigestPhrase()
  /// How many entries the metadata have besides a sync identifier.
  let count: Int
  /// The entries before the sync identifier.
  var before = DigestPhrase()
  /// What stands before the text of a sync identifier.
  var identifier = DigestPhrase()
  /// The entries after the sync identifier, the revision and the source.
  var after = DigestPhrase()

  init(_ traits: SampleTraits) {
    head.reserveCapacity(64)
    before.reserveCapacity(256)
    head.append(traits.unit.description)
    head.append(traits.device)
    let entries = traits.metadata.entries
    count = entries.count
    let place = entries.firstIndex { $0.key >= .syncIdentifier } ?? count
    for entry in entries[..<place] { before.append(entry) }
    identifier.append(MetadataKey.syncIdentifier.rawValue)
    identifier.append(0)
    for entry in entries[place...] { after.append(entry) }
    after.append(Int(traits.revision))
    after.append(Int(traits.source))
  }
}

/// The phrases of some traits: a run of a year has thousands of traits, and each takes kilobytes.
private struct PreparedPhrases {
  private static let most = 256
  private var slots: [(traits: Int, phrases: SharedPhrases)?] = []

  /// The phrases of traits, which are prepared unless they are those that were last in their slot.
  mutating func phrases(_ traits: Int, _ prepare: () -> SharedPhrases) -> SharedPhrases {
    let slot = traits % Self.most
    while slots.count <= slot { slots.append(nil) }
    if let (known, phrases) = slots[slot], known == traits { return phrases }
    let phrases = prepare()
    slots[slot] = (traits, phrases)
    return phrases
  }
}

extension RunningDigest {
  /// Absorbs a quantity as it lies in memory, with what it shares with others.
  fileprivate mutating func absorb(
    _ packed: PackedSample, _ identifier: SyncIdentifier?, of type: ObjectType,
    _ shared: SharedPhrases
  ) {
    absorb(packed.row)
    absorb(packed.uuid)
    absorb(type.rawValue)
    absorb(packed.start)
    absorb(packed.end)
    absorb(0)
    absorb(packed.value)
    absorb(shared.head)
    absorb(shared.count + (identifier == nil ? 0 : 1))
    absorb(shared.before)
    if let identifier {
      absorb(shared.identifier)
      absorb(identifier)
    }
    absorb(shared.after)
    absorb(packed.created)
    absorb(0)
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
