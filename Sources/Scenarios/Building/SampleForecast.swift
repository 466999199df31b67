internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Whether the samples of other apps are dated as they were meant.
struct SampleForecast {
  let root: Field
  /// What happens, in any order.
  let events: [ScenarioEvent]
  let places: EventPlaces

  /// A sample that is dated later than so long after it is written was meant for before.
  private static let longestAhead = TimeSpan.hours(1)

  /// Warns of samples that a time of day dates in the future: at 09:00 '07:00' is that of tomorrow.
  ///
  /// A span, a day and a date say themselves which time is meant.
  func warn() {
    let wall = root.context.wallClock
    var told: Set<String> = []
    for event in events.sorted(by: { $0.instant < $1.instant }) {
      guard case .writeToHealthStore(let write) = event.action,
        write.start - event.instant > Self.longestAhead
      else { continue }
      let typed = places[event]["healthStore"]["write"]["start"]
      guard let text = typed.node?.string, case .clock? = TimeText(text),
        told.insert(typed.path).inserted
      else { continue }
      typed.warning(
        code: "W-TIME",
        "\"\(text)\" is the next such time, \(wall.iso8601(write.start)), and the sample is "
          + "written at \(wall.iso8601(event.instant)), \(write.start - event.instant) before. "
          + "A time before it is written is a span such as '-2h', or has its day.")
    }
  }
}
