public import Quantities

/// Why the app does not dose on the data it has.
public enum DosingRefusal: Error, Hashable, Sendable {
  /// There is no glucose.
  case missingGlucose
  /// The latest glucose is so old.
  case glucoseTooOld(age: TimeSpan)
  /// The last glucose is dated too far ahead.
  case invalidFutureGlucose(ahead: TimeSpan)
  /// The pump was last heard from too long ago, or never.
  case pumpDataTooOld(age: TimeSpan?)
}

extension DosingRefusal: CustomStringConvertible {
  /// One sentence that says what is wrong, and what would help.
  public var description: String {
    switch self {
    case .missingGlucose: "There is no glucose to dose on; wait for a reading, or start a sensor."
    case .glucoseTooOld(let age):
      "The last glucose is \(age.roundedToSecond) old; wait for a newer one."
    case .invalidFutureGlucose(let ahead):
      "The last glucose is dated \(ahead.roundedToSecond) ahead; check the sensor's clock."
    case .pumpDataTooOld(let age?):
      "The pump was last heard from \(age.roundedToSecond) ago; bring it near."
    case .pumpDataTooOld(nil): "The pump has not been heard from; bring it near, or pair it."
    }
  }
}

/// How new data must be for automatic dosing.
///
/// Source: LoopKit/Loop (`tidepool-merge`), `LoopDataManager.swift`; (`dev`), same file.
public struct DataRecency: Hashable, Sendable {
  /// Glucose and pump data older than this stop dosing.
  public static let limit = TimeSpan.minutes(15)

  /// Which Loop's rules hold.
  public var generation: LoopGeneration

  /// Creates a `DataRecency` from its parts; see the properties.
  public init(_ generation: LoopGeneration = .current) { self.generation = generation }

  /// How far ahead the last glucose may be dated: 15 min, or 5 min in the older app.
  public var limitAhead: TimeSpan { generation == .current ? .minutes(15) : .minutes(5) }

  /// Checks the data in the app's order; throws the first reason not to dose.
  ///
  /// Exactly 15 minutes pass here; the algorithm's own check refuses glucose of that age.
  public func check(
    at now: Instant, lastGlucose: Instant?, lastPumpData: Instant?
  ) throws(DosingRefusal) {
    guard let lastGlucose else { throw .missingGlucose }
    let age = now - lastGlucose
    guard age <= Self.limit else { throw .glucoseTooOld(age: age) }
    guard -age <= limitAhead else { throw .invalidFutureGlucose(ahead: -age) }
    guard let lastPumpData else { throw .pumpDataTooOld(age: nil) }
    guard now - lastPumpData <= Self.limit else { throw .pumpDataTooOld(age: now - lastPumpData) }
  }
}

/// When the loop runs.
///
/// Source: LoopKit/Loop (`tidepool-merge`), `LoopDataManager.swift` and `DeviceDataManager.swift`.
public enum LoopTrigger {
  /// The least time between two loops: 4.2 min.
  public static let interval = TimeSpan.seconds(252)

  /// Whether a loop is due, given when the last one was; new glucose counts from the last loop that
  /// glucose triggered, other wake-ups from the last one completed.
  public static func isDue(at now: Instant, lastLoop: Instant?) -> Bool {
    lastLoop.map { now - $0 > interval } ?? true
  }
}
