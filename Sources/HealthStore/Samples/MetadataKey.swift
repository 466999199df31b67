/// The name of a value in a sample's metadata, as it stands in a file.
///
/// Capitals count.
///
/// HealthKit: the constants `HKMetadataKey…`, which are plain strings.
public struct MetadataKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates the key of a name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension MetadataKey: Comparable {
  /// Names of different lengths, which begin alike, need not be read.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.rawValue.utf8.count == rhs.rawValue.utf8.count && lhs.rawValue == rhs.rawValue
  }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension MetadataKey: CustomStringConvertible {
  public var description: String { rawValue }
}

/// HealthKit's keys; raw values from its header `HKMetadata.h`.
extension MetadataKey {
  /// Why insulin was delivered; every sample of insulin has one.
  public static let insulinDeliveryReason = Self("HKInsulinDeliveryReason")
  /// What identifies a sample over its versions, together with its version.
  public static let syncIdentifier = Self("HKMetadataKeySyncIdentifier")
  /// The version of a sample with a sync identifier.
  public static let syncVersion = Self("HKMetadataKeySyncVersion")
  /// Whether a person typed the sample in.
  public static let wasUserEntered = Self("HKWasUserEntered")
  /// An identity that another system gave the sample.
  public static let externalUUID = Self("HKExternalUUID")
  /// The time zone in which the sample was made, by its IANA name.
  public static let timeZone = Self("HKTimeZone")
  /// What was eaten, in words.
  public static let foodType = Self("HKFoodType")
  /// Whether glucose was measured before or after a meal.
  public static let bloodGlucoseMealTime = Self("HKBloodGlucoseMealTime")
  /// Whether a laboratory measured the value.
  public static let wasTakenInLab = Self("HKWasTakenInLab")
  /// The lower end of a laboratory's reference range.
  public static let referenceRangeLowerLimit = Self("HKReferenceRangeLowerLimit")
  /// The upper end of a laboratory's reference range.
  public static let referenceRangeUpperLimit = Self("HKReferenceRangeUpperLimit")
  /// The serial number of the device.
  public static let deviceSerialNumber = Self("HKDeviceSerialNumber")
  /// The name of the device.
  public static let deviceName = Self("HKDeviceName")
  /// The maker of the device.
  public static let deviceManufacturerName = Self("HKDeviceManufacturerName")
  /// The device part of the unique device identification (UDI).
  public static let udiDeviceIdentifier = Self("HKUDIDeviceIdentifier")
  /// The production part of the unique device identification (UDI).
  public static let udiProductionIdentifier = Self("HKUDIProductionIdentifier")
  /// A signature of the sample.
  public static let digitalSignature = Self("HKDigitalSignature")
  /// Where body temperature was measured.
  public static let bodyTemperatureSensorLocation = Self("HKBodyTemperatureSensorLocation")
  /// Where heart rate was measured.
  public static let heartRateSensorLocation = Self("HKHeartRateSensorLocation")
  /// Whether the body was moving when heart rate was measured.
  public static let heartRateMotionContext = Self("HKHeartRateMotionContext")
  /// Whether a sample of flow is the first of a cycle.
  public static let menstrualCycleStart = Self("HKMenstrualCycleStart")
  /// The identity of the sample that a migration replaced; a key of this store's own.
  public static let migratedFrom = Self("migratedFrom")
}

/// Loop's keys, as LoopKit writes them (`HKQuantitySample+InsulinKit.swift`, `…+GlucoseKit.swift`,
/// `…+CarbKit.swift`).
///
/// Both `LoopKit` and `loopkit` occur, and are right.
extension MetadataKey {
  /// Whether an app built on LoopKit wrote the sample.
  public static let hasLoopKitOrigin = Self("HasLoopKitOrigin")
  /// The scheduled basal rate during a dose.
  public static let scheduledBasalRate = Self(
    "com.loopkit.InsulinKit.MetadataKeyScheduledBasalRate")
  /// The rate at which a temp basal was programmed.
  public static let programmedTempBasalRate = Self(
    "com.loopkit.InsulinKit.MetadataKeyProgrammedTempBasalRate")
  /// Which insulin it was.
  public static let insulinType = Self("com.loopkit.InsulinKit.MetadataKeyInsulinType")
  /// Whether a person logged the dose by hand.
  public static let manuallyEntered = Self("com.loopkit.InsulinKit.MetadataKeyManuallyEntered")
  /// Whether the loop gave the dose by itself.
  public static let automaticallyIssued = Self(
    "com.loopkit.InsulinKit.MetadataKeyAutomaticallyIssued")
  /// Whether the dose is a suspension.
  public static let isSuspend = Self("com.loopkit.InsulinKit.MetadataKeyIsSuspend")
  /// Whether glucose is for display and not for dosing.
  public static let glucoseIsDisplayOnly = Self(
    "com.loudnate.GlucoseKit.HKMetadataKey.GlucoseIsDisplayOnly")
  /// Whether glucose lay below or above the sensor's range.
  public static let glucoseCondition = Self(
    "com.LoopKit.GlucoseKit.HKMetadataKey.GlucoseCondition")
  /// The arrow beside the glucose.
  public static let glucoseTrend = Self("com.LoopKit.GlucoseKit.HKMetadataKey.GlucoseTrend")
  /// The rate of change beside the glucose.
  public static let glucoseTrendRate = Self(
    "com.LoopKit.GlucoseKit.HKMetadataKey.GlucoseTrendRateValue")
  /// The absorption time of carbohydrates, in seconds.
  public static let absorptionTime = Self("com.loopkit.AbsorptionTime")
  /// The absorption time of carbohydrates in minutes, as old versions wrote it; only read.
  public static let absorptionTimeMinutes = Self(
    "com.loudnate.CarbKit.HKMetadataKey.AbsorptionTimeMinutes")
  /// When the person entered the carbohydrates.
  public static let userCreatedDate = Self("com.loopkit.CarbKit.HKMetadataKey.UserCreatedDate")
  /// When the person changed the carbohydrates last.
  public static let userUpdatedDate = Self("com.loopkit.CarbKit.HKMetadataKey.UserUpdatedDate")
}
