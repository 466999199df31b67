public import Quantities

/// When insulin was counted, so that the amount in any window can be asked for.
///
/// Windows are half-open, (a, b]: a pulse at the end of a window belongs to it.
public struct PulseLog: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var instant: Instant
    /// The sum of all pulses through this one.
    var total: InsulinAmount
  }

  private var entries: ContiguousArray<Entry> = []
  private var totalBefore: InsulinAmount = .zero

  /// The instant up to which entries were forgotten, if any were.
  public private(set) var forgottenThrough: Instant?

  /// Creates a log without pulses.
  public init() {}

  /// The number of entries kept.
  public var count: Int { entries.count }

  /// The sum of all pulses ever counted.
  public var total: InsulinAmount { entries.last?.total ?? totalBefore }

  /// What was counted in the window (start, end].
  ///
  /// Pulses that were forgotten count as if they were not there: ask before forgetting.
  public func amount(after start: Instant, through end: Instant) -> InsulinAmount {
    guard start < end else { return .zero }
    assert(
      forgottenThrough.map { start >= $0 || end <= $0 } ?? true,
      "Pulses that were forgotten are not asked for.")
    return total(through: end) - total(through: start)
  }

  /// Appends a pulse; one that comes out of the order of time counts with the last one.
  public mutating func append(_ amount: InsulinAmount, at instant: Instant) {
    guard amount != .zero else { return }
    assert(amount > .zero, "A pump counts no pulse back.")
    let total = total + amount
    if let last = entries.last, last.instant >= instant {
      entries[entries.count - 1].total = total
    } else {
      entries.append(Entry(instant: instant, total: total))
    }
  }

  /// Forgets the pulses at or before an instant.
  public mutating func forget(through instant: Instant) {
    let index = firstIndex(after: instant)
    forgottenThrough = max(forgottenThrough ?? instant, instant)
    guard index > 0 else { return }
    assert(entries[index - 1].total >= totalBefore, "A log adds up.")
    totalBefore = entries[index - 1].total
    entries.removeFirst(index)
  }

  private func total(through instant: Instant) -> InsulinAmount {
    let index = firstIndex(after: instant)
    return index == 0 ? totalBefore : entries[index - 1].total
  }

  private func firstIndex(after instant: Instant) -> Int {
    // What is asked for is nearly always recent.
    var index = entries.count
    let recent = max(0, index - 8)
    while index > recent {
      guard entries[index - 1].instant > instant else { return index }
      index -= 1
    }
    return entries[..<recent].partitioningIndex { $0.instant > instant }
  }
}
