public import Quantities

/// Glucose over time from one source: the patient's true glucose, a sensor's readings, or what a
/// loop used.
///
/// Values that are not finite are dropped, the rest stands in the order of time, and of the values
/// of one second the last stays: by time, and at one time by the order of the input. Saturated
/// readings stay as they are: a sensor that shows LOW or HIGH counts with the value it reports.
public struct GlucoseSeries: Hashable, Sendable {
  /// One value and its moment.
  public struct Point: Hashable, Sendable {
    /// When it was measured.
    public var instant: Instant
    /// Glucose in milligrams per decilitre.
    public var mgdL: Double

    /// Creates a `Point` from its parts; see the properties.
    public init(_ instant: Instant, mgdL: Double) {
      self.instant = instant
      self.mgdL = mgdL
    }
  }

  /// The prepared points, earliest first.
  public let points: [Point]

  /// The clock on the wall by which days and hours are told.
  public let clock: WallClock

  /// How many values of the input were dropped because they were not finite.
  public let discarded: Int

  /// How many values of the input gave way to a later one within the same second.
  public let duplicates: Int

  /// The sampling interval in whole minutes, a part of a day: the one that was stated, else the
  /// median distance of neighbours.
  public let intervalMinutes: Int

  /// The interval that was stated, which every part of the series has too.
  private let statedInterval: TimeSpan?

  /// How far apart the values are where none is missing: to the millisecond where it was stated, as
  /// rows of a timeline may be seconds apart, or three and a half minutes; else the median distance
  /// of neighbours in whole minutes, whether that is a part of a day or not.
  public let interval: TimeSpan

  /// Prepares a series from points in any order.
  ///
  /// - Parameters:
  ///   - points: The values.
  ///   - clock: The clock on the wall.
  ///   - interval: How far apart the values are where none is missing; `nil` where that is not
  ///     known. What is left of a sensor that is silent for long says nothing of it.
  public init(_ points: [Point], clock: WallClock = .utc, interval: TimeSpan? = nil) {
    let finite = points.filter { $0.mgdL.isFinite }
    let ordered = finite.sorted { $0.instant < $1.instant }
    var kept: [Point] = []
    kept.reserveCapacity(ordered.count)
    for point in ordered {
      if let last = kept.last, Self.second(of: last) == Self.second(of: point) { kept.removeLast() }
      kept.append(point)
    }
    assert(kept.count <= finite.count, "Preparing a series adds no value.")
    assert(
      zip(kept, kept.dropFirst()).allSatisfy { $0.instant < $1.instant },
      "A series is in the order of time.")
    self.points = kept
    self.clock = clock
    discarded = points.count - finite.count
    duplicates = finite.count - kept.count
    statedInterval = interval
    let distance = interval ?? .minutes(Int64(Self.medianMinutes(of: kept)))
    self.interval = distance
    intervalMinutes = Self.partOfDay(minutes: distance.minutes)
  }

  /// The values in milligrams per decilitre, in the order of time.
  public var values: [Double] { points.map(\.mgdL) }

  /// Whether there is nothing to measure.
  public var isEmpty: Bool { points.isEmpty }

  /// The part of the series from `start` up to, but not including, `end`.
  public func restricted(from start: Instant, to end: Instant) -> Self {
    let first = points.partitioningIndex { $0.instant >= start }
    let part = points[first...].prefix { $0.instant < end }
    return Self(Array(part), clock: clock, interval: statedInterval)
  }

  /// The points for which `isIncluded` is true, as a series of their own.
  public func filtered(_ isIncluded: (Point) -> Bool) -> Self {
    Self(points.filter(isIncluded), clock: clock, interval: statedInterval)
  }

  /// The points of which days are made: without a midnight that closes the day before it.
  ///
  /// The last row of a run of whole days is such a midnight. It begins a date of which nothing else
  /// is there, and as a day of its own it would weigh as much as a whole one. A lone reading at
  /// midnight, more than an hour after the one before, is that of its date.
  var pointsOfDays: ArraySlice<Point> {
    guard let last = points.last, let before = points.dropLast().last,
      last.instant - before.instant <= .hours(1),
      clock.startOfDay(containing: last.instant) == last.instant
    else { return points[...] }
    return points.dropLast()
  }

  /// How many values lie outside what a sensor can show, 40 to 400 mg/dL.
  public var saturated: Int { points.count { $0.mgdL < 40 || $0.mgdL > 400 } }

  private static func second(of point: Point) -> Int64 {
    TimeSpan(milliseconds: point.instant.millisecondsSince1970).quotient(by: .seconds(1))
  }

  /// The median distance of neighbours.
  private static func medianMinutes(of points: [Point]) -> Int {
    guard points.count > 1 else { return 5 }
    let gaps = zip(points.dropFirst(), points).map { ($0.instant - $1.instant).minutes }.sorted()
    let middle = gaps.count / 2
    return wholeMinutes(
      gaps.count % 2 == 1 ? gaps[middle] : (gaps[middle - 1] + gaps[middle]) / 2)
  }

  /// Minutes rounded half up, from one minute to a day.
  static func wholeMinutes(_ exact: Double) -> Int {
    Int(max(1, min(1_440, (exact + 0.5).rounded(.down))))
  }

  /// An interval in whole minutes, brought to a part of a day.
  private static func partOfDay(minutes exact: Double) -> Int {
    let minutes = wholeMinutes(exact)
    if 1_440 % minutes == 0 { return minutes }
    var best = 5
    for candidate in stride(from: 5, through: 1_440, by: 5)
    where 1_440 % candidate == 0 && abs(candidate - minutes) < abs(best - minutes) {
      best = candidate
    }
    return best
  }
}
