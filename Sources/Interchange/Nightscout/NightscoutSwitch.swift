internal import Quantities
internal import StructuredText

/// A switch to another profile, or to a part of one or one that is shifted in time, for good or for
/// a while.
///
/// AndroidAPS writes the profile as it stands, with what is made of it beside: the basal is so many
/// percent of the profile's, and is read so many whole hours earlier. Source:
/// `nightscout/AndroidAPS`, `ProfileSwitchExtension.kt` and `BlockExtension.kt`.
struct NightscoutSwitch {
  /// What holds from the switch on.
  private(set) var profile: NightscoutProfile
  /// When what held before holds again; `nil` for a switch for good.
  private(set) var end: Instant?
  /// Whether its profile is one of those that are stored, and not written with it.
  private var isNamed = false

  /// Reads a switch that has its profile with it; reports what is wrong, and is nothing then.
  init?(_ treatment: JSONField, at instant: Instant, _ zones: (String) -> WallClock?) {
    let field = treatment["profileJson"]
    let problems = ProblemList(limit: 4)
    // Of a text inside a text no place can be told.
    let inner =
      field.node?.string.map { JSONReader.read(text: $0, file: "profileJson") }
      .map { (root: $0.root, problem: $0.problems.first) } ?? (root: field.node, problem: nil)
    guard let root = inner.root,
      let read = NightscoutProfile(
        schedulesOf: JSONField(root, problems: problems), from: instant, zones)
    else {
      let problem = inner.problem ?? problems.problems.first
      field.error("The profile of the switch cannot be read: \(problem?.sentence ?? "it is none")")
      return nil
    }
    self.init(to: read, Change(treatment, at: instant))
  }

  /// A switch to a stored profile that is changed so.
  init(toNamed profile: NightscoutProfile, _ change: Change) {
    self.init(to: profile, change)
    isNamed = true
  }

  /// What a document stores, from when it holds.
  private init(to stored: NightscoutProfile) {
    profile = stored
    end = nil
  }

  /// A switch to a profile that is changed so.
  private init(to profile: NightscoutProfile, _ change: Change) {
    self.profile = profile
    self.profile.start = change.start
    self.profile.basal = Self.shifted(profile.basal, byHours: change.hours).mapValues {
      $0 * change.percent / 100
    }
    end = change.span > .zero ? change.start + change.span : nil
  }

  /// When a switch is, for how long, and what it makes of its profile.
  struct Change {
    var start: Instant
    /// Zero for a switch for good.
    var span: TimeSpan
    var percent: Double
    /// How many hours later the entries come.
    var hours: Int64

    init(_ treatment: JSONField, at instant: Instant) {
      start = instant
      percent = treatment["percentage"].looseNumber(in: 1...1_000, unit: "%") ?? 100
      hours = NightscoutSwitch.hours(treatment)
      span = NightscoutSwitch.span(treatment)
    }
  }

  /// How many whole hours later the entries come: in milliseconds, and in hours by old versions.
  private static func hours(_ treatment: JSONField) -> Int64 {
    let field = treatment["timeshift"].exists ? treatment["timeshift"] : treatment["timeShift"]
    let shift = Int64(field.looseNumber(in: -86_400_000...86_400_000, unit: "ms") ?? 0)
    return (-24...24).contains(shift) ? shift : shift / 3_600_000
  }

  private static func span(_ treatment: JSONField) -> TimeSpan {
    let exact = treatment["originalDuration"]
    if exact.exists, let milliseconds = exact.looseNumber(in: 0...31_536_000_000, unit: "ms") {
      return .milliseconds(Int64(milliseconds))
    }
    return NightscoutTemp.duration(treatment) ?? .zero
  }

  private static func shifted(
    _ schedule: DailySchedule<Double>, byHours hours: Int64
  ) -> DailySchedule<Double> {
    let day: Int64 = 86_400_000
    let shift = ((hours * 3_600_000) % day + day) % day
    guard shift > 0 else { return schedule }
    var entries = schedule.entries.map { entry in
      DailySchedule<Double>.Entry(
        start: TimeOfDay(milliseconds: (entry.start.milliseconds + shift) % day),
        value: entry.value)
    }
    entries.sort { $0.start < $1.start }
    if let first = entries.first, first.start != .midnight, let last = entries.last {
      entries.insert(.init(start: .midnight, value: last.value), at: 0)
    }
    return (try? DailySchedule(entries)) ?? schedule
  }

