internal import HealthStore
internal import Quantities

extension GlucoseStore.Row {
  /// The sample that is written for the value (LoopKit, `HKQuantitySample+GlucoseKit.swift`).
  func sample(uuid: SampleUUID) -> Sample {
    var metadata = Metadata()
    // In the order of the keys, so that none has to be moved.
    metadata.setSync(identifier: syncIdentifier, version: 1)
    if wasUserEntered { metadata[.wasUserEntered] = .flag(true) }
    if let condition { metadata[.glucoseCondition] = .text(condition) }
    if let trend { metadata[.glucoseTrend] = .text(trend) }
    if let trendRate {
      metadata[.glucoseTrendRate] = .quantity(.init(trendRate, .milligramPerDecilitrePerMinute))
    }
    if isDisplayOnly { metadata.isGlucoseDisplayOnly = true }
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
