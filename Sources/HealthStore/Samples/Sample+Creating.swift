public import Quantities

/// The checked ways to make a sample: a type, a value that fits it, and a time.
extension Sample {
  /// Creates a quantity sample.
  ///
  /// HealthKit: `HKQuantitySample(type:quantity:start:end:device:metadata:)`.
  ///
  /// - Throws: `invalidArgument` when the type is no quantity or its unit cannot hold the quantity.
  public init(
    _ type: ObjectType, quantity: HealthQuantity, start: Instant, end: Instant? = nil,
    uuid: SampleUUID, device: Device? = nil, metadata: Metadata = .none
  ) throws(HealthStoreError) {
    self.init(
      restoring: uuid, type: type, start: start, end: end ?? start, value: .quantity(quantity),
      device: device, metadata: metadata)
    if let fault = SavingRules.faultOfValue(self) { throw .invalidArgument(fault) }
  }

  /// Creates a category sample.
  ///
  /// HealthKit: `HKCategorySample(type:value:start:end:device:metadata:)`.
  ///
  /// - Throws: `invalidArgument` when the type is no category or has no such value.
  public init(
    _ type: ObjectType, category: Int, start: Instant, end: Instant? = nil, uuid: SampleUUID,
    device: Device? = nil, metadata: Metadata = .none
  ) throws(HealthStoreError) {
    self.init(
      restoring: uuid, type: type, start: start, end: end ?? start, value: .category(category),
      device: device, metadata: metadata)
    if let fault = SavingRules.faultOfValue(self) { throw .invalidArgument(fault) }
  }

  /// Creates a correlation; its members must not be saved on their own.
  ///
  /// HealthKit: `HKCorrelation(type:start:end:objects:device:metadata:)`.
  ///
  /// - Throws: `invalidArgument` when the members are not what the type asks for.
  public init(
    _ type: ObjectType, members: [Sample], start: Instant, end: Instant? = nil, uuid: SampleUUID,
    device: Device? = nil, metadata: Metadata = .none
  ) throws(HealthStoreError) {
    self.init(
      restoring: uuid, type: type, start: start, end: end ?? start, value: .correlation(members),
      device: device, metadata: metadata)
    if let fault = SavingRules.faultOfValue(self) { throw .invalidArgument(fault) }
  }

  /// Creates a workout.
  ///
  /// HealthKit: `HKWorkout(activityType:start:end:…)`.
  public init(
    workout: Workout, start: Instant, end: Instant, uuid: SampleUUID, device: Device? = nil,
    metadata: Metadata = .none
  ) {
    self.init(
      restoring: uuid, type: .workout, start: start, end: end, value: .workout(workout),
      device: device, metadata: metadata)
  }
}

/// The three types that Loop reads and writes.
extension Sample {
  /// A glucose reading, in mg/dL.
  ///
  /// HealthKit: an `HKQuantitySample` of `HKQuantityTypeIdentifierBloodGlucose`.
  public static func bloodGlucose(
    _ concentration: GlucoseConcentration, at instant: Instant, uuid: SampleUUID,
    device: Device? = nil, metadata: Metadata = .none
  ) -> Sample {
    Sample(
      restoring: uuid, type: .bloodGlucose, start: instant, end: instant,
      value: .quantity(.init(concentration.mgdL, .milligramPerDecilitre)), device: device,
      metadata: metadata)
  }

  /// Insulin that was delivered between two instants, in IU, with its reason in the metadata.
  ///
  /// HealthKit: an `HKQuantitySample` of `HKQuantityTypeIdentifierInsulinDelivery`, which must have
  /// `HKMetadataKeyInsulinDeliveryReason`.
  public static func insulinDelivery(
    units: Double, reason: InsulinDeliveryReason, start: Instant, end: Instant, uuid: SampleUUID,
    device: Device? = nil, metadata: Metadata = .none
  ) -> Sample {
    var metadata = metadata
    if metadata.insulinDeliveryReason != reason { metadata.insulinDeliveryReason = reason }
    return Sample(
      restoring: uuid, type: .insulinDelivery, start: start, end: end,
      value: .quantity(.init(units, .internationalUnit)), device: device, metadata: metadata)
  }

  /// Insulin that a pump accounts for, in whole milliunits.
  public static func insulinDelivery(
    _ amount: InsulinAmount, reason: InsulinDeliveryReason, start: Instant, end: Instant,
    uuid: SampleUUID, device: Device? = nil, metadata: Metadata = .none
  ) -> Sample {
    insulinDelivery(
      units: amount.units, reason: reason, start: start, end: end, uuid: uuid, device: device,
      metadata: metadata)
  }

  /// Carbohydrates eaten at an instant, in grams.
  ///
  /// HealthKit: an `HKQuantitySample` of `HKQuantityTypeIdentifierDietaryCarbohydrates`.
  public static func dietaryCarbohydrates(
    _ mass: CarbohydrateMass, at instant: Instant, uuid: SampleUUID, device: Device? = nil,
    metadata: Metadata = .none
  ) -> Sample {
    Sample(
      restoring: uuid, type: .dietaryCarbohydrates, start: instant, end: instant,
      value: .quantity(.init(mass.grams, .gram)), device: device, metadata: metadata)
  }

  /// What is wrong where the sample, or a member of it, is larger than the type's
  /// ``ObjectType/largestRecordedValue``; `nil` where nothing is.
  public var complaintOnValue: String? {
    for sample in [self] + members {
      guard let largest = sample.type.largestRecordedValue, let value = sample.storedValue,
        value > largest, let unit = sample.type.unit?.unitString
      else { continue }
      let shown = HealthQuantity.text(of: value < 1e12 ? (value * 10).rounded() / 10 : value)
      return "\(sample.type) of \(shown) \(unit) is more than \(HealthQuantity.text(of: largest)) "
        + "\(unit)"
    }
    return nil
  }

  /// The concentration of a glucose sample.
  public var glucose: GlucoseConcentration? {
    type == .bloodGlucose ? storedValue.map { .mgdL($0) } : nil
  }

  /// The amount of an insulin sample, to the nearest milliunit.
  public var insulin: InsulinAmount? {
    type == .insulinDelivery ? storedValue.flatMap { InsulinAmount(roundingUnits: $0) } : nil
  }

  /// The mass of a carbohydrate sample.
  public var carbohydrates: CarbohydrateMass? {
    type == .dietaryCarbohydrates ? storedValue.map { CarbohydrateMass(grams: $0) } : nil
  }
}
