public import Quantities
public import RunPlans
internal import ScenarioLanguage
public import Simulation
internal import StructuredText
package import Typesetting

/// One run with all that its page tells: the result, what was seen while it lived, and where it
/// came from.
public struct RunReport: Sendable {
  /// What the run comes to.
  public var summary: RunSummary
  /// What was seen while the run lived.
  public var observation: RunObservation
  /// The scenario's file, as it was named; empty where there is none.
  public var file: String
  /// The unit in which glucose is written.
  public var glucoseUnit: GlucoseUnit
  /// The name of the person's time zone.
  public var timeZone: String
  /// The patient in a few words.
  public var patient: String
  /// Where each setting of the therapy was written, `file:line`; `derived` for what follows from
  /// the body or is a default.
  let origins: [JSONValue.Member]
  /// The words that give its scenario the seed of the run; `nil` where none does.
  package let seedWords: [String]?
  /// Every dose, side by side in all records.
  public let doses: [DoseRow]
  /// The indices of the differences in the order of time; a difference's number is its place here.
  public let byTime: [Int]

  /// The stretches of the run's time whose times of day come twice.
  package let twice: [TimeShownTwice]
  /// The stretches of time that the page draws, one panel each.
  package private(set) var days: [RunDay] = []
  /// The differences that have a place on each day, by time: one that lasts has it on all its days.
  package private(set) var placesOfDays: [[Int]] = []
  /// What held when, one stretch after the other.
  package private(set) var modes: [RunMode] = []
  /// Faults of the scenario and alarms, earliest first.
  package private(set) var flags: [RunFlag] = []
  /// Net insulin on board at each row of the trace: by the app's records, or without an app by what
  /// entered the body.
  package private(set) var onBoard: [Double?] = []
  /// The boluses that people asked for and the pump never began, earliest first.
  package private(set) var bolusesInVain: [BolusRequestRecord] = []
  /// Insulin on board as it would be without the doses from outside, while they act.
  package private(set) var withoutExternal: [(instant: Instant, units: Double)] = []

  /// Gathers what a page tells.
  ///
  /// - Parameters:
  ///   - summary: The run and its figures.
  ///   - observation: What was seen of the run while it lived.
  ///   - run: The scenario of the run, for its unit, zone and patient.
  ///   - file: The scenario's file.
  ///   - withDoses: Whether the records are put side by side, dose by dose; figures need it not.
  public init(
    _ summary: RunSummary, _ observation: RunObservation, of run: ExpandedRun, file: String,
    withDoses: Bool = true
  ) {
    self.summary = summary
    self.observation = observation
    self.file = file
    twice = summary.run.clock.timesShownTwice
    let own = RunSeed.value(seed: run.seed, replicate: run.replicate, patient: run.chanceOf)
    let seed = summary.run.seed
    seedWords = seed == own ? [] : run.drawsSeed ? nil : ["--seed", "\(seed)"]
    let context = ReadingContext(of: run.tree, problems: ProblemList())
    glucoseUnit = context.glucoseUnit
    timeZone = context.timeZone
    let name = run.patient ?? run.tree["patient"]?["name"]?.string
    let model = run.tree["patient"]?["model"]?.string
    patient = [name, model].compactMap { $0 }.joined(separator: ", ")
    let keys = [
      "basal", "sensitivity", "carbRatio", "target", "suspendThreshold", "maxBasal", "maxBolus",
      "insulinModel",
    ]
    let therapy = run.tree["therapy"]
    origins = keys.map { key in
      let place = therapy?[key]?.position
      return JSONValue.Member(key, .string(place.map { "\($0.file):\($0.line)" } ?? "derived"))
    }
    doses = withDoses ? DoseTable(summary.run, observation).rows : []
    let differences = summary.run.agreement.differences
    byTime = differences.indices.sorted {
      (differences[$0].start, differences[$0].severity, $0)
        < (differences[$1].start, differences[$1].severity, $1)
    }
    guard withDoses else { return }
    days = RunDay.days(of: self)
    placesOfDays = foundPlaces
    let result = summary.run
    onBoard =
      result.hasApp
      ? result.trace.rows.map(\.insulinOnBoard) : result.insulinOnBoard().map(\.body.net)
    modes = foundModes
    flags = foundFlags
    bolusesInVain = result.bolusesInVain
    withoutExternal = insulinWithoutExternal
  }

  /// Whether the page is about so many days that of some things it shows less, to stay small.
  package var isLong: Bool { days.count > 3 }

  /// The predictions that the page draws, and the time between two of them: half an hour, or an
  /// hour where there are many days.
  package var shownPredictions: (every: TimeSpan, list: [RunObservation.Prediction]) {
    let every = TimeSpan.minutes(isLong ? 60 : 30)
    var list: [RunObservation.Prediction] = []
    for prediction in observation.predictions {
      if let last = list.last, prediction.instant - last.instant < every { continue }
      list.append(prediction)
    }
    return (every, list)
  }

