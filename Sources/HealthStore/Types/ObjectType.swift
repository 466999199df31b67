/// Everything that can be asked of or written to a health store.
///
/// HealthKit: `HKObjectType`.
///
/// The cases are named as HealthKit's identifiers are. Raw values are those of this build only; a
/// file keeps the ``identifier``.
public enum ObjectType: UInt8, CaseIterable, Hashable, Sendable {
  // Quantities: HealthKit's `HKQuantityTypeIdentifier`.
  case bloodGlucose, insulinDelivery, dietaryCarbohydrates, bloodPressureSystolic
  case bloodPressureDiastolic, heartRate, stepCount, flightsClimbed, pushCount, nikeFuel
  case swimmingStrokeCount, numberOfTimesFallen, inhalerUsage, distanceWalkingRunning
  case distanceCycling, distanceWheelchair, distanceSwimming, activeEnergyBurned
  case basalEnergyBurned, dietaryEnergyConsumed, appleExerciseTime, appleStandTime, appleMoveTime
  case bodyMass, leanBodyMass, height, waistCircumference, bodyMassIndex, bodyFatPercentage
  case oxygenSaturation, bodyTemperature, basalBodyTemperature, dietaryWater, dietaryFatTotal
  case dietaryFatPolyunsaturated, dietaryFatMonounsaturated, dietaryFatSaturated
  case dietaryCholesterol, dietarySodium, dietaryFiber, dietarySugar, dietaryProtein
  case dietaryVitaminA, dietaryVitaminB6, dietaryVitaminB12, dietaryVitaminC, dietaryVitaminD
  case dietaryVitaminE, dietaryVitaminK, dietaryCalcium, dietaryIron, dietaryThiamin
  case dietaryRiboflavin, dietaryNiacin, dietaryFolate, dietaryBiotin, dietaryPantothenicAcid
  case dietaryPhosphorus, dietaryIodine, dietaryMagnesium, dietaryZinc, dietarySelenium
  case dietaryCopper, dietaryManganese, dietaryChromium, dietaryMolybdenum, dietaryChloride
  case dietaryPotassium, dietaryCaffeine, respiratoryRate, restingHeartRate
  case walkingHeartRateAverage, heartRateVariabilitySDNN, vo2Max, bloodAlcoholContent, uvExposure
  case forcedVitalCapacity, forcedExpiratoryVolume1, peakExpiratoryFlowRate
  case peripheralPerfusionIndex, electrodermalActivity

  // Categories: HealthKit's `HKCategoryTypeIdentifier`.
  case sleepAnalysis, appleStandHour, mindfulSession, menstrualFlow, cervicalMucusQuality
  case ovulationTestResult, intermenstrualBleeding, sexualActivity

  // Correlations: HealthKit's `HKCorrelationTypeIdentifier`.
  case bloodPressure, food

  // Characteristics: HealthKit's `HKCharacteristicTypeIdentifier`.
  case dateOfBirth, biologicalSex, bloodType, fitzpatrickSkinType, wheelchairUse, activityMoveMode

  case workout
  /// Clinical documents in HL7 CDA.
  ///
  /// HealthKit: `HKDocumentTypeIdentifierCDA`.
  case clinicalDocument
  /// A type for authorization only; summaries are computed, never saved.
  case activitySummary
}
