internal import Dosing
public import Quantities

/// A temporary preset: another correction range, other insulin needs, or both, for a while.
///
/// With needs of factor k basal rates are multiplied by k, and ISF and carb ratio divided by it
/// (Loop, `TemporaryScheduleOverride`). Past presets are kept, so that what was in force stays
/// known.
public struct TherapyOverride: Sendable, Hashable {
  /// What the preset is called.
  public var name: String
  /// The correction range while the preset holds; nothing leaves the schedule's.
  public var targets: GlucoseRange?
  /// The insulin needs relative to usual ones; 1 changes nothing.
  public var insulinNeeds: Double
  /// When it begins.
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
}

/// A preset as it was when it was started, ended or changed.
public struct OverrideChange: Sendable, Hashable {
  /// The preset.
  public var override: TherapyOverride
  /// Rises with every change; a remote service asks for the changes above its last.
  public var modificationCounter: Int64
}

/// The presets of a person, earliest first; at most one holds at a time.
package struct PresetHistory: Sendable, Equatable {
  package private(set) var presets: [TherapyOverride] = []
  /// What was started and ended, in this order.
  private(set) var changes: [OverrideChange] = []
  /// The modification counter of the last change.
  private(set) var counter: Int64 = 0
  /// The same as the algorithm's rules take them.
  private(set) var overrides = OverrideHistory()

  /// Starts a preset; one that still holds ends there.
  mutating func start(_ preset: TherapyOverride) {
    end(at: preset.start)
    presets.removeAll { $0.start >= preset.start }
    assert(preset.insulinNeeds > 0, "A preset leaves some need of insulin.")
    assert(
      presets.last.map { $0.start < preset.start } ?? true, "Presets are kept in the order of time."
    )
    presets.append(preset)
    note(preset)
    refresh()
  }

  /// Ends what holds at an instant.
  mutating func end(at instant: Instant) {
    for index in presets.indices where presets[index].holds(at: instant) {
      presets[index].end = instant
      note(presets[index])
    }
    presets.removeAll { $0.end == $0.start }
    refresh()
  }

  /// Ends the pre-meal range if it holds.
  mutating func endPreMeal(at instant: Instant) {
    if active(at: instant)?.isPreMeal == true { end(at: instant) }
  }

  /// The preset that holds at an instant.
  package func active(at instant: Instant) -> TherapyOverride? {
    presets.last { $0.holds(at: instant) }
  }

  /// Whether insulin needs differ from usual somewhere in a stretch of time.
  func changesNeeds(from start: Instant, to end: Instant) -> Bool {
    presets.changeNeeds(from: start, to: end)
  }

  /// What happened to presets since a modification counter, in the order of the changes.
  package func changes(after counter: Int64, limit: Int = .max) -> [OverrideChange] {
    Array(changes.lazy.filter { $0.modificationCounter > counter }.prefix(limit))
  }

  mutating func forget(before instant: Instant) {
    guard let first = presets.first?.end, first < instant else { return }
    presets.removeAll { preset in preset.end.map { $0 < instant } ?? false }
    changes.removeAll { change in change.override.end.map { $0 < instant } ?? false }
    refresh()
  }

  private mutating func note(_ preset: TherapyOverride) {
    counter += 1
    changes.append(OverrideChange(override: preset, modificationCounter: counter))
  }

  private mutating func refresh() {
    overrides = OverrideHistory(
      presets.map {
        TemporaryOverride(
          targetRange: $0.targets, insulinNeedsFactor: $0.insulinNeeds, start: $0.start,
          end: $0.end)
      })
  }
}

extension Timeline where Value: Equatable {
  /// The timeline with neighbours of the same value joined.
  public var merged: Timeline<Value> {
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

extension [TherapyOverride] {
  /// Whether they make insulin needs differ from usual somewhere in a stretch of time.
  func changeNeeds(from start: Instant, to end: Instant) -> Bool {
    contains { preset in
      preset.insulinNeeds != 1 && preset.start < end
        && preset.end.map { start < $0 } ?? true
    }
  }
}
