public import HealthStore
internal import Quantities

/// The names of facts about the person, as an export of Apple Health has them.
///
/// Names from HealthKit's header `HKDefines.h`, in the order of their values from 0 on.
public enum CharacteristicNames {
  /// The name of a fact that is not set, or that a client may not read.
  public static let notSet = "NotSet"

  private static let rows: [(type: ObjectType, prefix: String, names: [String])] = [
    (.biologicalSex, "HKBiologicalSex", [notSet, "Female", "Male", "Other"]),
    (
      .bloodType, "HKBloodType",
      [
        notSet, "APositive", "ANegative", "BPositive", "BNegative", "ABPositive", "ABNegative",
        "OPositive", "ONegative",
      ]
    ),
    (
      .fitzpatrickSkinType, "HKFitzpatrickSkinType", [notSet, "I", "II", "III", "IV", "V", "VI"]
    ),
    (.wheelchairUse, "HKWheelchairUse", [notSet, "No", "Yes"]),
    (.activityMoveMode, "HKActivityMoveMode", [notSet, "ActiveEnergy", "AppleMoveTime"]),
  ]

  /// The types in the order in which an export names them.
  public static let types: [ObjectType] = [.dateOfBirth] + rows.map(\.type)

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

  /// The names of the values of a fact from 0 on; empty for a date of birth.
  public static func names(of type: ObjectType) -> [String] {
    rows.first { $0.type == type }?.names ?? []
  }

  /// The value that a name stands for, a date of birth as the number of its day; `nil` if the fact
  /// has no such value.
  public static func value(ofName name: String, type: ObjectType) -> Int? {
    type == .dateOfBirth ? value(of: name, type: type) : names(of: type).firstIndex(of: name)
  }

  /// The name of a value; that of "not set" for a number without one.
  public static func name(of value: Int, type: ObjectType) -> String {
    let names = names(of: type)
    return names.indices.contains(value) ? names[value] : notSet
  }
}
