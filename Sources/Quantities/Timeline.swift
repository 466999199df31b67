/// Values that hold over stretches of absolute time, one after the other without a gap.
public struct Timeline<Value: Sendable>: Sendable {
  /// A stretch of time over which one value holds: from `start`, up to but not including `end`.
  public struct Segment: Sendable {
    /// The first instant at which the value holds.
    public var start: Instant

    /// The first instant at which it no longer holds.
    public var end: Instant

    /// The value.
    public var value: Value

    /// Creates a segment.
    public init(start: Instant, end: Instant, value: Value) {
      self.start = start
      self.end = end
      self.value = value
    }

    /// How long the value holds.
    public var duration: TimeSpan { end - start }
  }

  /// The segments, earliest first.
  public let segments: [Segment]

  /// Creates a timeline.
  ///
  /// - Precondition: Each segment ends where the next one starts, and none is empty.
  // Inlinable, and with an index: a loop over `enumerated()` in another module's generic code took
  // an eighth of a closed-loop day.
  @inlinable
  public init(segments: [Segment]) {
    var index = 0
    while index < segments.count {
      precondition(segments[index].start < segments[index].end, "A segment ends after it starts.")
      precondition(
        index == 0 || segments[index - 1].end == segments[index].start,
        "A segment starts where the one before it ends.")
      index += 1
    }
    self.segments = segments
  }

  /// The segment that contains an instant; nothing outside the timeline.
  public func segment(at instant: Instant) -> Segment? {
    let index = indexOfFirstSegment(endingAfter: instant)
    guard index < segments.count, segments[index].start <= instant else { return nil }
    return segments[index]
  }

  /// The value that holds at an instant; nothing outside the timeline.
  public func value(at instant: Instant) -> Value? { segment(at: instant)?.value }

  /// The parts of the segments that lie within a stretch of time.
  // Inlinable as well: the totals of a run ask for every one of its basal segments.
  @inlinable
  public func segments(from start: Instant, to end: Instant) -> [Segment] {
    var result: [Segment] = []
    var index = indexOfFirstSegment(endingAfter: start)
    while index < segments.count, segments[index].start < end {
      let segment = segments[index]
      let part = Segment(
        start: max(start, segment.start), end: min(end, segment.end), value: segment.value)
      if part.start < part.end { result.append(part) }
      index += 1
    }
    assert(result.count <= segments.count, "A part has no more segments than the whole.")
    return result
  }

  @inlinable
  func indexOfFirstSegment(endingAfter instant: Instant) -> Int {
    segments.partitioningIndex { $0.end > instant }
  }
}

extension Timeline.Segment: Equatable where Value: Equatable {}
extension Timeline.Segment: Hashable where Value: Hashable {}
extension Timeline: Equatable where Value: Equatable {}
extension Timeline: Hashable where Value: Hashable {}
