internal import Quantities

extension SamplePredicate {
  /// Whether a stored sample matches.
  func matches(_ stored: StoredSample, in registry: StoreRegistry) -> Bool {
    let sample = stored.sample
    return switch self {
    case .all: true
    case .none: false
    case .samples(let start, let end, let options):
      Self.overlaps(sample.start, sample.end, start, end, options)
    case .objects(let uuids): uuids.contains(sample.uuid)
    case .from(let sources):
      sources.contains(registry.sources[Int(stored.source)].bundleIdentifier)
    case .fromRevisions(let revisions):
      revisions.contains(registry.revisions[Int(stored.revision)].revision)
    case .fromDevices(let devices): sample.device.map { devices.contains($0) } ?? false
    case .device(let property, let allowed):
      sample.device?[property].map { allowed.contains($0) } ?? false
    case .metadata(let key): sample.metadata[key] != nil
    case .metadataValue(let key, let allowed):
      sample.metadata[key].map { allowed.contains($0) } ?? false
    case .metadataComparison(let key, let comparison, let value):
      sample.metadata[key].map { Self.compare($0, comparison, value) } ?? false
    case .withoutCorrelation: stored.parent == 0
    case .and(let parts): parts.allSatisfy { $0.matches(stored, in: registry) }
    case .or(let parts): parts.contains { $0.matches(stored, in: registry) }
    case .not(let part): !part.matches(stored, in: registry)
    default: matchesValue(of: sample)
    }
  }

  private func matchesValue(of sample: Sample) -> Bool {
    switch self {
    case .quantity(let comparison, let wanted):
      guard let unit = sample.type.unit, let value = sample.storedValue,
        let bound = wanted.converted(to: unit)
      else { return false }
      return comparison.holds(value, bound)
    case .category(let comparison, let value):
      return sample.category.map { comparison.holds($0, value) } ?? false
    case .categories(let values): return sample.category.map { values.contains($0) } ?? false
    case .workout(let activity): return sample.workout?.activity == activity
    case .workoutDuration(let comparison, let duration):
      return sample.workout.map { comparison.holds($0.duration, duration) } ?? false
    case .workoutEnergy(let comparison, let energy):
      return sample.workout?.kilocalories.map { comparison.holds($0, energy) } ?? false
    case .workoutDistance(let comparison, let distance):
      return sample.workout?.metres.map { comparison.holds($0, distance) } ?? false
    case .document(let field, let text):
      return sample.document.map { field.text(in: $0).contains(text) } ?? false
    default: return false
    }
  }

  /// Whether a deleted sample matched; nothing where its trace does not tell.
  func matches(_ tombstone: Tombstone, in registry: StoreRegistry) -> Bool? {
    switch self {
    case .all: return true
    case .none: return false
    case .samples(let start, let end, let options):
      return Self.overlaps(tombstone.start, tombstone.end, start, end, options)
    case .objects(let uuids): return uuids.contains(tombstone.uuid)
    case .from(let sources):
      return sources.contains(registry.sources[Int(tombstone.source)].bundleIdentifier)
    case .metadata(.syncIdentifier): return tombstone.syncIdentifier != nil
    case .metadata(.externalUUID): return tombstone.externalIdentifier != nil
    case .metadataValue(.syncIdentifier, let allowed):
      return tombstone.syncIdentifier.map { allowed.contains(.text($0.description)) } ?? false
    case .metadataValue(.externalUUID, let allowed):
      return tombstone.externalIdentifier.map { allowed.contains(.text($0)) } ?? false
    case .and(let parts):
      let answers = parts.map { $0.matches(tombstone, in: registry) }
      if answers.contains(false) { return false }
      return answers.contains(nil) ? nil : true
    case .or(let parts):
      let answers = parts.map { $0.matches(tombstone, in: registry) }
      if answers.contains(true) { return true }
      return answers.contains(nil) ? nil : false
    case .not(let part): return part.matches(tombstone, in: registry).map { !$0 }
    default: return nil
    }
  }

  private static func overlaps(
    _ sampleStart: Instant, _ sampleEnd: Instant, _ start: Instant?, _ end: Instant?,
    _ options: TimeOptions
  ) -> Bool {
    if let start, sampleEnd < start { return false }
    if let end, sampleStart >= end { return false }
    if let start, options.contains(.strictStartDate), sampleStart < start { return false }
    if let end, options.contains(.strictEndDate), sampleEnd > end { return false }
    return true
  }

  private static func compare(
    _ lhs: MetadataValue, _ comparison: Comparison, _ rhs: MetadataValue
  ) -> Bool {
    switch (lhs, rhs) {
    case (.number(let lhs), .number(let rhs)): comparison.holds(lhs, rhs)
    case (.text(let lhs), .text(let rhs)): comparison.holds(lhs, rhs)
    case (.date(let lhs), .date(let rhs)): comparison.holds(lhs, rhs)
    case (.flag(let lhs), .flag(let rhs)): comparison.holds(lhs ? 1 : 0, rhs ? 1 : 0)
    case (.quantity(let lhs), .quantity(let rhs)):
      rhs.converted(to: lhs.unit).map { comparison.holds(lhs.value, $0) } ?? false
    default: false
    }
  }
}

extension SamplePredicate.DocumentField {
  func text(in document: ClinicalDocument) -> String {
    switch self {
    case .title: document.title
    case .patientName: document.patientName
    case .authorName: document.authorName
    case .custodianName: document.custodianName
    }
  }
}
