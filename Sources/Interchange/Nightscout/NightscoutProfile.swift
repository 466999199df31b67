internal import Quantities
internal import StructuredText

/// The basal schedule of a profile, and from when it holds.
struct NightscoutProfile {
  var start: Instant
  var basal: DailySchedule<Double>
  var clock: WallClock
  /// The name of its time zone; `nil` where it states none.
  var timeZone: String?

  /// Reads a profile; reports what is wrong, and is nothing then.
  init?(_ document: JSONField, _ zones: (String) -> WallClock?) {
    let name = document["defaultProfile"].text() ?? "Default"
    guard let start = Self.start(of: document) else { return nil }
    self.init(schedulesOf: document["store"].required(name), from: start, zones)
  }

  /// From when a document holds: as it says in milliseconds, else in `startDate`, else all along.
  ///
  /// A date alone means midnight in UTC, as it does to JavaScript. One that cannot be read is
  /// reported: taken as 1970 it would give way to older documents.
  private static func start(of document: JSONField) -> Instant? {
    if let mills = document["mills"].node,
      let number = mills.integer ?? mills.string.flatMap({ Int64($0) })
    {
      return Instant(millisecondsSince1970: number)
    }
    guard let text = document["startDate"].text(), !text.isEmpty else {
      return Instant(secondsSince1970: 0)
    }
    if let start = Instant(nightscout: text) ?? Instant(recorded: "\(text)T00:00:00Z") {
      return start
    }
    document["startDate"].reportUnusable(expected: "a time such as 2026-02-03T06:15:00Z")
    return nil
  }

  /// The profiles that a document stores, by their names; those that cannot be read are not there.
  static func stored(
    in document: JSONField, from start: Instant, _ zones: (String) -> WallClock?
  ) -> [String: Self] {
    var profiles: [String: Self] = [:]
    for member in document["store"].node?.members ?? [] {
      let field = JSONField(member.value, problems: ProblemList(limit: 1))
      profiles[member.key] = Self(schedulesOf: field, from: start, zones)
    }
    return profiles
  }

  /// Reads the schedules of a profile, which hold from an instant on.
  init?(schedulesOf profile: JSONField, from start: Instant, _ zones: (String) -> WallClock?) {
    self.start = start
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
    let named = profile["timezone"].exists ? profile["timezone"].text() : nil
    let stated = named.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    guard let zone = NightscoutZone(stated ?? "UTC", zones) else {
      profile["timezone"].error(
        "This time zone is not known. 'Europe/Berlin' and 'UTC' are, and 'GMT-05:00' and "
          + "'ETC/GMT+5', which are 5 hours behind UTC.")
      return nil
    }
    timeZone = stated == nil ? nil : zone.name
    basal = schedule
    clock = zone.clock
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
}
