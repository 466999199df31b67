public import Quantities

/// What the user sets in the health app: facts that apps read and never write, and units.
extension HealthRecordStore {
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
