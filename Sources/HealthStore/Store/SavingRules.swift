internal import Quantities

/// What the store refuses to save, whoever asks.
enum SavingRules {
  /// What is wrong with the value of a sample for its type, if anything is.
  static func faultOfValue(_ sample: Sample) -> InvalidArgument? {
    faultOfValue(sample, sample.type.row)
  }

  static func faultOfValue(_ sample: Sample, _ row: TypeRow) -> InvalidArgument? {
    let type = sample.type
    switch sample.value {
    case .quantity(let quantity):
      guard row.kind == .quantity, let unit = row.unit else { return .wrongKindOfValue(type) }
      guard let stored = quantity.converted(to: unit) else {
        return .incompatibleUnit(quantity.unit, type)
      }
      guard stored.isFinite else { return .valueNotFinite }
      return faultOfNumber(quantity.value, type, row)
    case .category(let value):
      guard row.kind == .category, let allowed = row.categories else {
        return .wrongKindOfValue(type)
      }
      return allowed.contains(value) ? nil : .unknownCategory(value, type)
    case .correlation(let members):
      guard row.kind == .correlation else { return .wrongKindOfValue(type) }
      return faultOfMembers(members, of: sample)
    case .document: return row.kind == .document ? nil : .wrongKindOfValue(type)
    case .workout(let workout):
      guard row.kind == .workout else { return .wrongKindOfValue(type) }
      let totals = [workout.kilocalories, workout.metres]
      return totals.contains { $0?.isFinite == false } ? .valueNotFinite : nil
    }
  }

  /// What is wrong with a sample that is saved, if anything is: first the value, then the times and
  /// the metadata, and last the members of a correlation.
  static func faultOfSaved(
    _ sample: Sample, _ row: TypeRow, earliest: Instant?
  ) -> InvalidArgument? {
    guard row.kind == .correlation, case .correlation = sample.value else {
      return faultOfValue(sample, row) ?? fault(sample, row, earliest: earliest)
    }
    return fault(sample, row, earliest: earliest) ?? faultOfValue(sample, row)
  }

  /// What is wrong with the number of a quantity in a compatible unit, if anything is.
  static func faultOfNumber(
    _ number: Double, _ type: ObjectType, _ row: borrowing TypeRow
  ) -> InvalidArgument? {
    guard number.isFinite else { return .valueNotFinite }
    return row.refusesNegativeValues && number < 0 ? .negativeValue(number, type) : nil
  }

  /// What is wrong with a sample that is restored, if anything is, with its members.
  static func faultOfRestored(_ sample: Sample) -> InvalidArgument? {
    guard sample.type.isSampleType else { return .notSaveable(sample.type) }
    for object in [sample] + sample.members {
      let row = object.type.row
      if let fault = faultOfValue(object, row) ?? fault(object, row, earliest: nil) {
        return fault
      }
    }
    return nil
  }

  private static func faultOfMembers(_ members: [Sample], of sample: Sample) -> InvalidArgument? {
    let types = members.map(\.type)
    let isComplete =
      switch sample.type {
      case .bloodPressure:
        types.count == 2 && types.contains(.bloodPressureSystolic)
          && types.contains(.bloodPressureDiastolic)
      default: !types.isEmpty && types.allSatisfy(\.isDietary)
      }
    guard isComplete else { return .membersOfCorrelation(sample.type) }
    for member in members where member.start < sample.start || member.end > sample.end {
      return .memberOutsideCorrelation(member.uuid)
    }
    return members.lazy.compactMap { faultOfValue($0) }.first
  }

  /// What is wrong with the times and the metadata of a sample, if anything is.
  static func fault(
    _ sample: Sample, _ row: TypeRow, earliest: Instant?
  ) -> InvalidArgument? {
    faultOfTimes(sample.start, sample.end, sample.type, row, earliest: earliest)
      ?? faultOfMetadata(sample)
  }

  /// What is wrong with the times of a sample, if anything is.
  static func faultOfTimes(
    _ start: Instant, _ end: Instant, _ type: ObjectType, _ row: borrowing TypeRow,
    earliest: Instant?
  ) -> InvalidArgument? {
    guard start <= end else { return .endBeforeStart(start: start, end: end) }
    if let maximum = row.maximumDuration, end - start > maximum {
      return .tooLong(type, duration: end - start, maximum: maximum)
    }
    if let earliest, end < earliest { return .beforeEarliestDate(end: end, earliest: earliest) }
    return nil
  }

  /// Whether samples of a type must carry metadata.
  static func needsMetadata(_ type: ObjectType) -> Bool {
    type == .insulinDelivery || type == .menstrualFlow
  }

  private static func faultOfMetadata(_ sample: Sample) -> InvalidArgument? {
    let metadata = sample.metadata
    if sample.type == .insulinDelivery, metadata.insulinDeliveryReason == nil {
      return .missingMetadata(.insulinDeliveryReason, sample.type)
    }
    if sample.type == .menstrualFlow, metadata.flag(.menstrualCycleStart) == nil {
      return .missingMetadata(.menstrualCycleStart, sample.type)
    }
    guard !metadata.isEmpty else { return nil }
    let (hasIdentifier, hasVersion) = metadata.hasSync
    if hasIdentifier && !hasVersion { return .syncIdentifierWithoutVersion }
    if hasVersion && !hasIdentifier { return .syncVersionWithoutIdentifier }
    return metadata.firstNotFinite.map { .metadataNotFinite($0) }
  }
}
