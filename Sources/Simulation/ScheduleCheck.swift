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
}

extension [Timeline<InsulinRate>.Segment] {
  /// What an app believed in at each instant, which reads its schedule by the phone's clock.
  ///
  /// - Parameters:
  ///   - clocks: When the phone's clock was wrong, by start.
  ///   - start: When the run began.
  ///   - end: When the run ended.
  /// - Returns: The stretches between these instants, as far as the schedule is known.
  func read(by clocks: [WrongClock], from start: Instant, through end: Instant) -> Self {
    let timeline = Timeline(segments: self)
    var (reached, found) = (start, Self())
    func read(_ from: Instant, _ to: Instant, ahead error: TimeSpan) {
      guard from < to else { return }
      found += timeline.segments(from: from + error, to: to + error).map {
        Element(start: $0.start - error, end: $0.end - error, value: $0.value)
      }
    }
    for clock in clocks where clock.end > reached {
      read(reached, clock.start, ahead: .zero)
      read(Swift.max(reached, clock.start), clock.end, ahead: clock.error)
      reached = clock.end
    }
    read(reached, end, ahead: .zero)
    return found
  }
}