  /// The switch by the clock of the profile that is stored then, where that shows the same time.
  ///
  /// AndroidAPS knows of a switch how far its clock was from UTC, and names any zone of which that
  /// is so when it writes, as `Africa/Algiers` in Berlin's winter; its stored profiles name the
  /// zone of the phone (`ProfileSealed.kt`, `toPureNsJson`; `DateUtilImpl.kt`, `timeZoneByOffset`).
  ///
  /// - Parameter stored: The stored profiles that name their zone, in the order of time.
  /// - Returns: The switch, as it is where the clocks differ.
  func onClock(of stored: [NightscoutProfile]) -> NightscoutSwitch {
    let start = profile.start
    let place = stored.partitioningIndex { $0.start > start }
    guard let own = place > 0 ? stored[place - 1] : stored.first,
      own.clock.offset(at: start) == profile.clock.offset(at: start)
    else { return self }
    var moved = self
    (moved.profile.clock, moved.profile.timeZone) = (own.clock, own.timeZone)
    return moved
  }

  /// The profiles that held, by switches and by what was stored before the first of them.
  ///
  /// A profile that is stored later is only there to be switched to; where stored ones were
  /// switched to for a while alone, what is stored holds when that is over.
  static func held(
    _ stored: [NightscoutProfile], _ switches: [NightscoutSwitch]
  ) -> [NightscoutProfile] {
    let switches = switches.sorted { $0.profile.start < $1.profile.start }
    guard !switches.isEmpty else { return stored }
    let times = NightscoutSwitchTimes(switches.map { ($0.profile.start, $0.end) })
    let until = switches.first { $0.end == nil || !$0.isNamed }?.profile.start
    let documents = stored.sorted { $0.start < $1.start }.map { document in
      var document = document
      document.start = times.free(from: document.start)
      return NightscoutSwitch(to: document)
    }.filter { document in until.map { document.profile.start < $0 } ?? true }
    let all = (documents + switches).sorted { $0.profile.start < $1.profile.start }
    var held: [NightscoutProfile] = []
    // What may hold again, that which began last at the end.
    var open: [NightscoutSwitch] = []
    for (index, one) in all.enumerated() {
      held.append(one.profile)
      if one.end == nil { open.removeAll(keepingCapacity: true) }
      open.append(one)
      let next = index + 1 < all.count ? all[index + 1].profile.start : nil
      var over = one.end
      while let end = over, next.map({ end < $0 }) ?? true {
        while let last = open.last, !last.holds(after: end) { open.removeLast() }
        guard let again = open.last else { break }
        var back = again.profile
        back.start = end
        held.append(back)
        over = again.end
      }
    }
    return held
  }

  /// Whether it holds again where a later switch for a while is over: one for good, and one for a
  /// while that goes on for longer.
  ///
  /// Of AndroidAPS that counts which began last (`AppRepository.kt`, `getActiveProfileSwitch`);
  /// Nightscout ends one for a while, whose profile is stored, with the next switch
  /// (`nightscout/cgm-remote-monitor`, `lib/data/ddata.js`, `processDurations`).
  private func holds(after end: Instant) -> Bool {
    self.end.map { $0 > end && !isNamed } ?? true
  }
}

/// When switches are, for good and for a while.
struct NightscoutSwitchTimes {
  /// The end is `nil` for a switch for good.
  private let times: [(start: Instant, end: Instant?)]

  /// Begins with when each switch is, in any order.
  init(_ times: [(start: Instant, end: Instant?)]) {
    self.times = times.sorted { $0.start < $1.start }
  }

  /// The first switch for good after an instant; `nil` where there is none.
  func lasting(after instant: Instant) -> Instant? {
    times.first { $0.start > instant && $0.end == nil }?.start
  }

  /// From when on no switch for a while holds, at an instant or later.
  func free(from instant: Instant) -> Instant {
    var free = instant
    while true {
      let next = times.partitioningIndex { $0.start > free }
      guard next > 0, let end = times[next - 1].end, free < end else { return free }
      free = next < times.count ? min(end, times[next].start) : end
    }
  }
}
