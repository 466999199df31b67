import Quantities

/// Time as the algorithm's arithmetic has it: seconds after an origin on the five-minute grid.
///
/// The original counts seconds since 2001; differences are the same, and smaller numbers keep
/// milliseconds exact.
struct TimeAxis: Hashable, Sendable {
  /// The simulation step Δ, in seconds.
  static let step = 300.0
  /// The same in milliseconds.
  static let stepMilliseconds: Int64 = 300_000
  /// The longest stretch of time one evaluation covers, in steps: 366 days.
  static let maximumSteps = 366 * 288

  let origin: Instant

  /// Creates an axis whose origin is the grid's last moment that is not after `instant`.
  init(near instant: Instant) { origin = instant.floored(to: .minutes(5)) }

  func seconds(_ instant: Instant) -> Double {
    (Double(instant.millisecondsSince1970) - Double(origin.millisecondsSince1970)) / 1_000
  }

  /// The instant that lies `seconds` after the origin.
  ///
  /// Seconds beyond the limit of an evaluation never get here: the grids they would need are
  /// refused.
  func instant(_ seconds: Double) -> Instant {
    let span = TimeSpan(roundingSeconds: seconds) ?? .zero
    return origin + span
  }

  func instant(step: Int) -> Instant { origin + .minutes(5) * Int64(step) }

  /// The last grid step that is not after a time.
  static func floorStep(_ seconds: Double) -> Int { Int((seconds / step).rounded(.down)) }

  /// The first grid step that is not before a time.
  static func ceilStep(_ seconds: Double) -> Int { Int((seconds / step).rounded(.up)) }

  /// The steps from the floor of one time to the ceiling of another; at least one.
  ///
  /// Throws `timelineTooLong` beyond the limit of an evaluation.
  static func grid(from first: Double, to last: Double) throws(AlgorithmError) -> ClosedRange<Int> {
    let length = last - first
    let limit = Double(maximumSteps) * step
    guard length.isFinite, first.magnitude < limit, last.magnitude < limit, length < limit else {
      guard length.isFinite, let span = TimeSpan(roundingSeconds: length.magnitude) else {
        throw .notFinite
      }
      throw .timelineTooLong(span, limit: .days(366))
    }
    let floor = floorStep(first)
    return floor...max(floor, ceilStep(last))
  }
}

/// A number that holds over a stretch of time, on a ``TimeAxis``.
struct ScheduleSpan: Hashable, Sendable {
  var start: Double
  var end: Double
  var value: Double
}

/// A correction range that holds over a stretch of time, on a ``TimeAxis``.
struct TargetSpan: Hashable, Sendable {
  var start: Double
  var end: Double
  var lower: Double
  var upper: Double

  var middle: Double { (upper + lower) / 2 }
}

/// Something that starts at a time on a ``TimeAxis``.
protocol Starting { var start: Double { get } }

extension ScheduleSpan: Starting {}
extension TargetSpan: Starting {}

extension RandomAccessCollection where Element: Starting, Index == Int {
  /// The index of the last element that starts at or before a time; ends are not looked at.
  ///
  /// Source: LoopKit/LoopAlgorithm, `SampleValue.swift`, `closestPrior(to:)`.
  func closestPrior(to time: Double) -> Int? {
    let next = partitioningIndex { $0.start > time }
    return next == startIndex ? nil : next - 1
  }
}

/// A glucose sample on a ``TimeAxis``.
struct GlucosePoint: Hashable, Sendable, Starting {
  var start: Double
  var value: Double
  /// Stands for the provenance identifier: equal where those are.
  var provenance: Int
  var isDisplayOnly: Bool
}

/// A dose set against the scheduled basal, on a ``TimeAxis``.
struct DoseElement: Hashable, Sendable {
  var start: Double
  var end: Double
  var volume: Double
  /// U/h; nothing for a bolus.
  var scheduledRate: Double?
  var model: InsulinModel

  /// Insulin above or below the scheduled basal, in U.
  var netUnits: Double {
    guard let scheduledRate else { return volume }
    let hours = (end - start) / 60 / 60
    return hours > 0 ? volume - scheduledRate * hours : 0
  }
}

/// A carbohydrate entry on a ``TimeAxis``.
struct CarbPoint: Hashable, Sendable, Starting {
  var start: Double
  var grams: Double
  /// Seconds.
  var absorptionTime: Double
}

/// A velocity of glucose over an interval, on a ``TimeAxis``.
struct Velocity: Hashable, Sendable {
  var start: Double
  var end: Double
  /// mg/dL per second.
  var mgdLPerSecond: Double
}