  /// The run that is reported.
  package var run: RunResult { summary.run }
  /// Where its records differ.
  package var differences: [RecordDifference] { run.agreement.differences }

  /// The places of the differences, the worst first.
  package var worstFirst: [Int] { differences.indices.sorted(by: isWorse) }

  /// Whether the difference at a place is worse than that at another: by severity, and of one
  /// severity by units.
  package func isWorse(_ one: Int, than other: Int) -> Bool {
    (differences[one].severity, -differences[one].units.magnitude, one)
      < (differences[other].severity, -differences[other].units.magnitude, other)
  }

  /// The number by which the page calls a difference.
  package func number(of difference: Int) -> Int {
    (byTime.firstIndex(of: difference) ?? difference) + 1
  }

  /// The time of day at an instant, `07:45`; seconds only where there are some, and the offset
  /// where that time comes twice, as when a clock is set back: `01:30 UTC−06:00`.
  package func clock(_ instant: Instant, isEnd: Bool = false) -> String {
    let shown = twice.first { $0.start <= instant && instant < $0.end }
    return timeOfDay(instant, isEnd: isEnd) + (shown.map { " \($0.offset)" } ?? "")
  }

  /// The same without an offset, where others beside it tell the order.
  package func timeOfDay(_ instant: Instant, isEnd: Bool = false) -> String {
    let time = run.clock.timeOfDay(at: instant)
    if isEnd, time.milliseconds == 0 { return "24:00" }
    return time.milliseconds % 60_000 == 0
      ? time.hoursAndMinutes : String(time.description.prefix(8))
  }

  /// A stretch of time of day, `07:15–07:45`.
  package func span(_ start: Instant, _ end: Instant) -> String {
    "\(clock(start))–\(clock(end, isEnd: true))"
  }

  /// The time of day at an instant, with its date where that time alone does not say which moment
  /// of the run is meant.
  package func moment(_ instant: Instant) -> String {
    needsDate(instant) ? "\(date(instant, withYear: false)) \(clock(instant))" : clock(instant)
  }

  /// The same beside another moment, of whose day nothing more is said.
  package func moment(
    _ instant: Instant, beside other: Instant, isEnd: Bool = false
  ) -> String {
    // What ends at midnight ends with the day before, unless it is of that moment alone.
    let isEnd = isEnd && instant > other
    let day = date(isEnd ? instant - .milliseconds(1) : instant, withYear: false)
    let isDated =
      (needsDate(instant) || needsDate(other)) && day != date(other, withYear: false)
    return (isDated ? "\(day) " : "") + clock(instant, isEnd: isEnd)
  }

  private func needsDate(_ instant: Instant) -> Bool {
    run.clock.needsDate(instant, from: run.start, to: run.end)
  }

  /// The minutes from the start of the run to an instant.
  package func minutes(_ instant: Instant) -> Double { (instant - run.start).minutes }

  /// The date at an instant, `Tue 4 Mar 2025`; without the year only where the run has but one.
  package func date(_ instant: Instant, withYear: Bool = true) -> String {
    let civil = run.clock.civilTime(at: instant)
    let day = civil.dayInWords
    return withYear || run.isOfSeveralYears ? "\(day) \(civil.year)" : day
  }

  /// What stands before UTC at an instant, `UTC−06:00`.
  package func offset(_ instant: Instant) -> String { run.clock.offsetText(at: instant) }
}

/// A stretch of time whose times of day the clock on the wall shows at other instants as well.
package struct TimeShownTwice: Hashable, Sendable {
  /// Where it begins.
  package let start: Instant
  /// Where it ends.
  package let end: Instant
  /// What tells it from the other, `UTC−06:00`.
  package let offset: String
}

extension WallClock {
  /// What comes before and after each change by which the clock is set back.
  package var timesShownTwice: [TimeShownTwice] {
    transitions.flatMap { change -> [TimeShownTwice] in
      let (moment, before) = (change.instant, change.instant - .milliseconds(1))
      let back = offset(at: before) - offset(at: moment)
      guard back > .zero else { return [] }
      return [
        TimeShownTwice(start: moment - back, end: moment, offset: offsetText(at: before)),
        TimeShownTwice(start: moment, end: moment + back, offset: offsetText(at: moment)),
      ]
    }
  }

  /// What stands before UTC at an instant, `UTC−06:00`.
  package func offsetText(at instant: Instant) -> String {
    let minutes = Int(offset(at: instant).minutes.rounded())
    let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
    let pad = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return "UTC\(minutes < 0 ? "−" : "+")\(pad(hours)):\(pad(rest))"
  }
}

extension RecordDifference.Severity {
  /// How a page marks a difference.
  package var page: PageSeverity {
    switch self {
    case .fault: .fault
    case .check: .check
    case .expected: .expected
    case .note: .note
    }
  }
}

extension RunResult {
  /// Whether a day and a month alone do not say which day of the run is meant.
  package var isOfSeveralYears: Bool {
    clock.civilTime(at: start).year != clock.civilTime(at: end).year
  }
}
