/// Everything that can be asked of or written to a health store.
///
/// HealthKit: `HKObjectType`.
///
/// The cases are named as HealthKit's identifiers are. Raw values are those of this build only; a
/// file keeps the ``identifier``.
public enum ObjectType: UInt8, CaseIterable, Hashable, Sendable {
  // Quantities: HealthKit's `HKQuantityTypeIdentifier`.
  /// Glucose, insulin, carbohydrate, blood pressure.
  case bloodGlucose, insulinDelivery, dietaryCarbohydrates, bloodPressureSystolic
  /// Blood pressure, the heart, and counts of movement.
  case bloodPressureDiastolic, heartRate, stepCount, flightsClimbed, pushCount, nikeFuel
  /// Counts, and distance on foot.
  case swimmingStrokeCount, numberOfTimesFallen, inhalerUsage, distanceWalkingRunning
  /// Distances, and energy of movement.
  case distanceCycling, distanceWheelchair, distanceSwimming, activeEnergyBurned
  /// Energy, and times of movement.
  case basalEnergyBurned, dietaryEnergyConsumed, appleExerciseTime, appleStandTime, appleMoveTime
  /// Measures of the body.
  case bodyMass, leanBodyMass, height, waistCircumference, bodyMassIndex, bodyFatPercentage
  /// Oxygen, temperature, water and fat.
  case oxygenSaturation, bodyTemperature, basalBodyTemperature, dietaryWater, dietaryFatTotal
  /// Kinds of fat in food.
  case dietaryFatPolyunsaturated, dietaryFatMonounsaturated, dietaryFatSaturated
  /// Parts of food.
  case dietaryCholesterol, dietarySodium, dietaryFiber, dietarySugar, dietaryProtein
  /// Vitamins in food.
  case dietaryVitaminA, dietaryVitaminB6, dietaryVitaminB12, dietaryVitaminC, dietaryVitaminD
  /// Vitamins and minerals in food.
  case dietaryVitaminE, dietaryVitaminK, dietaryCalcium, dietaryIron, dietaryThiamin
  /// Vitamins in food.
  case dietaryRiboflavin, dietaryNiacin, dietaryFolate, dietaryBiotin, dietaryPantothenicAcid
  /// Minerals in food.
  case dietaryPhosphorus, dietaryIodine, dietaryMagnesium, dietaryZinc, dietarySelenium
  /// Minerals in food.
  case dietaryCopper, dietaryManganese, dietaryChromium, dietaryMolybdenum, dietaryChloride
  /// Parts of food, breathing, and the heart.
  case dietaryPotassium, dietaryCaffeine, respiratoryRate, restingHeartRate
  /// The heart, alcohol in blood, and ultraviolet light.
  case walkingHeartRateAverage, heartRateVariabilitySDNN, vo2Max, bloodAlcoholContent, uvExposure
  /// Breathing.
  case forcedVitalCapacity, forcedExpiratoryVolume1, peakExpiratoryFlowRate
  /// Blood flow, and the conductance of skin.
  case peripheralPerfusionIndex, electrodermalActivity

  // Categories: HealthKit's `HKCategoryTypeIdentifier`.
  /// Sleep, standing, mindfulness, and the cycle.
  case sleepAnalysis, appleStandHour, mindfulSession, menstrualFlow, cervicalMucusQuality
  /// The cycle.
  case ovulationTestResult, intermenstrualBleeding, sexualActivity

  // Correlations: HealthKit's `HKCorrelationTypeIdentifier`.
  /// Samples that belong together.
  case bloodPressure, food

  // Characteristics: HealthKit's `HKCharacteristicTypeIdentifier`.
  /// Facts about the user, and the user's activity.
  case dateOfBirth, biologicalSex, bloodType, fitzpatrickSkinType, wheelchairUse, activityMoveMode

  /// A workout.
  case workout
  /// Clinical documents in HL7 CDA.
  ///
  /// HealthKit: `HKDocumentTypeIdentifierCDA`.
  case clinicalDocument
  /// A type for authorization only; summaries are computed, never saved.
  case activitySummary
}
