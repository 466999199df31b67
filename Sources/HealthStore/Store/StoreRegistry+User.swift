// What the user is, and how the user wants to see numbers.

extension StoreRegistry {
  /// A fact about the user by HealthKit's number; `nil` when it is not set.
  func characteristic(_ type: ObjectType) -> Int? {
    characteristics.first { $0.type == type }?.value
  }

  /// The unit in which the user wants to see a type: the type's own unless another was chosen.
  func preferredUnit(for type: ObjectType) -> HealthUnit? {
    displayUnits.first { $0.type == type }?.unit ?? type.unit
  }
}
