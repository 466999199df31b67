import Quantities

/// The basal schedules in a pump, and the clock by which it follows them.
struct PumpTimetable: Sendable {
  /// The schedule that the pump was programmed with.
  var programmed: DailySchedule<InsulinRate>
  /// Someone else's schedule that runs in place of the programmed one; `nil` if none does.
  var foreign: DailySchedule<InsulinRate>?
  /// The pump's own clock.
  var clock: PumpClock

  /// The schedule that runs.
  var schedule: DailySchedule<InsulinRate> { foreign ?? programmed }

  /// The scheduled rate at an instant.
  func rate(at instant: Instant) -> InsulinRate {
    schedule.value(at: clock.timeOfDay(at: instant))
  }

  /// The first entry, or midnight, after an instant.
  func nextEntry(after instant: Instant) -> Instant {
    clock.nextEntry(of: schedule, after: instant)
  }

  /// How long the entry that holds at an instant has been running, by the time of day.
  func timeSinceEntry(at instant: Instant) -> TimeSpan {
    clock.timeSinceEntry(of: schedule, at: instant)
  }
}
