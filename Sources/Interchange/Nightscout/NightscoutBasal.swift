internal import HealthStore
internal import Quantities
internal import StructuredText

/// A temp basal as Nightscout has it; one without duration cancels the one before it.
struct NightscoutTemp {
  var start: Instant
  var end: Instant
  /// Units an hour.
  var rate: Double?
  /// How far the rate is above or below the schedule.
  var percent: Double?
  var isSuspend: Bool
  /// What was delivered until the end, in units.
  var amount: Double?
  var uuid: SampleUUID
}

/// The basal schedule of a profile, and from when it holds.
struct NightscoutProfile {
  var start: Instant
  var basal: DailySchedule<Double>
  var clock: WallClock

  /// Reads a profile; reports what is wrong, and is nothing then.
  init?(_ document: JSONField, _ zones: (String) -> WallClock?) {
    let name = document["defaultProfile"].text() ?? "Default"
    let profile = document["store"].required(name)
    guard let list = profile.required("basal").items() else { return nil }
    var entries: [DailySchedule<Double>.Entry] = []
    for item in list {
      guard let time = Self.time(item),
        let rate = item.required("value").looseNumber(in: 0...100, unit: "U/h")
      else { return nil }
      entries.append(.init(start: time, value: rate))
    }
    guard let schedule = try? DailySchedule(entries) else {
      profile["basal"].error("The entries of a schedule begin at 00:00 and ascend.")
      return nil
    }
    let zone = profile["timezone"].text() ?? "UTC"
    guard let clock = Self.clock(zone) ?? zones(zone) else {
      profile["timezone"].error(
        "This time zone is not known. 'UTC' is, and 'ETC/GMT+5', which is 5 hours behind UTC.")
      return nil
    }
    basal = schedule
    self.clock = clock
    let text = document["startDate"].text() ?? ""
    start = Instant(iso8601: text) ?? Instant(secondsSince1970: 0)
    if let mills = document["mills"].node {
      let number = mills.integer ?? mills.string.flatMap { Int64($0) }
      if let number { start = Instant(millisecondsSince1970: number) }
    }
  }

  private static func time(_ item: JSONField) -> TimeOfDay? {
    if let seconds = item["timeAsSeconds"].looseNumber(in: 0...86_399, unit: "s") {
      return TimeOfDay(milliseconds: Int64(seconds) * 1_000)
    }
    guard let text = item.required("time").text() else { return nil }
    if let time = TimeOfDay(text) { return time }
    item["time"].reportUnusable(expected: "a time of day such as 06:30")
    return nil
  }

  /// A fixed offset from a name; the sign of `ETC/GMT+5` is inverted, as POSIX has it.
  static func clock(_ name: String) -> WallClock? {
    let upper = name.uppercased()
    if ["UTC", "GMT", "ETC/UTC", "ETC/GMT", "Z"].contains(upper) { return .utc }
    guard upper.hasPrefix("ETC/GMT"), let hours = Int64(upper.dropFirst(7)),
      (-14...14).contains(hours)
    else { return nil }
    return WallClock(initialOffset: .hours(-hours))
  }
}

/// Basal insulin put together from temp basals and profiles.
enum NightscoutBasal {
  struct Piece {
    var start: Instant
    var end: Instant
    var rate: Double
    var scheduled: Double?
    var isTemp: Bool
    var isSuspend: Bool
    /// What was delivered, in units, where that is known; else it follows from the rate.
    var delivered: Double?
    var uuid: SampleUUID
  }

  /// The temp basals, cut where the next begins, with scheduled basal between them.
  static func pieces(_ temps: [NightscoutTemp], _ profiles: [NightscoutProfile]) -> [Piece] {
    let temps = temps.sorted { ($0.start, $0.uuid) < ($1.start, $1.uuid) }
    let profiles = profiles.sorted { $0.start < $1.start }
    var pieces: [Piece] = []
    var reached: Instant?
    for (index, temp) in temps.enumerated() {
      if let reached, reached < temp.start {
        pieces += scheduled(from: reached, to: temp.start, profiles)
      }
      let next = index + 1 < temps.count ? temps[index + 1].start : temp.end
      let end = min(temp.end, next)
      reached = max(end, reached ?? end)
      guard end > temp.start else { continue }
      pieces += split(temp, to: end, profiles)
    }
    return pieces
  }

  /// A temp basal cut where the schedule under it changes.
  private static func split(
    _ temp: NightscoutTemp, to end: Instant, _ profiles: [NightscoutProfile]
  ) -> [Piece] {
    let under = scheduled(from: temp.start, to: end, profiles)
    // What was delivered until the end says nothing of a part.
    let delivered = end == temp.end && under.count <= 1 ? temp.amount : nil
    guard !under.isEmpty else {
      guard let rate = temp.rate else { return [] }
      return [
        Piece(
          start: temp.start, end: end, rate: rate, scheduled: nil, isTemp: !temp.isSuspend,
          isSuspend: temp.isSuspend, delivered: delivered, uuid: temp.uuid)
      ]
    }
    return under.enumerated().map { index, part in
      var piece = part
      piece.scheduled = part.rate
      piece.rate = temp.rate ?? part.rate * (1 + (temp.percent ?? 0) / 100)
      piece.delivered = delivered
      (piece.isTemp, piece.isSuspend) = (!temp.isSuspend, temp.isSuspend)
      piece.uuid = index == 0 ? temp.uuid : SampleUUID(named: ["\(temp.uuid)", "\(index)"])
      return piece
    }
  }

  /// The scheduled basal between two instants, as far as a profile is known.
  private static func scheduled(
    from start: Instant, to end: Instant, _ profiles: [NightscoutProfile]
  ) -> [Piece] {
    var pieces: [Piece] = []
    for (index, profile) in profiles.enumerated() {
      let from = max(start, profile.start)
      let until = index + 1 < profiles.count ? min(end, profiles[index + 1].start) : end
      guard from < until else { continue }
      for segment in profile.basal.timeline(from: from, to: until, on: profile.clock).segments {
        pieces.append(
          Piece(
            start: segment.start, end: segment.end, rate: segment.value,
            scheduled: segment.value, isTemp: false, isSuspend: false,
            uuid: SampleUUID(named: ["nightscout scheduled", "\(segment.start)"])))
      }
    }
    return pieces
  }
}
