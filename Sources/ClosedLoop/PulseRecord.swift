public import Quantities

/// When the pump gave how much basal insulin, as far as it told the app.
///
/// A pulse at an instant belongs to the stretch that ends there: windows are open at their start
/// and closed at their end.
public struct PulseRecord: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    var instant: Instant
    /// All insulin up to and with this entry.
    var total: InsulinAmount
  }

  private var entries: [Entry] = []
  private var forgotten: InsulinAmount = .zero

  public init() {}

  /// All basal insulin noted so far.
  public var total: InsulinAmount { entries.last?.total ?? forgotten }

  /// Notes insulin given at an instant; instants must not run backwards.
  public mutating func note(_ amount: InsulinAmount, at instant: Instant) {
    guard amount != .zero else { return }
    let total = total + amount
    if let last = entries.last, last.instant >= instant {
      entries[entries.count - 1].total = total
    } else {
      entries.append(Entry(instant: instant, total: total))
    }
  }

  /// The insulin given after `start`, up to and with `end`.
  public func delivered(after start: Instant, through end: Instant) -> InsulinAmount {
    guard start < end else { return .zero }
    return total(through: end) - total(through: start)
  }

  /// Forgets the instants of insulin given up to and with an instant; the total stays.
  public mutating func forget(through instant: Instant) {
    let index = firstIndex(after: instant)
    guard index > 256 else { return }
    forgotten = entries[index - 1].total
    entries.removeFirst(index)
  }

  private func total(through instant: Instant) -> InsulinAmount {
    let index = firstIndex(after: instant)
    return index == 0 ? forgotten : entries[index - 1].total
  }

  private func firstIndex(after instant: Instant) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].instant <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
