internal import Quantities

/// The basal schedule of the app over a whole run, written down before the app forgets it.
///
/// The app keeps a week of its schedules and presets, so that a longer run has to note them on the
/// way.
struct ScheduleRecord: Sendable {
  /// What the schedule alone would have run.
  private(set) var scheduled: [Timeline<InsulinRate>.Segment] = []
  /// The schedule after presets, in U/h: what net insulin on board is counted against.
  private(set) var reference: [Timeline<Double>.Segment] = []
  /// The schedule that the app believed in at each instant, whatever its clock showed then.
  private(set) var believed: [Timeline<InsulinRate>.Segment] = []
  private let start: Instant
  private var until: Instant
  /// Whether the app that comes next has a history of its own, which does not go on from this one.
  private var startsAnew = false

  /// How often a run notes its schedules, well within what the app keeps.
  private static let interval = TimeSpan.days(3)
  /// How long before the beginning the reference starts: no insulin of before still acts.
  static let lead = TimeSpan.hours(8)

  init(beginning: Instant, start: Instant) {
    self.start = start
    until = beginning - Self.lead
  }

  /// Whether it is time to note what held.
  func isDue(at now: Instant) -> Bool { now - until >= Self.interval + Self.lead }

  /// Notes what held up to an instant.
  mutating func note(_ phone: Phone, through now: Instant) {
    guard now > until else { return }
    join(phone.referenceBasal(from: seam(reference, until), to: now).segments, to: &reference)
    if now > start {
      let from = max(start, until)
      join(phone.scheduledBasal(from: seam(scheduled, from), to: now).segments, to: &scheduled)
      believed += phone.believedBasal(from: from, to: now)
    }
    assert(
      reference.last.map { $0.end <= now } ?? true, "A schedule is kept up to now, not beyond.")
    until = now
    startsAnew = false
  }

  /// Notes what held up to an instant at which another app takes the place of this one.
  ///
  /// What the next one makes of the time before concerns nobody who asks what was believed then.
  mutating func noteLast(_ phone: Phone, through now: Instant) {
    note(phone, through: now)
    startsAnew = true
  }

  /// A moment before the end of what was noted shows whether the last segment goes on.
  private func seam<Value>(
    _ segments: [Timeline<Value>.Segment], _ from: Instant
  ) -> Instant { segments.isEmpty || startsAnew ? from : from - .milliseconds(1) }

  private func join<Value: Equatable>(
    _ new: [Timeline<Value>.Segment], to segments: inout [Timeline<Value>.Segment]
  ) {
    guard let last = segments.last, let first = new.first, last.value == first.value else {
      // An app whose clock is behind may have another schedule for that moment since.
      let end = segments.last?.end
      for var segment in new where end.map({ segment.end > $0 }) ?? true {
        if let end { segment.start = max(segment.start, end) }
        segments.append(segment)
      }
      return
    }
    assert(first.start <= last.end, "A stretch that is joined begins where the last one ends.")
    if first.end > last.end { segments[segments.count - 1].end = first.end }
    segments += new.dropFirst()
  }
}
