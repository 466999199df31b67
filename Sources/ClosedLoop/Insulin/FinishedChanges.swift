/// The latest changes to the finished doses and active boluses of an insulin delivery store.
///
/// Invariant: the changes that are kept are the last of ``count``, in order, each of which added or
/// removed one row. Whoever has followed the store up to one of them can catch up by them alone.
struct FinishedChanges: Sendable, Equatable {
  /// One change.
  enum Change: Sendable, Equatable {
    /// A row that is finished was put behind all that start no later.
    case added(InsulinDeliveryStore.Row)
    case removed(InsulinDeliveryStore.Row)
  }

  /// How many changes are kept at least: what comes together between two cycles.
  private static let kept = 16

  /// How many changes there were, of whatever kind.
  private(set) var count: Int64 = 0
  private var latest: [Change] = []

  mutating func note(_ change: Change) {
    count += 1
    if latest.count >= 2 * Self.kept { latest.removeFirst(Self.kept) }
    latest.append(change)
    assert(latest.count <= 2 * Self.kept, "Only the latest changes are kept.")
    assert(Int64(latest.count) <= count, "There are no more changes than were noted.")
  }

  /// Notes a change that is not told in detail.
  mutating func noteOther() {
    count += 1
    latest.removeAll(keepingCapacity: true)
  }

  /// The changes since there were `count`; `nil` if not all of them are kept.
  func since(_ count: Int64) -> ArraySlice<Change>? {
    let missing = self.count - count
    guard missing >= 0, missing <= latest.count else { return nil }
    return latest.suffix(Int(missing))
  }
}
