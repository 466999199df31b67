public import Quantities

/// What the user sets in the health app: facts that apps read and never write, and units.
extension HealthRecordStore {
  /// Sets a characteristic, as the user does in the health app.
  public mutating func setCharacteristic(
    _ type: ObjectType, to value: Int
  ) throws(HealthStoreError) {
    guard type.kind == .characteristic else { throw .invalidArgument(.notReadable(type)) }
    if type == .dateOfBirth { try checkBirth(on: Int64(value)) }
    try contents.commit([.characteristic(.init(type: type, value: value))])
  }

  /// Nobody is born after their newest record; the day after it by UTC may still be the same one
  /// elsewhere.
  private func checkBirth(on day: Int64) throws(HealthStoreError) {
    var latest = CivilTime(year: 2200, month: 1, day: 1).dayNumber
    var newest: Instant?
    for type in ObjectType.allCases where type.isSampleType && type.kind != .correlation {
      guard let sample = try latestSample(of: type, as: .user) else { continue }
      newest = max(newest ?? sample.end, sample.end)
    }
    if let newest { latest = WallClock.utc.civilTime(at: newest).dayNumber + 1 }
    guard (CivilTime(year: 1850, month: 1, day: 1).dayNumber...latest).contains(day) else {
      throw .invalidArgument(
        .dateOfBirth(CivilTime(dayNumber: day), latest: CivilTime(dayNumber: latest)))
    }
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
