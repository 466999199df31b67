public import Quantities

// What the user is, and how the user wants to see numbers.

extension StoreRegistry {
  /// The value of a characteristic with numbered cases; 0 means not set, or not readable.
  ///
  /// HealthKit: `biologicalSex()`, `bloodType()`, `fitzpatrickSkinType()`, `wheelchairUse()`.
  public func characteristic(
    _ type: ObjectType, as client: ClientID
  ) throws(HealthStoreError) -> Int {
    guard type.kind == .characteristic else { throw .invalidArgument(.notReadable(type)) }
    return try fact(type, as: client) ?? 0
  }

  /// The user's date of birth; nothing when it is not set, or not readable.
  ///
  /// HealthKit: `dateOfBirthComponents()`.
  public func dateOfBirth(as client: ClientID) throws(HealthStoreError) -> CivilTime? {
    try fact(.dateOfBirth, as: client).map { CivilTime(dayNumber: Int64($0)) }
  }

  /// A fact about the user by HealthKit's number; `nil` when it is not set, or not readable.
  private func fact(_ type: ObjectType, as client: ClientID) throws(HealthStoreError) -> Int? {
    try checkReader(client)
    guard authorization(of: client, for: type).read == .authorized else { return nil }
    return characteristics.first { $0.type == type }?.value
  }

  /// The unit in which the user wants to see a type: the type's own unless another was chosen.
  ///
  /// HealthKit: `preferredUnits(for:)`.
  public func preferredUnit(for type: ObjectType) -> HealthUnit? {
    displayUnits.first { $0.type == type }?.unit ?? type.unit
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
}
