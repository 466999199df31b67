/// Named groups of types to which an uploading service subscribes.
///
/// The lists are those of the Validic Mobile library's HealthKit page; `insulin` is this
/// simulator's own.
public enum SubscriptionSet: String, CaseIterable, Hashable, Sendable {
  /// A group of HealthKit's types.
  case routine, diabetes, weight, fitness, sleep, basicNutrition, reproductiveHealth, biometrics
  /// Insulin delivery.
  case insulin

  /// The types of the set on a version of the operating system.
  public func sampleTypes(osMajor: Int) -> [ObjectType] {
    let (isNine, isTen) = (osMajor >= 9, osMajor >= 10)
    return switch self {
    case .routine:
      [
        .flightsClimbed, .activeEnergyBurned, .distanceWalkingRunning, .stepCount,
        .basalEnergyBurned,
      ] + (isNine ? [.appleStandHour, .appleExerciseTime, .mindfulSession] : [])
        + (isTen ? [.distanceWheelchair, .pushCount] : [])
    case .diabetes: [.bloodGlucose]
    case .weight: [.bodyMass, .height, .bodyFatPercentage, .leanBodyMass, .bodyMassIndex]
    case .fitness: [.workout, .nikeFuel, .distanceCycling]
    case .sleep: [.sleepAnalysis]
    case .basicNutrition:
      [
        .dietaryCalcium, .dietaryCarbohydrates, .dietaryCholesterol, .dietaryFiber, .dietaryIron,
        .dietaryPotassium, .dietaryProtein, .dietaryFatSaturated, .dietarySodium, .dietarySugar,
        .dietaryFatTotal, .dietaryEnergyConsumed,
      ] + (isNine ? [.dietaryWater] : [])
    case .reproductiveHealth:
      isNine
        ? [
          .sexualActivity, .cervicalMucusQuality, .intermenstrualBleeding, .menstrualFlow,
          .ovulationTestResult, .basalBodyTemperature,
        ] : []
    case .biometrics:
      [
        .bloodPressureSystolic, .bloodPressureDiastolic, .heartRate, .bodyTemperature,
        .oxygenSaturation,
      ]
    case .insulin: [.insulinDelivery, .dietaryCarbohydrates]
    }
  }
}

/// What a service may fetch once from the time before it subscribed.
public enum HistorySet: String, CaseIterable, Hashable, Sendable {
  /// Steps of the last six calendar months.
  case routine
  /// Workouts of the last six calendar months.
  case fitness
  /// Fine-grained steps of the last seven days, where the service may have them.
  case intraday

  var type: ObjectType { self == .fitness ? .workout : .stepCount }
}
