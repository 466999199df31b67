internal import Quantities
internal import ScenarioLanguage
internal import StructuredText
internal import TimeZones

/// The clock of a phone that travels: a change of zone is a transition like summer time.
struct TravelClock {
  private let events: Field
  private let times: EventTimes

  /// The clock by the list `events` of a scenario.
  init(_ events: Field, _ times: EventTimes) {
    self.events = events
    self.times = times
  }

  /// The phone's clock with every change of zone in it; unknown zones are reported.
  var wallClock: WallClock {
    let home = events.context.wallClock
    var transitions = home.transitions
    for event in events.items() ?? [] {
      guard let zone = zone(event["timeZone"]) else { continue }
      for instant in times.instants(of: event["at"], stream: "events.timeZone") {
        transitions.removeAll { $0.instant >= instant }
        transitions.append(.init(instant: instant, offset: zone.offset(at: instant)))
        transitions += zone.transitions.filter { $0.instant > instant }
      }
    }
    return WallClock(initialOffset: home.initialOffset, transitions: transitions)
  }

  /// The clock of the zone that an event names, for longer than the run lasts.
  private func zone(_ field: Field) -> WallClock? {
    guard field.exists, let name = field.text() else { return nil }
    let context = field.context
    let zone = ZoneDatabase.wallClock(
      named: name, from: context.start - .days(400), to: context.end + .days(400))
    if zone == nil {
      field.error(
        "\"\(name)\" is not a time zone. Write an IANA name such as 'Europe/London' or 'UTC'.")
    }
    return zone
  }
}
