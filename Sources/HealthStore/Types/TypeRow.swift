internal import Quantities

/// What the store knows about each type, one row per type.
struct TypeRow: Sendable {
  var identifier: String
  var kind: ObjectType.Kind
  /// The unit of storage and export of a quantity.
  var unit: HealthUnit?
  var aggregation: ObjectType.Aggregation = .none
  /// The values a category may have.
  var categories: ClosedRange<Int>?
  var isShareable = true
  var refusesNegativeValues = false
  var minimumDeliveryInterval = TimeSpan.zero
  var maximumDuration: TimeSpan?
}

extension TypeRow {
  /// The rows in the order of the cases of ``ObjectType``.
  static let table: [TypeRow] = quantities + categories + others

  // Units are those seen in exports of Apple Health; HealthKit's own storage units are not public.
  private static let quantities: [TypeRow] = [
    quantity("BloodGlucose", .milligramPerDecilitre, .discrete, refusesNegative: true),
    quantity("InsulinDelivery", .internationalUnit, .cumulative, refusesNegative: true),
    quantity("DietaryCarbohydrates", .gram, .cumulative, refusesNegative: true),
    quantity("BloodPressureSystolic", "mmHg", .discrete, refusesNegative: true),
    quantity("BloodPressureDiastolic", "mmHg", .discrete, refusesNegative: true),
    quantity("HeartRate", "count/min", .temporallyWeighted, refusesNegative: true),
    quantity("StepCount", "count", .cumulative, refusesNegative: true, isHourly: true),
    quantity("FlightsClimbed", "count", .cumulative, refusesNegative: true),
    quantity("PushCount", "count", .cumulative, refusesNegative: true),
    quantity("NikeFuel", "count", .cumulative, refusesNegative: true),
    quantity("SwimmingStrokeCount", "count", .cumulative, refusesNegative: true),
    quantity("NumberOfTimesFallen", "count", .cumulative, refusesNegative: true),
    quantity("InhalerUsage", "count", .cumulative, refusesNegative: true),
    quantity("DistanceWalkingRunning", "m", .cumulative),
    quantity("DistanceCycling", "m", .cumulative),
    quantity("DistanceWheelchair", "m", .cumulative),
    quantity("DistanceSwimming", "m", .cumulative),
    quantity("ActiveEnergyBurned", "kcal", .cumulative),
    quantity("BasalEnergyBurned", "kcal", .cumulative),
    quantity("DietaryEnergyConsumed", "kcal", .cumulative),
    quantity("AppleExerciseTime", "min", .cumulative, isShareable: false),
    quantity("AppleStandTime", "min", .cumulative, isShareable: false),
    quantity("AppleMoveTime", "min", .cumulative, isShareable: false),
    quantity("BodyMass", "kg", .discrete),
    quantity("LeanBodyMass", "kg", .discrete),
    quantity("Height", "m", .discrete),
    quantity("WaistCircumference", "m", .discrete),
    quantity("BodyMassIndex", "count", .discrete),
    quantity("BodyFatPercentage", "%", .discrete),
    quantity("OxygenSaturation", "%", .discrete),
    quantity("BodyTemperature", "degC", .discrete),
    quantity("BasalBodyTemperature", "degC", .discrete),
    quantity("DietaryWater", "mL", .cumulative),
    quantity("DietaryFatTotal", "g", .cumulative),
    quantity("DietaryFatPolyunsaturated", "g", .cumulative),
    quantity("DietaryFatMonounsaturated", "g", .cumulative),
    quantity("DietaryFatSaturated", "g", .cumulative),
    quantity("DietaryCholesterol", "mg", .cumulative),
    quantity("DietarySodium", "mg", .cumulative),
    quantity("DietaryFiber", "g", .cumulative),
    quantity("DietarySugar", "g", .cumulative),
    quantity("DietaryProtein", "g", .cumulative),
    quantity("DietaryVitaminA", "mcg", .cumulative),
    quantity("DietaryVitaminB6", "mg", .cumulative),
    quantity("DietaryVitaminB12", "mcg", .cumulative),
    quantity("DietaryVitaminC", "mg", .cumulative),
    quantity("DietaryVitaminD", "mcg", .cumulative),
    quantity("DietaryVitaminE", "mg", .cumulative),
    quantity("DietaryVitaminK", "mcg", .cumulative),
    quantity("DietaryCalcium", "mg", .cumulative),
    quantity("DietaryIron", "mg", .cumulative),
    quantity("DietaryThiamin", "mg", .cumulative),
    quantity("DietaryRiboflavin", "mg", .cumulative),
    quantity("DietaryNiacin", "mg", .cumulative),
    quantity("DietaryFolate", "mcg", .cumulative),
    quantity("DietaryBiotin", "mcg", .cumulative),
    quantity("DietaryPantothenicAcid", "mg", .cumulative),
    quantity("DietaryPhosphorus", "mg", .cumulative),
    quantity("DietaryIodine", "mcg", .cumulative),
    quantity("DietaryMagnesium", "mg", .cumulative),
    quantity("DietaryZinc", "mg", .cumulative),
    quantity("DietarySelenium", "mcg", .cumulative),
    quantity("DietaryCopper", "mg", .cumulative),
    quantity("DietaryManganese", "mg", .cumulative),
    quantity("DietaryChromium", "mcg", .cumulative),
    quantity("DietaryMolybdenum", "mcg", .cumulative),
    quantity("DietaryChloride", "mg", .cumulative),
    quantity("DietaryPotassium", "mg", .cumulative),
    quantity("DietaryCaffeine", "mg", .cumulative),
    quantity("RespiratoryRate", "count/min", .discrete),
    quantity("RestingHeartRate", "count/min", .discrete, refusesNegative: true),
    quantity("WalkingHeartRateAverage", "count/min", .discrete, refusesNegative: true),
    quantity("HeartRateVariabilitySDNN", "ms", .discrete),
    quantity("VO2Max", "mL/kg.min", .discrete),
    quantity("BloodAlcoholContent", "%", .discrete),
    quantity("UVExposure", "count", .discrete),
    quantity("ForcedVitalCapacity", "L", .discrete),
    quantity("ForcedExpiratoryVolume1", "L", .discrete),
    quantity("PeakExpiratoryFlowRate", "L/min", .discrete),
    quantity("PeripheralPerfusionIndex", "%", .discrete),
    quantity("ElectrodermalActivity", "S", .discrete),
  ]

