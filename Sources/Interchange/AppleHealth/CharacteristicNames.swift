internal import HealthStore
internal import Quantities

/// The names of the user's facts in an export of Apple Health.
///
/// Names from HealthKit's header `HKDefines.h`, in the order of their values from 0 on.
enum CharacteristicNames {
  private static let rows: [(type: ObjectType, prefix: String, names: [String])] = [
    (.biologicalSex, "HKBiologicalSex", ["NotSet", "Female", "Male", "Other"]),
    (
      .bloodType, "HKBloodType",
      [
        "NotSet", "APositive", "ANegative", "BPositive", "BNegative", "ABPositive", "ABNegative",
        "OPositive", "ONegative",
      ]
    ),
    (
      .fitzpatrickSkinType, "HKFitzpatrickSkinType", ["NotSet", "I", "II", "III", "IV", "V", "VI"]
    ),
    (.wheelchairUse, "HKWheelchairUse", ["NotSet", "No", "Yes"]),
    (.activityMoveMode, "HKActivityMoveMode", ["NotSet", "ActiveEnergy", "AppleMoveTime"]),
  ]

  /// The types in the order in which an export names them.
  static let types: [ObjectType] = [.dateOfBirth] + rows.map(\.type)

  /// The value of a text; a date of birth as the number of its day.
  static func value(of text: String, type: ObjectType) -> Int? {
    if type == .dateOfBirth {
      return CivilTime(iso8601: text + "T00:00:00").map { Int($0.dayNumber) }
    }
    guard let row = rows.first(where: { $0.type == type }), text.hasPrefix(row.prefix) else {
      return nil
    }
    return row.names.firstIndex(of: String(text.dropFirst(row.prefix.count)))
  }

  /// The text of a value; empty for a date of birth that is not known.
  static func text(of value: Int?, type: ObjectType) -> String {
    if type == .dateOfBirth {
      return value.map { CivilTime(dayNumber: Int64($0)).dateText } ?? ""
    }
    guard let row = rows.first(where: { $0.type == type }) else { return "" }
    let index = value ?? 0
    return row.prefix + row.names[row.names.indices.contains(index) ? index : 0]
  }
}
