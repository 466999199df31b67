internal import Quantities
internal import ScenarioLanguage

/// A time that comes every day: `{ daily: '07:15', days: [1, 2, 3], jitter: '20m' }`.
///
/// Days count from 0, the day of the start.
struct DailyTime: Sendable {
  var time: TimeOfDay
  /// The days of the run; `nil` for all.
  var days: [Int]?
  var jitter: TimeSpan

  /// The days on which it may come in a run, those of the run that are named: where none are, also
  /// the days before the first and after the last, from which jitter may reach into the run.
  func days(in context: ReadingContext) -> [Int] {
    let all = context.allDays
    if let days { return days.filter { all.contains($0) } }
    return jitter == .zero ? all : [-1] + all + [all.count]
  }

  static let form = Form<Self>.object {
    let daily = $0.required("daily", .timeOfDay, "A time of day, such as `'07:15'`.")
    let days = $0.optional(
      "days", .daysOfRun, else: "all", "The days of the run, the start's being 0.")
    let jitter = $0.key(
      "jitter", .duration(.zero...(.hours(12))), default: "'0m'", "The most it is early or late.")
    return { field throws(UnusableKey) in
      Self(time: try field[daily], days: field[days], jitter: field[jitter])
    }
  }
}

extension Form where Value == [Int] {
  /// Days of the run, the start's being 0, each once.
  static var daysOfRun: Self {
    .list(.integer(0...3_660)).map { days, field in
      var seen: Set<Int> = []
      guard let twice = days.first(where: { !seen.insert($0).inserted }) else { return days }
      field.error("\"\(field.path)\" has day \(twice) twice. Write each day once.")
      return nil
    }
  }
}

extension ReadingContext {
  /// The days of the run, the first being 0.
  var allDays: [Int] {
    let last = wallClock.civilTime(at: end).dayNumber
    return Array(0...max(0, Int(last - firstDay)))
  }
}
