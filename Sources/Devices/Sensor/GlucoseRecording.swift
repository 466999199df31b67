public import Quantities

/// Readings that were recorded, to be shown again at their own times.
public struct GlucoseRecording: Hashable, Sendable {
  /// One reading.
  public struct Point: Hashable, Sendable {
    /// When it was shown.
    public var instant: Instant
    /// What was shown.
    public var glucose: GlucoseConcentration

    /// Creates a `Point` from its parts; see the properties.
    public init(instant: Instant, glucose: GlucoseConcentration) {
      self.instant = instant
      self.glucose = glucose
    }
  }

  /// The readings, earliest first, at most one at an instant.
  public let points: [Point]

  /// Creates a recording; of several readings at one instant the first counts.
  public init(_ points: [Point]) {
    var kept: [Point] = []
    for point in points.sorted(by: { $0.instant < $1.instant })
    where kept.last?.instant != point.instant { kept.append(point) }
    self.points = kept
  }

  /// The reading at exactly this instant.
  public func value(at instant: Instant) -> GlucoseConcentration? {
    let place = firstIndex(after: instant) - 1
    guard place >= 0, points[place].instant == instant else { return nil }
    return points[place].glucose
  }

  /// The time of the next reading.
  public func next(after instant: Instant) -> Instant? {
    let place = firstIndex(after: instant)
    return place < points.count ? points[place].instant : nil
  }

  private func firstIndex(after instant: Instant) -> Int {
    points.partitioningIndex { $0.instant > instant }
  }
}
