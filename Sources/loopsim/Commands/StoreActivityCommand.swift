import Arguments
import HealthStore
import HealthStoreSQLite
import Quantities

/// Shows the user's activity day by day.
struct StoreActivityCommand: Command {
  static let name = "activity"
  static let abstract = "Show energy, exercise and standing hours of each day against the goals."
  static let discussion = """
    A day is one of the calendar in the time zone, with 23 or 25 hours when the clocks change. \
    Days without any activity are left out. For a user in a wheelchair the standing hours are \
    called rolling hours.
    """

  var file = ""
  var from: DayWord?
  var through: DayWord?
  var zone = ZoneWord.utc
  var energy = 500.0
  var exercise = 30
  var hours = 12

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.option(
      "from", \.from, valueName: "day", isRequired: true, help: "The first day, as 2026-01-05.")
    it.option("to", \.through, valueName: "day", help: "The last day; else the first.")
    it.option("zone", \.zone, help: "The time zone whose days are meant.")
    it.option("move-goal", \.energy, valueName: "kcal", help: "The energy to burn every day.")
    it.option(
      "exercise-goal", \.exercise, valueName: "minutes", help: "The exercise of every day.")
    it.option("stand-goal", \.hours, valueName: "hours", help: "The standing hours of every day.")
  }

  func validate() throws {
    guard energy >= 0, exercise >= 0, hours >= 0 else {
      throw Failure(.usage, "A goal must not be negative.")
    }
    guard exercise <= 24 * 60, hours <= 24 else {
      throw Failure(.usage, "A day has 1440 minutes and 24 hours; a goal must not have more.")
    }
    guard let from, let through else { return }
    guard from.day <= through.day, through.day.dayNumber - from.day.dayNumber <= 3_660 else {
      throw Failure(.usage, "Give a last day that is not before the first, at most ten years on.")
    }
  }

  func run(to console: any Console) async throws {
    guard let from else { return }
    let store = try StoreFile.reading(file)
    let goals = ActivityGoals(
      activeEnergy: energy, exercise: .minutes(Int64(exercise)), standHours: hours)
    let summaries = try store.activitySummaries(
      from: from.components, through: (through ?? from).components, goals: goals, on: zone.clock,
      as: .user)
    // HealthKit's number for a user in a wheelchair is 2.
    let usesWheelchair = try store.registry.characteristic(.wheelchairUse, as: .user) == 2
    for summary in summaries {
      console.print("\(summary.day.dateText): \(summary.text(usesWheelchair: usesWheelchair))")
    }
    if summaries.isEmpty { console.note("No activity in these days.") }
  }
}
