public import Quantities

/// A temporary preset: another correction range, other insulin needs, or both, for a while.
///
/// With needs of factor k basal rates are multiplied by k, and ISF and carb ratio divided by it (Loop,
/// `TemporaryScheduleOverride`). Past overrides are kept, so that what was in force stays known.
public struct TherapyOverride: Sendable, Hashable {
  public var name: String
  /// The correction range while the preset holds; nothing leaves the schedule's.
  public var targets: GlucoseRange?
  /// The insulin needs relative to usual ones; 1 changes nothing.
  public var insulinNeeds: Double
  public var start: Instant
  /// The end; nothing while the preset holds until it is ended.
  public var end: Instant?
  /// Whether this is the pre-meal range, which ends when carbohydrates are saved.
  public var isPreMeal: Bool

  /// Creates a preset; a factor that is not a positive finite number changes nothing.
  public init(
    name: String, targets: GlucoseRange? = nil, insulinNeeds: Double = 1, from start: Instant,
    until end: Instant? = nil, isPreMeal: Bool = false
  ) {
    self.name = name
    self.targets = targets
    self.insulinNeeds = insulinNeeds.isFinite && insulinNeeds > 0 ? insulinNeeds : 1
    self.start = start
    self.end = end
    self.isPreMeal = isPreMeal
  }

  /// Whether the preset holds at an instant.
  public func holds(at instant: Instant) -> Bool {
    start <= instant && end.map { instant < $0 } ?? true
  }

  /// Whether the preset overlaps a stretch of time.
  func overlaps(from start: Instant, to end: Instant) -> Bool {
    self.start < end && self.end.map { start < $0 } ?? true
  }
}

/// The presets of a person, earliest first; at most one holds at a time.
struct OverrideHistory: Sendable, Equatable {
  private(set) var overrides: [TherapyOverride] = []

  /// Starts a preset; one that still holds ends there.
  mutating func start(_ override: TherapyOverride) {
    end(at: override.start)
    overrides.removeAll { $0.start >= override.start }
    overrides.append(override)
  }

  /// Ends what holds at an instant.
  mutating func end(at instant: Instant) {
    for index in overrides.indices where overrides[index].holds(at: instant) {
      overrides[index].end = instant
    }
    overrides.removeAll { $0.end == $0.start }
  }

  /// Ends the pre-meal range if it holds.
  mutating func endPreMeal(at instant: Instant) {
    if active(at: instant)?.isPreMeal == true { end(at: instant) }
  }

  func active(at instant: Instant) -> TherapyOverride? {
    overrides.last { $0.holds(at: instant) }
  }

  /// Whether insulin needs differ from usual somewhere in a stretch of time.
  func changesNeeds(from start: Instant, to end: Instant) -> Bool {
    overrides.contains { $0.insulinNeeds != 1 && $0.overlaps(from: start, to: end) }
  }

  mutating func forget(before instant: Instant) {
    overrides.removeAll { override in override.end.map { $0 < instant } ?? false }
  }

  /// Cuts a timeline at the presets, and changes the values where one holds.
  func applied(
    to timeline: Timeline<Double>, _ change: (Double, _ needs: Double) -> Double
  ) -> Timeline<Double> {
    guard let first = timeline.segments.first, let last = timeline.segments.last,
      changesNeeds(from: first.start, to: last.end)
    else { return timeline }
    var segments: [Timeline<Double>.Segment] = []
    for segment in timeline.segments {
      var cursor = segment.start
      for override in overrides where override.overlaps(from: cursor, to: segment.end) {
        let start = max(override.start, cursor)
        let end = min(override.end ?? segment.end, segment.end)
        if cursor < start {
          segments.append(.init(start: cursor, end: start, value: segment.value))
        }
        guard start < end else { continue }
        segments.append(
          .init(start: start, end: end, value: change(segment.value, override.insulinNeeds)))
        cursor = end
      }
      if cursor < segment.end {
        segments.append(.init(start: cursor, end: segment.end, value: segment.value))
      }
    }
    return Timeline(segments: segments)
  }

  /// The correction ranges with the first preset that still holds.
  ///
  /// Its range holds to the end of the whole timeline, past its own end: the forecast assumes that it
  /// continues.
  func applied(to targets: Timeline<GlucoseRange>, at now: Instant) -> Timeline<GlucoseRange> {
    guard let last = targets.segments.last,
      let override = overrides.first(where: {
        ($0.end.map { now < $0 } ?? true) && $0.start < last.end
      }), let range = override.targets
    else { return targets }
    var segments: [Timeline<GlucoseRange>.Segment] = []
    for segment in targets.segments where segment.start < override.start {
      segments.append(
        .init(
          start: segment.start, end: min(segment.end, override.start), value: segment.value))
    }
    let start = segments.last?.end ?? targets.segments.first?.start ?? last.end
    if start < last.end { segments.append(.init(start: start, end: last.end, value: range)) }
    return Timeline(segments: segments)
  }
}

extension Timeline where Value: Equatable {
  /// The timeline with neighbours of the same value joined.
  var merged: Timeline<Value> {
    var joined: [Segment] = []
    for segment in segments {
      if joined.last?.value == segment.value {
        joined[joined.count - 1].end = segment.end
      } else {
        joined.append(segment)
      }
    }
    return Timeline(segments: joined)
  }
}
