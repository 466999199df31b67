internal import HealthStore

/// The names of category values in an export of Apple Health.
///
/// Names from HealthKit's header `HKDefines.h`; each list begins with the lowest value.
enum CategoryNames {
  private struct Row {
    var type: ObjectType
    var prefix: String
    var first: Int
    var names: [String]
  }

  private static let rows = [
    Row(
      type: .sleepAnalysis, prefix: "SleepAnalysis", first: 0,
      names: ["InBed", "AsleepUnspecified", "Awake", "AsleepCore", "AsleepDeep", "AsleepREM"]),
    Row(type: .appleStandHour, prefix: "AppleStandHour", first: 0, names: ["Stood", "Idle"]),
    Row(
      type: .menstrualFlow, prefix: "MenstrualFlow", first: 1,
      names: ["Unspecified", "Light", "Medium", "Heavy", "None"]),
    Row(
      type: .cervicalMucusQuality, prefix: "CervicalMucusQuality", first: 1,
      names: ["Dry", "Sticky", "Creamy", "Watery", "EggWhite"]),
    Row(
      type: .ovulationTestResult, prefix: "OvulationTestResult", first: 1,
      names: ["Negative", "LuteinizingHormoneSurge", "Indeterminate", "EstrogenSurge"]),
  ]

  /// Names that older systems wrote.
  private static let old = [
    "SleepAnalysisAsleep": "SleepAnalysisAsleepUnspecified",
    "OvulationTestResultPositive": "OvulationTestResultLuteinizingHormoneSurge",
  ]

  private static let start = "HKCategoryValue"

  /// The value of a name, or of a number as some exports write it.
  static func value(of text: String, type: ObjectType) -> Int? {
    guard text.hasPrefix(start) else { return Int(text) }
    let given = String(text.dropFirst(start.count))
    let name = old[given] ?? given
    guard let row = rows.first(where: { $0.type == type }) else {
      return given == "NotApplicable" ? 0 : nil
    }
    guard name.hasPrefix(row.prefix) else { return nil }
    return row.names.firstIndex(of: String(name.dropFirst(row.prefix.count)))
      .map { $0 + row.first }
  }

  static func name(of value: Int, type: ObjectType) -> String {
    guard let row = rows.first(where: { $0.type == type }) else { return start + "NotApplicable" }
    let index = value - row.first
    return row.names.indices.contains(index)
      ? start + row.prefix + row.names[index] : "\(value)"
  }
}
