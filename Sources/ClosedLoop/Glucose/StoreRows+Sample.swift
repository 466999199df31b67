internal import HealthStore
internal import Quantities

extension GlucoseStore.Row {
  /// What the metadata of a reading begin with; readings of which no more is known share it.
  private static let firstVersion = Metadata([(.syncVersion, .number(1))])

  /// The sample that is written for the value (LoopKit, `HKQuantitySample+GlucoseKit.swift`).
  func sample(uuid: SampleUUID, knowing known: inout GlucoseMetadata) -> Sample {
    .bloodGlucose(
      glucose, at: date, uuid: uuid,
      metadata: known.metadata(of: self).with(syncIdentifier: syncIdentifier))
  }

  /// The metadata of the sample but its sync identifier.
  fileprivate var metadata: Metadata {
    // In the order of the keys.
    var metadata = Self.firstVersion
    if wasUserEntered { metadata.append(.wasUserEntered, .flag(true)) }
    if let condition { metadata.append(.glucoseCondition, .text(condition)) }
    if let trend { metadata.append(.glucoseTrend, .text(trend)) }
    if let trendRate {
      metadata.append(
        .glucoseTrendRate, .quantity(.init(trendRate, .milligramPerDecilitrePerMinute)))
    }
    if isDisplayOnly { metadata.append(.glucoseIsDisplayOnly, .flag(true)) }
    return metadata
  }
}

/// The metadata of glucose samples, kept for those that come: readings of a sensor mostly differ in
/// the trend alone, of which there are few, and samples that share metadata are saved sooner.
///
/// Invariant: what is kept of a trend is what a row with this trend, of which no more is known, has
/// but its sync identifier.
struct GlucoseMetadata: Sendable {
  private struct Kind: Sendable {
    var trend: String
    var trendRate: Double
    var metadata: Metadata
  }

  /// The last trend that has each place.
  private var kinds: [Kind?] = Array(repeating: nil, count: 64)

  /// The metadata of the sample of a row but its sync identifier.
  mutating func metadata(of row: GlucoseStore.Row) -> Metadata {
    guard let trend = row.trend, let trendRate = row.trendRate, row.condition == nil,
      !row.wasUserEntered, !row.isDisplayOnly
    else { return row.metadata }
    let place = Int(
      truncatingIfNeeded: (trendRate.bitPattern &* 0x9E37_79B9_7F4A_7C15) &>> 58)
    if let kind = kinds[place], kind.trendRate.bitPattern == trendRate.bitPattern,
      kind.trend == trend
    {
      return kind.metadata
    }
    let metadata = row.metadata
    kinds[place] = Kind(trend: trend, trendRate: trendRate, metadata: metadata)
    return metadata
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