  private static let categories: [TypeRow] = [
    category("SleepAnalysis", 0...5),
    category("AppleStandHour", 0...1, isShareable: false),
    category("MindfulSession", 0...0),
    category("MenstrualFlow", 1...5),
    category("CervicalMucusQuality", 1...5),
    category("OvulationTestResult", 1...4),
    category("IntermenstrualBleeding", 0...0),
    category("SexualActivity", 0...0),
  ]

  private static let others: [TypeRow] = [
    TypeRow(identifier: "HKCorrelationTypeIdentifierBloodPressure", kind: .correlation),
    TypeRow(identifier: "HKCorrelationTypeIdentifierFood", kind: .correlation),
    characteristic("DateOfBirth"),
    characteristic("BiologicalSex"),
    characteristic("BloodType"),
    characteristic("FitzpatrickSkinType"),
    characteristic("WheelchairUse"),
    characteristic("ActivityMoveMode"),
    TypeRow(
      identifier: "HKWorkoutTypeIdentifier", kind: .workout, maximumDuration: .seconds(345_600)),
    TypeRow(identifier: "HKDocumentTypeIdentifierCDA", kind: .document),
    TypeRow(
      identifier: "HKActivitySummaryTypeIdentifier", kind: .activitySummary, isShareable: false),
  ]

  private static func quantity(
    _ name: String, _ unit: String, _ aggregation: ObjectType.Aggregation,
    refusesNegative: Bool = false, isShareable: Bool = true, isHourly: Bool = false
  ) -> TypeRow {
    quantity(
      name, .known(unit), aggregation, refusesNegative: refusesNegative, isShareable: isShareable,
      isHourly: isHourly)
  }

  /// The row of a type whose samples are made in this very unit, which is then not compared by what
  /// it measures.
  private static func quantity(
    _ name: String, _ unit: HealthUnit, _ aggregation: ObjectType.Aggregation,
    refusesNegative: Bool = false, isShareable: Bool = true, isHourly: Bool = false
  ) -> TypeRow {
    TypeRow(
      identifier: "HKQuantityTypeIdentifier\(name)", kind: .quantity, unit: unit,
      aggregation: aggregation, isShareable: isShareable,
      refusesNegativeValues: refusesNegative,
      minimumDeliveryInterval: isHourly ? .hours(1) : .zero)
  }

  private static func category(
    _ name: String, _ values: ClosedRange<Int>, isShareable: Bool = true
  ) -> TypeRow {
    TypeRow(
      identifier: "HKCategoryTypeIdentifier\(name)", kind: .category, categories: values,
      isShareable: isShareable)
  }

  private static func characteristic(_ name: String) -> TypeRow {
    TypeRow(
      identifier: "HKCharacteristicTypeIdentifier\(name)", kind: .characteristic,
      isShareable: false)
  }
}
