public import Quantities

/// A stretch of glucose beyond a limit that lasts, such as an episode of hypoglycaemia.
public struct GlucoseEvent: Hashable, Sendable {
  /// The time of the first slot beyond the limit.
  public let start: Instant
  /// The length without the recovery that ended it.
  public let duration: TimeSpan
  /// Whether the data ended before a recovery was seen.
  public let isOpen: Bool

  /// The end of the last slot that belongs to the event.
  public var end: Instant { start + duration }
}

/// The kinds of event that the consensus names, and two older readings of them.
public enum GlucoseEventKind: String, CaseIterable, Hashable, Sendable {
  /// Below 70 mg/dL for at least 15 minutes.
  case low = "hypo_lt70"
  /// Below 54 mg/dL for at least 15 minutes.
  case veryLow = "hypo_lt54"
  /// Events below 70 that touch no event below 54.
  case lowOnly = "hypo_54_69_only"
  /// Below 70 for more than 120 consecutive minutes.
  case prolongedLow = "hypo_extended_gt120"
  /// Below 70 for at least 120 consecutive minutes.
  case prolongedLowInclusive = "hypo_extended_ge120"
  /// Below 54 for at least 120 minutes, the definition of 2017.
  case prolongedVeryLow = "hypo_lt54_ge120"
  /// Above 180 mg/dL for at least 15 minutes.
  case high = "hyper_gt180"
  /// Above 250 mg/dL for at least 15 minutes.
  case veryHigh = "hyper_gt250"
  /// Events above 180 that touch no event above 250.
  case highOnly = "hyper_181_250_only"
  /// Above 250 for at least 90 minutes within 120.
  case prolongedHigh = "hyper_extended"
}

extension GlucoseGrid {
  /// The events of a kind, earliest first (consensus definitions; a reading stands for its
  /// interval).
  public func events(_ kind: GlucoseEventKind) -> [GlucoseEvent] {
    let beyond120 = Double((120 / intervalMinutes + 1) * intervalMinutes)
    switch kind {
    case .low: return events(lasting: 15) { $0 < 70 }
    case .veryLow: return events(lasting: 15) { $0 < 54 }
    case .lowOnly: return Self.apart(events(.low), from: events(.veryLow))
    case .prolongedLow: return events(lasting: beyond120) { $0 < 70 }
    case .prolongedLowInclusive: return events(lasting: 120) { $0 < 70 }
    case .prolongedVeryLow: return events(lasting: 120) { $0 < 54 }
    case .high: return events(lasting: 15) { ConsensusLimit.isExceeded(180, by: $0) }
    case .veryHigh: return events(lasting: 15) { ConsensusLimit.isExceeded(250, by: $0) }
    case .highOnly: return Self.apart(events(.high), from: events(.veryHigh))
    case .prolongedHigh: return prolongedHighs()
    }
  }

  /// The stretches of at least `minutes` at a level, each ended by 15 minutes away from it.
  ///
  /// A shorter recovery belongs to the event; a gap in the data ends it.
  public func events(lasting minutes: Double, at level: (Double) -> Bool) -> [GlucoseEvent] {
    assert(minutes >= 0, "An event lasts some time.")
    let needed = max(1, slots(for: minutes))
    var result: [GlucoseEvent] = []
    for segment in segments {
      var index = segment.lowerBound
      while index < segment.upperBound {
        let run = runLength(from: index, in: segment, where: level)
        guard run >= needed else {
          index += max(1, run)
          continue
        }
        let found = finish(from: index, in: segment, recovered: { !level($0) })
        result.append(event(from: index, to: found.end, isOpen: found.isOpen))
        index = found.next
      }
    }
    return result
  }

  private func prolongedHighs() -> [GlucoseEvent] {
    let needed = slots(for: 90)
    let window = (120 + intervalMinutes / 2) / intervalMinutes
    var result: [GlucoseEvent] = []
    for segment in segments {
      var index = segment.lowerBound
      while index < segment.upperBound {
        let reach = min(segment.upperBound, index + max(1, window))
        let high = slots[index..<reach].count { ConsensusLimit.isExceeded(250, by: $0 ?? 0) }
        guard ConsensusLimit.isExceeded(250, by: slots[index] ?? 0), high >= needed else {
          index += 1
          continue
        }
        let found = finish(
          from: index, in: segment, recovered: { !ConsensusLimit.isExceeded(180, by: $0) })
        result.append(event(from: index, to: found.end, isOpen: found.isOpen))
        index = found.next
      }
    }
    return result
  }

  /// Where an event ends: before 15 minutes of recovery, or with the last slot still beyond.
  private func finish(
    from start: Int, in segment: Range<Int>, recovered: (Double) -> Bool
  ) -> (end: Int, next: Int, isOpen: Bool) {
    let needed = max(1, slots(for: 15))
    var index = start
    var lastBeyond = start
    while index < segment.upperBound {
      let run = runLength(from: index, in: segment, where: recovered)
      if run >= needed { return (index, index + run, false) }
      if run == 0 { lastBeyond = index }
      index += max(1, run)
    }
    return (lastBeyond + 1, segment.upperBound, true)
  }

  private func runLength(from start: Int, in segment: Range<Int>, where holds: (Double) -> Bool)
    -> Int
  {
    var index = start
    while index < segment.upperBound, let value = slots[index], holds(value) { index += 1 }
    return index - start
  }

  private func event(from start: Int, to end: Int, isOpen: Bool) -> GlucoseEvent {
    GlucoseEvent(
      start: instant(of: start), duration: instant(of: end) - instant(of: start), isOpen: isOpen)
  }

  /// The slots that `minutes` fill, rounded up.
  private func slots(for minutes: Double) -> Int {
    // Without the last bits: 1.1 hours are 66 minutes, and not a little more.
    Int((max(0, minutes) / Double(intervalMinutes) - 1e-9).rounded(.up))
  }

  private static func apart(_ events: [GlucoseEvent], from others: [GlucoseEvent])
    -> [GlucoseEvent]
  {
    events.filter { event in
      !others.contains { $0.start < event.end && event.start < $0.end }
    }
  }
}

/// How often events of one kind came, and how long they lasted.
public struct GlucoseEventSummary: Hashable, Sendable {
  /// How many events there were.
  public let count: Int
  /// Events per day of observed data; `nil` when nothing was observed.
  public let perDay: Double?
  /// Events per week of observed data; `nil` when nothing was observed.
  public let perWeek: Double?
  /// The mean length in minutes; nothing without events.
  public let meanDurationMinutes: Double?
  /// How many were still going on where the data stopped.
  public let open: Int

  /// Summarises events over so many observed days.
  public init(_ events: [GlucoseEvent], observedDays: Double) {
    count = events.count
    perDay = observedDays > 0 ? Double(events.count) / observedDays : nil
    perWeek = perDay.map { $0 * 7 }
    meanDurationMinutes = Statistics.mean(events.map(\.duration.minutes))
    open = events.count(where: \.isOpen)
  }
}
