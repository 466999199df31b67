public import Quantities

/// A temporary change of settings: a preset such as exercise, or a pre-meal range.
///
/// Source: LoopKit/LoopKit, `TemporaryScheduleOverride.swift` and
/// `TemporaryScheduleOverrideSettings.swift`.
public struct TemporaryOverride: Hashable, Sendable {
  /// The correction range while it lasts, where it has one.
  public var targetRange: GlucoseRange?
  /// How much insulin is needed while it lasts, where it says so; 1 is as usual.
  public var insulinNeedsFactor: Double?
  /// When it begins.
  public var start: Instant
  /// When it ends, or ended early; nothing while it lasts indefinitely.
  public var end: Instant?

  /// Creates a `TemporaryOverride` from its parts; see the properties.
  public init(
    targetRange: GlucoseRange? = nil, insulinNeedsFactor: Double? = nil, start: Instant,
    end: Instant? = nil
  ) {
    self.targetRange = targetRange
    self.insulinNeedsFactor = insulinNeedsFactor
    self.start = start
    self.end = end
  }

  /// Whether it is in force; from its start, up to but not including its end.
  public func isActive(at now: Instant) -> Bool { start <= now && (end.map { now < $0 } ?? true) }

  /// Whether it changes basal rates, and so makes them differ from the pump's own schedule.
  public var changesBasalRates: Bool { insulinNeedsFactor.map { $0 != 1 } ?? false }
}

/// The overrides there have been, and what they make of the settings.
///
/// Past overrides stay, so that past rates and ratios are those in force then.
public struct OverrideHistory: Hashable, Sendable {
  /// Earliest first; each ends before the next one starts.
  public private(set) var overrides: [TemporaryOverride]

  /// Creates a history from overrides in any order; one that is still on when the next starts ends
  /// there.
  public init(_ overrides: [TemporaryOverride] = []) {
    var ordered = overrides.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }.map(\.element)
    for index in ordered.indices.dropLast() {
      let next = ordered[index + 1].start
      ordered[index].end = min(ordered[index].end ?? next, next)
    }
    self.overrides = ordered
  }

  /// The override in force at an instant.
  public func active(at now: Instant) -> TemporaryOverride? {
    overrides.last { $0.isActive(at: now) }
  }

  /// Whether the pump's own basal schedule holds at an instant: no override is active, or, in the
  /// older app, none that changes basal rates.
  public func neutralMatchesPump(at now: Instant, _ generation: LoopGeneration = .current) -> Bool {
    guard let active = active(at: now) else { return true }
    return generation == .older && !active.changesBasalRates
  }

  /// Basal rates, multiplied by the insulin needs factor.
  public func applied(toBasal entries: [AlgorithmInput.ScheduleEntry])
    -> [AlgorithmInput.ScheduleEntry]
  {
    applied(entries) { $0 * $1 }
  }

  /// Insulin sensitivity, divided by the insulin needs factor.
  public func applied(toSensitivity entries: [AlgorithmInput.ScheduleEntry])
    -> [AlgorithmInput.ScheduleEntry]
  {
    applied(entries) { $0 / $1 }
  }

  /// Carbohydrate ratios, divided by the insulin needs factor: its documented meaning.
  public func applied(toCarbRatio entries: [AlgorithmInput.ScheduleEntry])
    -> [AlgorithmInput.ScheduleEntry]
  {
    applied(entries) { $0 / $1 }
  }

  /// Correction ranges: the first override not yet over replaces them from its start to the end of
  /// the whole timeline, for the prediction assumes that it goes on.
  public func applied(toTarget entries: [AlgorithmInput.TargetEntry], at now: Instant)
    -> [AlgorithmInput.TargetEntry]
  {
    guard let end = entries.last?.endDate else { return entries }
    let first = overrides.first { ($0.end.map { $0 > now } ?? true) && $0.start < end }
    guard let first, let range = first.targetRange else { return entries }
    return replaced(entries, by: range, from: first.start)
  }

  private func replaced(
    _ entries: [AlgorithmInput.TargetEntry], by range: GlucoseRange, from start: Instant
  ) -> [AlgorithmInput.TargetEntry] {
    entries.flatMap { entry -> [AlgorithmInput.TargetEntry] in
      var changed = entry
      changed.startDate = max(entry.startDate, start)
      changed.lowerBound = range.lower
      changed.upperBound = range.upper
      guard start > entry.startDate else { return [changed] }
      var kept = entry
      kept.endDate = min(entry.endDate, start)
      return start < entry.endDate ? [kept, changed] : [kept]
    }
  }

  /// Cuts entries where overrides begin and end, and changes the values within them.
  private func applied(
    _ entries: [AlgorithmInput.ScheduleEntry], _ change: (Double, Double) -> Double
  ) -> [AlgorithmInput.ScheduleEntry] {
    let scaled = overrides.filter { $0.changesBasalRates }
    guard !scaled.isEmpty else { return entries }
    var result: [AlgorithmInput.ScheduleEntry] = []
    for entry in entries {
      var from = entry.startDate
      for override in scaled {
        guard let factor = override.insulinNeedsFactor else { continue }
        let start = max(from, override.start)
        let end = min(entry.endDate, override.end ?? entry.endDate)
        guard start < end else { continue }
        if from < start {
          result.append(.init(startDate: from, endDate: start, value: entry.value))
        }
        result.append(.init(startDate: start, endDate: end, value: change(entry.value, factor)))
        from = end
      }
      if from < entry.endDate || entry.startDate == entry.endDate {
        result.append(.init(startDate: from, endDate: entry.endDate, value: entry.value))
      }
    }
    return result
  }
}
