internal import Dosing
internal import LargeValues
package import Quantities

/// The therapy of the app over time: settings, schedules with their edits, and presets.
///
/// Settings are what a person saved; the basal schedule is the one the pump has acknowledged. All
/// of it is kept for Loop's 7 days.
package struct TherapyHistory: Sendable {
  private let mark = PassedByAddress()

  /// How long the app keeps what held.
  static let retention = TimeSpan.days(7)

  /// The settings that were saved, now and before.
  package private(set) var settings: SettingsStore
  /// The settings in force at the end of what was saved, as ``settings`` has them.
  // Stored as well: a cycle looks at them many times, and each look into a list copies them.
  private(set) var current: TherapySettings
  /// The basal schedule that the pump runs, with its edits.
  package private(set) var basal: ScheduleHistory<InsulinRate>
  /// Rises with every edit of ``basal``.
  private(set) var basalRevision: Int64 = 0
  /// The presets, with the one that holds.
  package private(set) var presets = PresetHistory()
  private var sensitivity: ScheduleHistory<InsulinSensitivity>
  private var carbRatio: ScheduleHistory<CarbohydrateRatio>
  private var targets: ScheduleHistory<GlucoseRange>

  init(_ therapy: TherapySettings, from start: Instant, on clock: WallClock) {
    settings = SettingsStore(therapy, at: start)
    current = therapy
    basal = ScheduleHistory(therapy.basal, from: start, on: clock)
    sensitivity = ScheduleHistory(therapy.sensitivity, from: start, on: clock)
    carbRatio = ScheduleHistory(therapy.carbRatio, from: start, on: clock)
    targets = ScheduleHistory(therapy.targets, from: start, on: clock)
  }

  // MARK: - Changing

  /// Saves settings; their basal schedule holds once the pump has it.
  mutating func save(_ therapy: TherapySettings, from now: Instant) {
    settings.store(therapy, at: now)
    current = therapy
    let clock = basal.clock
    sensitivity.replace(with: therapy.sensitivity, from: now, on: clock)
    carbRatio.replace(with: therapy.carbRatio, from: now, on: clock)
    targets.replace(with: therapy.targets, from: now, on: clock)
  }

  /// The pump has acknowledged a basal schedule.
  mutating func replaceBasal(with schedule: DailySchedule<InsulinRate>, from now: Instant) {
    basal.replace(with: schedule, from: now, on: basal.clock)
    basalRevision += 1
  }

  /// The schedules follow another clock from an instant on: that to which the pump's was set, so
  /// that both go on to an entry at the same time (Loop, `DeviceDataManager.swift`,
  /// `setScheduleTimeZone(_:)`).
  mutating func follow(_ clock: WallClock, from now: Instant) {
    basal.replace(with: basal.latest, from: now, on: clock)
    basalRevision += 1
    sensitivity.replace(with: sensitivity.latest, from: now, on: clock)
    carbRatio.replace(with: carbRatio.latest, from: now, on: clock)
    targets.replace(with: targets.latest, from: now, on: clock)
  }

  /// Starts a preset in place of the one that holds.
  mutating func start(_ preset: TherapyOverride) { presets.start(preset) }

  /// Ends the preset that holds.
  mutating func endPreset(at now: Instant) { presets.end(at: now) }

  /// Ends the pre-meal range if it holds.
  mutating func endPreMeal(at now: Instant) { presets.endPreMeal(at: now) }

  /// Forgets what no longer held a while before an instant; of the basal schedule nothing from the
  /// instant on up to which basal has been reported.
  ///
  /// A suspension of more than a week is reported when it ends, against the schedule that held.
  mutating func purge(at now: Instant, reportedUntil reported: Instant) {
    let horizon = now - Self.retention
    settings.purge(before: horizon)
    basal.forget(before: min(horizon, reported))
    sensitivity.forget(before: horizon)
    carbRatio.forget(before: horizon)
    targets.forget(before: horizon)
    presets.forget(before: horizon)
  }

  // MARK: - What holds

  /// The correction range of the settings at an instant, whatever preset holds.
  func target(at instant: Instant) -> GlucoseRange { targets.value(at: instant) }

  /// The next instant at which a segment of scheduled basal ends by itself: an entry of the
  /// schedule or midnight of its clock.
  package func nextScheduledTrigger(after instant: Instant) -> Instant? {
    basal.timeline(from: instant, to: instant + .days(2)).segments.first?.end
  }

  /// The scheduled basal rate after presets, in U/h.
  func neutralRate(at instant: Instant) -> Double {
    basal.value(at: instant).unitsPerHour * (presets.active(at: instant)?.insulinNeeds ?? 1)
  }

  /// The ISF after presets at an instant, in mg/dL per U.
  func sensitivity(at instant: Instant) -> Double? {
    var entries: [AlgorithmInput.ScheduleEntry] = []
    listSensitivity(from: instant, to: instant + .seconds(1), into: &entries)
    return entries.first?.value
  }

  /// The carbohydrate ratio after presets at an instant, in g/U.
  func carbRatio(at instant: Instant) -> Double? {
    var entries: [AlgorithmInput.ScheduleEntry] = []
    listCarbRatio(from: instant, to: instant + .seconds(1), into: &entries)
    return entries.first?.value
  }

  /// Whether a dose makes a difference to insulin on board: scheduled basal does only where a
  /// preset makes the usual schedule something else than the neutral one.
  func counts(_ dose: DoseEntry) -> Bool {
    dose.kind != .basal || presets.changesNeeds(from: dose.start, to: dose.end)
  }

  // MARK: - As the algorithm takes it

  /// The basal rate that holds from an instant through another where one holds always, as
  /// ``basalEntries(from:through:)`` lists it.
  func onlyBasalEntry(
    from start: Instant, through end: Instant
  ) -> AlgorithmInput.ScheduleEntry? {
    onlyBasalEntry(from: start, to: end + .milliseconds(1))
  }

  private func onlyBasalEntry(
    from start: Instant, to end: Instant
  ) -> AlgorithmInput.ScheduleEntry? {
    guard let rate = basal.constant, start < end, presets.presets.isEmpty else { return nil }
    return .init(startDate: start, endDate: end, value: rate.unitsPerHour)
  }

  /// The basal rates between two instants, and the rate in force at the last one.
  ///
  /// The algorithm takes the rate that began last as the scheduled one. An entry of the schedule or
  /// a preset that begins at the instant of a cycle is in force for it, as the pump runs it.
  func basalEntries(from start: Instant, through end: Instant) -> [AlgorithmInput.ScheduleEntry] {
    basalEntries(from: start, to: end + .milliseconds(1))
  }

  /// The basal rates between two instants, after presets.
  private func basalEntries(
    from start: Instant, to end: Instant
  ) -> [AlgorithmInput.ScheduleEntry] {
    if let entry = onlyBasalEntry(from: start, to: end) { return [entry] }
    let timeline = basal.timeline(from: start, to: end).merged
    return presets.overrides.applied(toBasal: .init(timeline, number: \.unitsPerHour))
  }

  /// The basal rates between two instants, after presets, as a timeline in U/h: what net insulin on
  /// board is counted against.
  package func referenceBasal(from start: Instant, to end: Instant) -> Timeline<Double> {
    Timeline(
      segments: basalEntries(from: start, to: end).map {
        .init(start: $0.startDate, end: $0.endDate, value: $0.value)
      })
  }

  /// Lists the basal rates of ``basalEntries(from:through:)`` in place.
  func listBasal(
    from start: Instant, through end: Instant, into entries: inout [AlgorithmInput.ScheduleEntry]
  ) {
    if let entry = onlyBasalEntry(from: start, through: end) { return entries.become(entry) }
    entries = basalEntries(from: start, through: end)
  }

  /// Lists the ISF between two instants, after presets.
  func listSensitivity(
    from start: Instant, to end: Instant, into entries: inout [AlgorithmInput.ScheduleEntry]
  ) {
    if let factor = sensitivity.constant, start < end, presets.presets.isEmpty {
      return entries.become(.init(startDate: start, endDate: end, value: factor.mgdLPerUnit))
    }
    let timeline = sensitivity.timeline(from: start, to: end).merged
    entries = presets.overrides.applied(toSensitivity: .init(timeline, number: \.mgdLPerUnit))
  }

  /// Lists the carbohydrate ratios between two instants, after presets.
  func listCarbRatio(
    from start: Instant, to end: Instant, into entries: inout [AlgorithmInput.ScheduleEntry]
  ) {
    if let ratio = carbRatio.constant, start < end, presets.presets.isEmpty {
      return entries.become(.init(startDate: start, endDate: end, value: ratio.gramsPerUnit))
    }
    let timeline = carbRatio.timeline(from: start, to: end).merged
    entries = presets.overrides.applied(toCarbRatio: .init(timeline, number: \.gramsPerUnit))
  }

  /// Lists the correction ranges from an instant on, with the preset that holds then.
  func listTargets(
    from now: Instant, to end: Instant, into entries: inout [AlgorithmInput.TargetEntry]
  ) {
    if let range = targets.constant, now < end, presets.presets.isEmpty {
      return entries.become(
        .init(startDate: now, endDate: end, lowerBound: range.lower, upperBound: range.upper))
    }
    let ranges = targets.timeline(from: now, to: end).merged
    entries = presets.overrides.applied(toTarget: .init(ranges), at: now)
  }
}

extension Array {
  /// Has one element from now on, in the storage there is.
  fileprivate mutating func become(_ element: Element) {
    removeAll(keepingCapacity: true)
    append(element)
  }
}
