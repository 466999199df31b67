internal import Quantities

/// The temp basals and suspensions that basal not yet reported follows from, as the pump carried
/// them out.
///
/// A loop that wants no insulin sets the same temp basal again and again, and basal is not reported
/// before that ends. Those of it that are over are joined into one, so that a cycle looks at a few
/// programs however long that goes on.
///
/// Invariant: what basal is cut into from ``all`` is what it is cut into from the whole history of
/// programs, reconciled.
struct RunningPrograms: Sendable {
  /// The programs, earliest first; those before basal that is not yet reported may be missing.
  private(set) var all: [DoseEntry] = []
  /// The programs up to which others were joined.
  private var joined: ArraySlice<DoseEntry> = []
  /// Whether the same rate set again only goes on, in what is reported.
  private let joins: Bool

  /// How many programs of one rate are joined at the least, and how many of the latest never are:
  /// a pump may still correct what it says of these.
  static let (fewest, latest) = (64, 8)

  /// No programs yet.
  init(_ policy: ReportingPolicy) { joins = !policy.reportsOnReissue }

  /// Finds the programs anew, after a change of the history.
  ///
  /// - Parameters:
  ///   - events: The history, which is told how far it has been followed.
  ///   - reported: Up to when basal has been reported.
  mutating func refresh(_ events: inout PumpEventStore, reportedUntil reported: Instant) {
    let oldest = events.takeOldestProgramChange()
    if let last = joined.last, last.end > reported, oldest.map({ $0 > last.end }) ?? true {
      let later = Self.programs(events, reportedUntil: last.end)
      all = joined.filter { $0.end > reported } + later.filter { $0.end > last.end || $0.isMutable }
    } else {
      joined = []
      all = Self.programs(events, reportedUntil: reported)
    }
    join()
  }

  /// The programs of the last day that what ends after an instant follows from, deleted events
  /// included: what the pump did is not undone by hiding it.
  private static func programs(
    _ events: borrowing PumpEventStore, reportedUntil reported: Instant
  ) -> [DoseEntry] {
    events.programs(from: reported - .days(1), stillRunningAfter: reported).reconciled()
  }

  /// Joins the programs of one rate at the end of the list that are over, but for the latest.
  private mutating func join() {
    guard joins, all.count >= Self.fewest else { return }
    let last = all.count - 1 - Self.latest
    var first = all.count - 1
    while first > 0, all[first - 1].end == all[first].start, !all[first - 1].isMutable,
      all[first].hasRate(of: all[first - 1])
    {
      first -= 1
    }
    guard last > first else { return }
    all[first].end = all[last].end
    all.removeSubrange((first + 1)...last)
    joined = all[...first]
  }
}

extension DoseEntry {
  /// Whether both are temp basals at the same rate.
  func hasRate(of other: DoseEntry) -> Bool {
    kind == .tempBasal && other.kind == .tempBasal && unitsPerHour == other.unitsPerHour
  }
}
