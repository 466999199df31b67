/// The name of a value in a sample's metadata, as it stands in a file.
///
/// Capitals count.
///
/// HealthKit: the constants `HKMetadataKey…`, which are plain strings.
public struct MetadataKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension MetadataKey: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension MetadataKey: CustomStringConvertible {
  public var description: String { rawValue }
}

/// HealthKit's keys; raw values from its header `HKMetadata.h`.
extension MetadataKey {
  public static let insulinDeliveryReason = Self("HKInsulinDeliveryReason")
  public static let syncIdentifier = Self("HKMetadataKeySyncIdentifier")
  public static let syncVersion = Self("HKMetadataKeySyncVersion")
  public static let wasUserEntered = Self("HKWasUserEntered")
  public static let externalUUID = Self("HKExternalUUID")
  public static let timeZone = Self("HKTimeZone")
  public static let foodType = Self("HKFoodType")
  public static let bloodGlucoseMealTime = Self("HKBloodGlucoseMealTime")
  public static let wasTakenInLab = Self("HKWasTakenInLab")
  public static let referenceRangeLowerLimit = Self("HKReferenceRangeLowerLimit")
  public static let referenceRangeUpperLimit = Self("HKReferenceRangeUpperLimit")
  public static let deviceSerialNumber = Self("HKDeviceSerialNumber")
  public static let deviceName = Self("HKDeviceName")
  public static let deviceManufacturerName = Self("HKDeviceManufacturerName")
  public static let udiDeviceIdentifier = Self("HKUDIDeviceIdentifier")
  public static let udiProductionIdentifier = Self("HKUDIProductionIdentifier")
  public static let digitalSignature = Self("HKDigitalSignature")
  public static let bodyTemperatureSensorLocation = Self("HKBodyTemperatureSensorLocation")
  public static let heartRateSensorLocation = Self("HKHeartRateSensorLocation")
  public static let heartRateMotionContext = Self("HKHeartRateMotionContext")
  public static let menstrualCycleStart = Self("HKMenstrualCycleStart")
  /// The identity of the sample that a migration replaced; a key of this store's own.
  public static let migratedFrom = Self("migratedFrom")
}

/// Loop's keys, as LoopKit writes them (`HKQuantitySample+InsulinKit.swift`, `…+GlucoseKit.swift`,
/// `…+CarbKit.swift`).
///
/// Both `LoopKit` and `loopkit` occur, and are right.
extension MetadataKey {
  public static let hasLoopKitOrigin = Self("HasLoopKitOrigin")
  public static let scheduledBasalRate = Self(
    "com.loopkit.InsulinKit.MetadataKeyScheduledBasalRate")
  public static let programmedTempBasalRate = Self(
    "com.loopkit.InsulinKit.MetadataKeyProgrammedTempBasalRate")
  public static let insulinType = Self("com.loopkit.InsulinKit.MetadataKeyInsulinType")
  public static let manuallyEntered = Self("com.loopkit.InsulinKit.MetadataKeyManuallyEntered")
  public static let automaticallyIssued = Self(
    "com.loopkit.InsulinKit.MetadataKeyAutomaticallyIssued")
  public static let isSuspend = Self("com.loopkit.InsulinKit.MetadataKeyIsSuspend")
  public static let glucoseIsDisplayOnly = Self(
    "com.loudnate.GlucoseKit.HKMetadataKey.GlucoseIsDisplayOnly")
  public static let glucoseCondition = Self(
    "com.LoopKit.GlucoseKit.HKMetadataKey.GlucoseCondition")
  public static let glucoseTrend = Self("com.LoopKit.GlucoseKit.HKMetadataKey.GlucoseTrend")
  public static let glucoseTrendRate = Self(
    "com.LoopKit.GlucoseKit.HKMetadataKey.GlucoseTrendRateValue")
  /// The absorption time of carbohydrates, in seconds.
  public static let absorptionTime = Self("com.loopkit.AbsorptionTime")
  /// The absorption time of carbohydrates in minutes, as old versions wrote it; only read.
  public static let absorptionTimeMinutes = Self(
    "com.loudnate.CarbKit.HKMetadataKey.AbsorptionTimeMinutes")
  public static let userCreatedDate = Self("com.loopkit.CarbKit.HKMetadataKey.UserCreatedDate")
  public static let userUpdatedDate = Self("com.loopkit.CarbKit.HKMetadataKey.UserUpdatedDate")
}
