internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Whether the samples of other apps, and the reports of boluses and their cancelling, are dated as
/// they were meant.
struct SampleForecast {
  let root: Field
  /// What happens, in the order of time.
  let events: [ScenarioEvent]
  let places: EventPlaces

  /// A sample that is dated later than so long after it is written was meant for before.
  private static let longestAhead = TimeSpan.hours(1)

  /// Warns of what a time of day dates in the future: at 09:00 '07:00' is that of tomorrow.
  ///
  /// A span, a day and a date say themselves which time is meant.
  func warn() {
    /// When the bolus of an occurrence is asked for.
    var asked: [String: Instant] = [:]
    var told: Set<String> = []
    for event in events {
      switch event.action {
      case .writeToHealthStore(let write):
        guard write.start - event.instant > Self.longestAhead else { break }
        warn(
          places[event]["healthStore"]["write"]["start"], write.start, event.instant,
          ("the sample is written", "it is written"), &told)
      case .bolus(let request):
        asked[event.id] = asked[event.id] ?? event.instant
        guard let after = request.cancelAfter else { break }
        warnOfNextDay(
          places[event]["bolus"]["cancelAt"], event.instant + after, event.instant, &told)
      case .recordBolus:
        guard let bolus = asked[event.id] else { break }
        warnOfNextDay(places[event]["bolus"]["reported"]["at"], event.instant, bolus, &told)
      default: break
      }
    }
  }

  /// Warns of a time of day that belongs to a bolus, and is one of the next day.
  ///
  /// A later time of the same day is one that a wrong clock may show.
  private func warnOfNextDay(
    _ typed: Field, _ dated: Instant, _ bolus: Instant, _ told: inout Set<String>
  ) {
    guard dated - bolus > Self.longestAhead, day(of: dated) != day(of: bolus) else { return }
    warn(typed, dated, bolus, ("the bolus is asked for", "it"), &told)
  }

  /// The number of the local day of an instant.
  private func day(of instant: Instant) -> Int64 {
    root.context.wallClock.civilTime(at: instant).dayNumber
  }

  /// Warns of a time of day that is so long after what it belongs to.
  ///
  /// - Parameters:
  ///   - typed: Where the time is typed; what is no time of day is left alone.
  ///   - dated: The time that it is.
  ///   - now: When what it belongs to happens.
  ///   - words: What happens then, as a clause, and in short.
  ///   - told: The places that are warned of already.
  private func warn(
    _ typed: Field, _ dated: Instant, _ now: Instant, _ words: (clause: String, short: String),
    _ told: inout Set<String>
  ) {
    guard let text = typed.node?.string, case .clock? = TimeText(text),
      told.insert(typed.path).inserted
    else { return }
    let wall = root.context.wallClock
    typed.warning(
      code: "W-TIME",
      "\"\(text)\" is the next such time, \(wall.iso8601(dated)), and \(words.clause) at "
        + "\(wall.iso8601(now)), \(dated - now) before. A time before \(words.short) is a span "
        + "such as '-2h', or has its day.")
  }
}
