public import Quantities

/// What a loop did: its cycles, when automatic dosing was on, and the insulin it believed on board.
public struct LoopActivity: Hashable, Sendable {
  /// One attempt to decide.
  public struct Cycle: Hashable, Sendable {
    /// When it was tried.
    public var instant: Instant
    /// Why the cycle did not complete; nothing when it did.
    public var failure: String?

    /// Creates a `Cycle` from its parts; see the properties.
    public init(at instant: Instant, failure: String? = nil) {
      self.instant = instant
      self.failure = failure
    }
  }

  /// A moment at which automatic dosing was turned on or off.
  public struct Switch: Hashable, Sendable {
    /// When it was switched.
    public var instant: Instant
    /// Whether automatic dosing was on from then.
    public var isOn: Bool

    /// Creates a `Switch` from its parts; see the properties.
    public init(at instant: Instant, isOn: Bool) {
      self.instant = instant
      self.isOn = isOn
    }
  }

  /// Insulin on board at a moment, in units.
  public struct InsulinOnBoard: Hashable, Sendable {
    /// When it was so.
    public var instant: Instant
    /// Insulin on board, in U.
    public var units: Double

    /// Creates a `InsulinOnBoard` from its parts; see the properties.
    public init(at instant: Instant, units: Double) {
      self.instant = instant
      self.units = units
    }
  }

  /// The attempts to decide, in the order of time.
  public var cycles: [Cycle]
  /// The switches in the order of time; automatic dosing is off before the first.
  public var switches: [Switch]
  /// The loop's insulin on board, net of the basal schedule.
  public var insulinOnBoard: [InsulinOnBoard]
  /// Of a part of a record: when the last cycle before it completed, which may still be fresh.
  private var completedBefore: Instant?

  /// Creates a `LoopActivity` from its parts; see the properties.
  public init(
    cycles: [Cycle] = [], switches: [Switch] = [], insulinOnBoard: [InsulinOnBoard] = []
  ) {
    assert(
      zip(switches, switches.dropFirst()).allSatisfy { $0.instant <= $1.instant },
      "Switches come in the order of time.")
    assert(
      zip(cycles, cycles.dropFirst()).allSatisfy { $0.instant <= $1.instant },
      "Cycles come in the order of time.")
    self.cycles = cycles
    self.switches = switches
    self.insulinOnBoard = insulinOnBoard
  }

  /// The cycles that completed.
  public var completed: Int { cycles.count { $0.failure == nil } }

  /// When cycles completed.
  private var completions: some BidirectionalCollection<Instant> {
    cycles.lazy.filter { $0.failure == nil }.map(\.instant)
  }

  /// The reasons of failed cycles with their counts, the most frequent first, then by name.
  public var failures: [(reason: String, count: Int)] {
    var counted: [(reason: String, count: Int)] = []
    for reason in cycles.compactMap(\.failure).sorted() {
      if let last = counted.last, last.reason == reason {
        counted[counted.count - 1].count += 1
      } else {
        counted.append((reason, 1))
      }
    }
    return counted.sorted { $0.count > $1.count }
  }

  /// The percentage of time with automatic dosing on and a completed cycle at most 16 minutes old.
  ///
  /// Sixteen minutes are the limit beyond which Loop marks itself stale (Loop's
  /// `LoopCompletionFreshness`).
  public func closedLoopPercent(from start: Instant, to end: Instant) -> Double? {
    guard start < end else { return nil }
    // Switches and cycles come in the order of time, and so do the stretches of the two together.
    var covered = CoveredTime(from: start)
    for (index, change) in switches.enumerated() where change.isOn {
      let until = index + 1 < switches.count ? min(switches[index + 1].instant, end) : end
      func cover(from completed: Instant) {
        covered.add(from: max(completed, change.instant), to: min(completed + .minutes(16), until))
      }
      if let completedBefore { cover(from: completedBefore) }
      for completed in completions where completed < until { cover(from: completed) }
    }
    return 100 * covered.total.minutes / (end - start).minutes
  }

  /// The part of the record from `start` up to, but not including, `end`; switches stay whole.
  public func restricted(from start: Instant, to end: Instant) -> Self {
    var part = Self(
      cycles: cycles.filter { $0.instant >= start && $0.instant < end }, switches: switches,
      insulinOnBoard: insulinOnBoard.filter { $0.instant >= start && $0.instant < end })
    part.completedBefore = completions.last { $0 < start } ?? completedBefore
    return part
  }
}

extension GlucoseSeries {
  /// The percentage of time whose newest reading is older than 15 minutes.
  ///
  /// The Loop algorithm refuses to dose then. `before` is when the last reading before the series
  /// came, where it is a part of another.
  public func percentWithoutReading(
    from start: Instant, to end: Instant, before: Instant? = nil
  ) -> Double? {
    guard start < end else { return nil }
    var covered = CoveredTime(from: start)
    func cover(from reading: Instant) {
      covered.add(from: reading, to: min(reading + .minutes(15), end))
    }
    if let before { cover(from: before) }
    for point in points where point.instant < end { cover(from: point.instant) }
    return 100 - 100 * covered.total.minutes / (end - start).minutes
  }
}

/// The time from an instant on that stretches cover which come in the order of their starts.
private struct CoveredTime {
  private(set) var total = TimeSpan.zero
  private var reached: Instant

  init(from start: Instant) { reached = start }

  mutating func add(from start: Instant, to end: Instant) {
    let from = max(start, reached)
    guard from < end else { return }
    total += end - from
    reached = end
  }
}
