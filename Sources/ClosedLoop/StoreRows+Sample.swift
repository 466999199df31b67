internal import HealthStore
internal import Quantities

extension GlucoseStore.Row {
  /// What the metadata of a reading begin with; readings of which no more is known share it.
  private static let firstVersion = Metadata([(.syncVersion, .number(1))])

  /// The sample that is written for the value (LoopKit, `HKQuantitySample+GlucoseKit.swift`).
  func sample(uuid: SampleUUID) -> Sample {
    // In the order of the keys.
    var metadata = Self.firstVersion.with(syncIdentifier: syncIdentifier)
    if wasUserEntered { metadata.append(.wasUserEntered, .flag(true)) }
    if let condition { metadata.append(.glucoseCondition, .text(condition)) }
    if let trend { metadata.append(.glucoseTrend, .text(trend)) }
    if let trendRate {
      metadata.append(
        .glucoseTrendRate, .quantity(.init(trendRate, .milligramPerDecilitrePerMinute)))
    }
    if isDisplayOnly { metadata.append(.glucoseIsDisplayOnly, .flag(true)) }
    return .bloodGlucose(glucose, at: date, uuid: uuid, metadata: metadata)
  }
}

extension CarbStore.Row {
  /// The sample that is written for the entry (LoopKit, `HKQuantitySample+CarbKit.swift`).
  func sample(uuid: SampleUUID) -> Sample {
    var metadata = Metadata()
    metadata.setSync(identifier: syncIdentifier, version: syncVersion)
    if let foodType = entry.foodType { metadata[.foodType] = .text(foodType) }
    metadata.absorptionTime = entry.absorptionTime
    metadata[.userCreatedDate] = .date(userCreatedAt)
    if let userUpdatedAt { metadata[.userUpdatedDate] = .date(userUpdatedAt) }
    return .dietaryCarbohydrates(entry.mass, at: entry.date, uuid: uuid, metadata: metadata)
  }
}
