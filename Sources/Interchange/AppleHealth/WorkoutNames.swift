internal import HealthStore

/// The names of activities and events in an export of Apple Health.
///
/// Names and values from HealthKit's header `HKWorkout.h`; the first has the value 1.
extension Workout.Activity {
  private static let names = [
    "AmericanFootball", "Archery", "AustralianFootball", "Badminton", "Baseball", "Basketball",
    "Bowling", "Boxing", "Climbing", "Cricket", "CrossTraining", "Curling", "Cycling", "Dance",
    "DanceInspiredTraining", "Elliptical", "EquestrianSports", "Fencing", "Fishing",
    "FunctionalStrengthTraining", "Golf", "Gymnastics", "Handball", "Hiking", "Hockey", "Hunting",
    "Lacrosse", "MartialArts", "MindAndBody", "MixedMetabolicCardioTraining", "PaddleSports",
    "Play", "PreparationAndRecovery", "Racquetball", "Rowing", "Rugby", "Running", "Sailing",
    "SkatingSports", "SnowSports", "Soccer", "Softball", "Squash", "StairClimbing",
    "SurfingSports", "Swimming", "TableTennis", "Tennis", "TrackAndField",
    "TraditionalStrengthTraining", "Volleyball", "Walking", "WaterFitness", "WaterPolo",
    "WaterSports", "Wrestling", "Yoga", "Barre", "CoreTraining", "CrossCountrySkiing",
    "DownhillSkiing", "Flexibility", "HighIntensityIntervalTraining", "JumpRope", "Kickboxing",
    "Pilates", "Snowboarding", "Stairs", "StepTraining", "WheelchairWalkPace",
    "WheelchairRunPace", "TaiChi", "MixedCardio", "HandCycling", "DiscSports", "FitnessGaming",
    "CardioDance", "SocialDance", "Pickleball", "Cooldown",
  ]
  private static let start = "HKWorkoutActivityType"
  private static let other = 3_000

  /// The activity with a name, or with the number that stands for one without.
  init?(exportName: String) {
    guard exportName.hasPrefix(Self.start) else { return nil }
    let name = String(exportName.dropFirst(Self.start.count))
    if name == "Other" {
      self.init(rawValue: Self.other)
    } else if let index = Self.names.firstIndex(of: name) {
      self.init(rawValue: index + 1)
    } else if let number = Int(name) {
      self.init(rawValue: number)
    } else {
      return nil
    }
  }

  var exportName: String {
    if rawValue == Self.other { return Self.start + "Other" }
    let isNamed = Self.names.indices.contains(rawValue - 1)
    return Self.start + (isNamed ? Self.names[rawValue - 1] : "\(rawValue)")
  }
}

extension Workout.Event.Kind {
  private static let names = [
    "Pause", "Resume", "Lap", "Marker", "MotionPaused", "MotionResumed", "Segment",
    "PauseOrResumeRequest",
  ]
  private static let start = "HKWorkoutEventType"

  init?(exportName: String) {
    guard exportName.hasPrefix(Self.start),
      let index = Self.names.firstIndex(of: String(exportName.dropFirst(Self.start.count)))
    else { return nil }
    self.init(rawValue: index + 1)
  }

  var exportName: String { Self.start + Self.names[rawValue - 1] }
}
