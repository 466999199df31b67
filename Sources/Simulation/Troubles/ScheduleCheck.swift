internal import Quantities

/// Finds when the pump held another scheduled basal rate than the app believed in, as the rows of a
/// run show it: its clock may be another, or somebody changed the schedule on one side only.
struct ScheduleCheck {
  /// A stretch in which both rates stayed as they were at its beginning.
  struct Stretch {
    var start: Instant
    var end: Instant
    var believed: InsulinRate
    var run: InsulinRate
  }

  /// A shorter stretch is no difference: commands take their time.
  private static let shortest = TimeSpan.minutes(10)

  private(set) var stretches: [Stretch] = []

  /// Compares the rows with what the app believed in, both in the order of time.
  init(rows: [TraceRow], believed: [Timeline<InsulinRate>.Segment]) {
    var open: Stretch?
    var index = 0
    func close() {
      if let stretch = open, stretch.end - stretch.start >= Self.shortest {
        stretches.append(stretch)
      }
      open = nil
    }
    for row in rows {
      while index < believed.count, believed[index].end <= row.instant { index += 1 }
      guard index < believed.count, believed[index].start <= row.instant else {
        // What the app believed in ends with the run, and what differed until then does too.
        if index > 0, believed[index - 1].end == row.instant { open?.end = row.instant }
        close()
        continue
      }
      let (app, pump) = (believed[index].value, row.scheduledRate)
      if let stretch = open, (stretch.believed, stretch.run) != (app, pump) {
        open?.end = row.instant
        close()
      }
      guard app != pump else { continue }
      if open == nil {
        open = Stretch(start: row.instant, end: row.instant, believed: app, run: pump)
      }
      open?.end = row.instant
    }
    close()
  }

  /// The stretches without what is told of some times already; parts that are too short to be a
  /// difference are left out.
  func stretches(beside told: [Range<Instant>]) -> [Stretch] {
    told.reduce(stretches) { rest, told in
      rest.flatMap { stretch -> [Stretch] in
        guard told.lowerBound < stretch.end, stretch.start < told.upperBound else {
          return [stretch]
        }
        var (before, after) = (stretch, stretch)
        before.end = told.lowerBound
        after.start = told.upperBound
        return [before, after].filter { $0.end - $0.start >= Self.shortest }
      }
    }
  }
}
