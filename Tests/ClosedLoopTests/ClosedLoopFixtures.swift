import Dosing
import HealthStore
import Quantities

@testable import ClosedLoop

/// 8 March 2026, 00:00 UTC: midnight of the days in these tests.
let midnight = Instant(millisecondsSince1970: 1_772_928_000_000)

/// A time on the day of the tests.
func at(_ hour: Int64, _ minute: Int64 = 0, _ second: Int64 = 0) -> Instant {
  midnight + .hours(hour) + .minutes(minute) + .seconds(second)
}

/// A rate in thousandths of a unit per hour.
func rate(_ milliunitsPerHour: Int64) -> InsulinRate {
  InsulinRate(milliunitsPerHour: milliunitsPerHour)
}

/// A daily schedule of rates from hours and milliunits per hour.
func dailyRates(_ entries: [(hour: Int, rate: Int64)]) throws -> DailySchedule<InsulinRate> {
  try DailySchedule(
    entries.map {
      .init(
        start: TimeOfDay(milliseconds: Int64($0.hour) * 3_600_000), value: rate($0.rate))
    })
}

/// A schedule history in UTC.
func history(_ entries: [(hour: Int, rate: Int64)]) throws -> ScheduleHistory<InsulinRate> {
  ScheduleHistory(try dailyRates(entries), from: midnight, on: .utc)
}

/// The schedule of the worked table in LoopDocs, Apple HealthKit FAQs.
func tableSchedule() throws -> ScheduleHistory<InsulinRate> {
  try history([(0, 400), (6, 500), (8, 400)])
}

/// A temp basal.
func temp(
  _ unitsPerHour: Double, _ start: Instant, _ end: Instant, id: SyncIdentifier? = nil,
  isMutable: Bool = false
) -> DoseEntry {
  DoseEntry(
    .tempBasal, from: start, to: end, .unitsPerHour(unitsPerHour), syncIdentifier: id,
    isMutable: isMutable)
}

/// The start or the end of a suspension.
func mark(_ kind: DoseEntry.Kind, _ date: Instant, id: SyncIdentifier? = nil) -> DoseEntry {
  DoseEntry(kind, from: date, to: date, .units(0), syncIdentifier: id)
}

/// The doses that the app counts.
extension LoopApp {
  /// Those that make a difference to insulin on board.
  func counted(from earliest: Instant, to now: Instant) -> [DoseEntry] {
    insulin.counted(from: earliest, to: now, pump, therapies)
  }

  /// Those that the algorithm is given.
  func history(from earliest: Instant, to now: Instant) -> [DoseEntry] {
    insulin.history(from: earliest, to: now, pump, therapies)
  }

  /// Those of ``history(from:to:)``, or of ``counted(from:to:)``, as the algorithm takes them.
  func algorithmDoses(
    from earliest: Instant, to now: Instant, listsScheduled: Bool
  ) -> (doses: [AlgorithmInput.InsulinDose], others: [AlgorithmInput.InsulinDose]) {
    let doses = insulin.algorithmDoses(
      from: earliest, to: now, listsScheduled: listsScheduled, pump, therapies)
    var others = doses.recent
    if !doses.hasRunning {
      insulin.visitRunning(
        from: earliest, at: now, listsScheduled: listsScheduled, pump, therapies
      ) {
        others.append($0)
      }
    }
    return (doses.finished, others)
  }
}
