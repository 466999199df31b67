internal import Quantities
internal import ScenarioLanguage
internal import StructuredText
internal import TimeZones

/// The clock of a phone that travels: a change of zone is a transition like summer time.
struct TravelClock {
  private let home: WallClock
  /// The changes of zone in the order of time, with the clock of each zone.
  private let trips: [(instant: Instant, zone: WallClock)]

  /// The clock by the list `events` of a scenario, in whatever order it stands there; unknown zones
  /// are reported.
  init(_ events: Field, _ times: EventTimes) {
    home = events.context.wallClock
    var found: [(instant: Instant, zone: WallClock)] = []
    for event in events.items() ?? [] {
      guard let zone = Self.zone(event["timeZone"]) else { continue }
      let instants = times.instants(of: event["at"], stream: "events.timeZone")
      found += instants.map { (instant: $0, zone: zone) }
    }
    trips = found.enumerated()
      .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
      .map(\.element)
  }

  /// From when on the phone is in each zone, with the clock of that zone.
  var stays: [(from: Instant, clock: WallClock)] {
    trips.map { (from: $0.instant, clock: $0.zone) }
  }

  /// The phone's clock with every change of zone in it.
  var wallClock: WallClock {
    var transitions = home.transitions
    for (instant, zone) in trips {
      while let last = transitions.last, last.instant >= instant { transitions.removeLast() }
      transitions.append(.init(instant: instant, offset: zone.offset(at: instant)))
      transitions += zone.transitions.filter { $0.instant > instant }
    }
    return WallClock(initialOffset: home.initialOffset, transitions: transitions)
  }

  /// The clock of the zone that an event names, for longer than the run lasts.
  private static func zone(_ field: Field) -> WallClock? {
    guard field.exists, let name = Form.zone.read(field) else { return nil }
    let context = field.context
    return ZoneDatabase.wallClock(
      named: name, from: context.start - .days(400), to: context.end + .days(400))
  }
}
