public import Quantities

/// Facts about the user that apps read and never write.
extension HealthRecordStore {
  /// The value of a characteristic with numbered cases; 0 means not set, or not readable.
  ///
  /// HealthKit: `biologicalSex()`, `bloodType()`, `fitzpatrickSkinType()`, `wheelchairUse()`.
  public func characteristic(
    _ type: ObjectType, as client: ClientID
  ) throws(HealthStoreError) -> Int {
    guard type.kind == .characteristic else { throw .invalidArgument(.notReadable(type)) }
    try contents.registry.checkReader(client)
    guard contents.registry.authorization(of: client, for: type).read == .authorized else {
      return 0
    }
    return contents.registry.characteristic(type) ?? 0
  }

  /// The user's date of birth; nothing when it is not set, or not readable.
  ///
  /// HealthKit: `dateOfBirthComponents()`.
  public func dateOfBirth(as client: ClientID) throws(HealthStoreError) -> CivilTime? {
    try contents.registry.checkReader(client)
    guard contents.registry.authorization(of: client, for: .dateOfBirth).read == .authorized else {
      return nil
    }
    return contents.registry.characteristic(.dateOfBirth).map { CivilTime(dayNumber: Int64($0)) }
  }

  /// Sets a characteristic, as the user does in the health app.
  public mutating func setCharacteristic(
    _ type: ObjectType, to value: Int
  ) throws(HealthStoreError) {
    guard type.kind == .characteristic else { throw .invalidArgument(.notReadable(type)) }
    try contents.commit([.characteristic(.init(type: type, value: value))])
  }

  /// Sets the user's date of birth.
  public mutating func setDateOfBirth(_ date: CivilTime) throws(HealthStoreError) {
    try setCharacteristic(.dateOfBirth, to: Int(date.dayNumber))
  }

  /// The unit in which the user wants to see a type.
  ///
  /// HealthKit: `preferredUnits(for:)`.
  public func preferredUnit(for type: ObjectType) -> HealthUnit? {
    contents.registry.preferredUnit(for: type)
  }

  /// The number of a quantity sample as people read it, in the user's unit: glucose in whole mg/dL
  /// or in mmol/L with one decimal.
  ///
  /// Nothing for other samples.
  public func displayText(of sample: Sample) -> String? {
    guard let quantity = sample.quantity, let unit = preferredUnit(for: sample.type),
      let value = quantity.converted(to: unit)
    else { return nil }
    return sample.type.displayText(of: value, in: unit)
  }

  /// Sets the unit in which a type is shown, as the user does in the health app.
  ///
  /// - Throws: `invalidArgument` when the unit does not measure the type.
  public mutating func setPreferredUnit(
    _ unit: HealthUnit, for type: ObjectType
  ) throws(HealthStoreError) {
    guard let own = type.unit, own.isCompatible(with: unit) else {
      throw .invalidArgument(.incompatibleUnit(unit, type))
    }
    try contents.commit([.displayUnit(.init(type: type, unit: unit))])
  }
}
