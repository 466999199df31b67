internal import Determinism
internal import HealthStore

// What a digest takes of a health store: every sample, every trace of a deletion, and who wrote
// them.

extension HealthRecordStore: Digestible where Backend == MemoryBackend {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(registry.sources)
    digest.absorb(registry.revisions)
    for type in ObjectType.allCases {
      var count = 0
      backend.visit(.rows(type, after: 0)) { stored in
        digest.absorb(stored)
        count += 1
        return true
      }
      digest.absorb(count)
      digest.absorb(backend.tombstones(of: type, after: 0))
    }
    digest.absorb(backend.workoutLinks)
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
    digest.absorb(device)
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

extension Device: Digestible {
  func absorb(into digest: inout RunningDigest) {
    for property in Property.allCases { digest.absorb(self[property]) }
  }
}

extension Metadata.Entry: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(key.rawValue)
    guard let syncIdentifier else {
      digest.absorb(value)
      return
    }
    // As the text that it is.
    digest.absorb(0)
    digest.absorb(syncIdentifier)
  }
}

extension MetadataValue: Digestible {
  func absorb(into digest: inout RunningDigest) {
    switch self {
    case .text(let text):
      digest.absorb(0)
      digest.absorb(text)
    case .number(let number):
      digest.absorb(1)
      digest.absorb(number)
    case .flag(let flag):
      digest.absorb(2)
      digest.absorb(flag)
    case .date(let date):
      digest.absorb(3)
      digest.absorb(date)
    case .quantity(let quantity):
      digest.absorb(4)
      digest.absorb(quantity)
    }
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
