internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// The faults of a run: those in force, and when each was.
///
/// What they make of the world is computed from the list alone. Nothing remembers what was before a
/// fault, so that faults may overlap in any order.
struct FaultState: Sendable {
  /// One fault, from its beginning to its end.
  struct Episode: Sendable {
    var fault: Fault
    var start: Instant
    /// `nil` while the fault is in force.
    var end: Instant?
    /// When the app worked with a setting of it that was other than was programmed.
    var wrongSettings = OpenStretches()
    /// When app and pump went by two basal schedules because of it.
    var separateSchedules = OpenStretches()
  }

  /// The faults in force, in the order in which they began.
  private(set) var active: [Fault] = [] {
    didSet { lasting = active.filter(\.effect.isAskedForInEachCycle) }
  }
  /// Those of them that are asked for in each cycle: what is over at once stays in force to the end
  /// of the run, and is not looked at again.
  private var lasting: [Fault] = []
  /// All faults that have begun, in that order.
  private(set) var episodes: [Episode] = []
  /// The places in `episodes` of the faults in force, by id, the earliest first.
  private var open: [String: [Int]] = [:]
  /// The places in `episodes` of faults that set something, until they set it no more.
  private var setting: [Int] = []

  /// Whether a fault sets something, or has left it in the app.
  var setSomething: Bool { !setting.isEmpty }

  mutating func begin(_ fault: Fault, at instant: Instant) {
    active.append(fault)
    open[fault.id, default: []].append(episodes.count)
    if fault.effect.setsSomething { setting.append(episodes.count) }
    episodes.append(Episode(fault: fault, start: instant))
  }

  /// Looks at what faults set, which another fault or a person may have set otherwise since.
  ///
  /// - Parameters:
  ///   - now: When that is.
  ///   - isWrong: Whether the app has a setting of an effect that is other than was programmed.
  ///   - separates: Whether an effect makes app and pump go by two basal schedules.
  mutating func noteSettings(
    at now: Instant, isWrong: (Fault.Effect) -> Bool, separates: (Fault.Effect) -> Bool
  ) {
    for place in setting {
      let effect = episodes[place].fault.effect
      let holds = episodes[place].end == nil || effect.isImport
      episodes[place].wrongSettings.note(holds && isWrong(effect), at: now)
      episodes[place].separateSchedules.note(holds && separates(effect), at: now)
    }
    setting.removeAll { episodes[$0].end != nil && !episodes[$0].fault.effect.isImport }
  }

  /// Ends the earliest fault in force of an id.
  ///
  /// - Returns: The fault; `nil` if there is none.
  mutating func end(id: String, at instant: Instant) -> Fault? {
    guard let index = active.firstIndex(where: { $0.id == id }) else { return nil }
    if let place = open[id]?.first {
      assert(episodes[place].fault.id == id, "A fault has its own episode.")
      assert(episodes[place].end == nil, "A fault in force has an episode that has not ended.")
      assert(episodes[place].start <= instant, "A fault ends after it begins.")
      episodes[place].end = instant
      open[id]?.removeFirst()
    }
    return active.remove(at: index)
  }

  /// Counts a cycle that was skipped, for every fault that skips a number of them.
  ///
  /// - Returns: The ids of those for which it was the last.
  mutating func countSkippedCycle() -> [String] {
    var over: [String] = []
    for index in active.indices {
      guard case .app(.skipLoops(let count?)) = active[index].effect else { continue }
      assert(count > 0, "A fault that has skipped its cycles is over.")
      active[index].effect = .app(.skipLoops(count: count - 1))
      if count <= 1 { over.append(active[index].id) }
    }
    return over
  }

  /// The names of the faults that hold at an instant, in the order in which they began: what is
  /// over at once is there at its moment alone.
  func names(at now: Instant, period: TimeSpan) -> [String] {
    windows(last: now, period: period).enumerated().filter { place, window in
      episodes[place].end == nil && window.told.upperBound >= now
    }.map(\.element.id)
  }

  /// When each fault held, in the order in which they began.
  ///
  /// - Parameters:
  ///   - last: The last instant of the run.
  ///   - period: The time between two readings of the sensor.
  /// - Returns: The windows of the faults.
  func windows(last: Instant, period: TimeSpan) -> [FaultWindow] {
    episodes.map { episode in
      var window = FaultWindow(episode, last: last)
      window.ownLength = episode.fault.effect.ownLength(period: period)
      return window
    }
  }
}

extension FaultWindow {
  /// The window of a fault; one that is still in force lasts to the last instant.
  init(_ episode: FaultState.Episode, last: Instant) {
    assert(episode.end.map { $0 >= episode.start } ?? true, "A fault ends after it begins.")
    let end = max(episode.end ?? last, episode.start)
    self.init(id: episode.fault.id, span: episode.start..<end)
    if case .user(let fault) = episode.fault.effect {
      slip = fault.sentence(at: episode.start, end: last)
    }
    wrongInApp = episode.fault.effect.wrongInApp
    wrongInApp?.note(stretches: episode.wrongSettings.all(until: last), in: span)
    changesReadings = episode.fault.effect.changesReadings
  }
}

extension Fault.Effect {
  /// Whether it sets something in the app or in the pump.
  fileprivate var setsSomething: Bool {
    switch self {
    case .app(.wrongSetting), .wrongPump: true
    default: false
    }
  }

  /// Whether it brings a setting into the app that stays there.
  fileprivate var isImport: Bool {
    if case .app(.wrongSetting(_, from: .import)) = self { true } else { false }
  }

  /// Whether the sensor shows other glucose because of the fault.
  fileprivate var changesReadings: Bool {
    guard case .sensor(let fault) = self else { return false }
    return switch fault {
    case .noise, .bias, .drift, .compression, .spike, .stuck, .saturate, .timestamp: true
    case .dropout, .delay, .warmUp, .expire, .fail, .unreliable: false
    }
  }

  /// How long the fault lasts by itself; `nil` for what lasts until it is ended.
  fileprivate func ownLength(period: TimeSpan) -> TimeSpan? {
    switch self {
    case .sensor(.spike(_, let samples)):
      // From the fault's beginning to the last of its readings.
      return TimeSpan(milliseconds: period.milliseconds * Int64(samples))
    case .sensor(.expire), .sensor(.fail), .pump(.unrequested), .pump(.airBubble), .pump(.empty),
      .pump(.clockError):
      return .zero
    case .healthStore(let fault) where fault.kind == .wipe: return .zero
    default: return nil
    }
  }
}

// MARK: - What the faults in force make of the world

extension FaultState {
  /// The worst state that a fault puts the phone in.
  var phone: PhoneState {
    lasting.reduce(.on) { worst, fault in
      if case .phone(let phone) = fault.effect { max(worst, phone) } else { worst }
    }
  }

  /// How far the phone's clock is ahead of what it was set to.
  var clockJump: TimeSpan {
    lasting.reduce(.zero) { sum, fault in
      if case .app(.clockJump(let span)) = fault.effect { sum + span } else { sum }
    }
  }

  /// Whether the pump's clock drifts.
  var driftPumpClock: Bool {
    lasting.contains {
      if case .pump(.clockDrift(let perDay)) = $0.effect { perDay != .zero } else { false }
    }
  }

  /// Whether the app is stopped by a crash.
  var stopsApp: Bool {
    lasting.contains {
      if case .app(.crash) = $0.effect { true } else { false }
    }
  }

  /// Whether only a reading of the CGM wakes the app.
  var savesPower: Bool {
    lasting.contains {
      if case .lowPower = $0.effect { true } else { false }
    }
  }

  /// Since when nothing else has woken it without a break; `nil` while other things do.
  var savesPowerSince: Instant? {
    let saving = episodes.filter {
      if case .lowPower = $0.fault.effect { true } else { false }
    }
    guard let first = saving.first(where: { $0.end == nil }) else { return nil }
    // Of faults that overlap the earlier may be over.
    return saving.reversed().reduce(first.start) { since, episode in
      (episode.end.map { $0 >= since } ?? true) ? min(since, episode.start) : since
    }
  }

  /// Whether the loop does not run in this cycle.
  var skipsLoops: Bool {
    lasting.contains {
      if case .app(.skipLoops) = $0.effect { true } else { false }
    }
  }

  /// Whether the loop runs twice in this cycle.
  var doublesRuns: Bool {
    lasting.contains {
      if case .app(.doubleRun) = $0.effect { true } else { false }
    }
  }

  /// The therapy with the wrong settings on top, the latest last.
  func wrongSettings(over therapy: TherapySettings) -> TherapySettings {
    lasting.reduce(therapy) { $1.effect.wrongSetting?.applied(to: $0) ?? $0 }
  }

  /// The basal schedule that wrong settings make the app believe in; `nil` if none does.
  var wrongBasal: DailySchedule<InsulinRate>? {
    lasting.lazy.compactMap { $0.effect.wrongSetting?.basal }.last
  }

  /// The schedule that someone else programmed; `nil` if the pump runs its own.
  ///
  /// A schedule that the pump cannot run is left out.
  func foreignSchedule(for pump: PumpProfile) -> DailySchedule<InsulinRate>? {
    lasting.lazy.compactMap { $0.effect.foreignSchedule(for: pump) }.last
  }
}

extension Fault.Effect {
  /// Whether a ``FaultState`` is asked, cycle by cycle, what the fault makes of the world.
  fileprivate var isAskedForInEachCycle: Bool {
    switch self {
    case .phone, .app, .lowPower, .wrongPump, .pump(.clockDrift): true
    case .pump, .sensor, .healthStore, .user: false
    }
  }

  /// The setting that is wrong while the fault lasts; `nil` for other faults.
  ///
  /// An imported setting is not among them: it stays when the fault is over.
  var wrongSetting: SettingsChange? {
    if case .app(.wrongSetting(let change, from: .sync)) = self { change } else { nil }
  }

  /// The schedule of another person, if the pump can run it.
  func foreignSchedule(for pump: PumpProfile) -> DailySchedule<InsulinRate>? {
    guard case .wrongPump(let schedule) = self, pump.canRun(schedule) else { return nil }
    return schedule
  }
}
