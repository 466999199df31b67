internal import Quantities
internal import WorkCounting

/// What is due and when, earliest first; ties come out in the order they were put in.
///
/// A binary heap in one array: a value, so that copying it is part of a checkpoint.
struct EventQueue<Event: Sendable>: Sendable {
  private struct Entry: Sendable {
    let due: Instant
    let arrival: UInt64
    let event: Event

    func precedes(_ other: Entry) -> Bool { (due, arrival) < (other.due, other.arrival) }
  }

  private var heap: [Entry] = []
  private var precedents: UInt64 = 0
  /// Far above any number of events that precede others.
  private var arrivals: UInt64 = 1 << 31
  /// Far above any number of planned events.
  private var consequences: UInt64 = 1 << 32

  /// The instant of the next event; nothing when none is left.
  // Looked at where it is: an event that is taken out is copied.
  var nextDue: Instant? { heap.isEmpty ? nil : heap[0].due }

  /// Adds an event that was planned, or could have been.
  mutating func add(_ event: Event, at due: Instant) {
    assert(arrivals < 1 << 32, "Planned events are numbered below those that follow from others.")
    add(Entry(due: due, arrival: arrivals, event: event))
    arrivals += 1
  }

  /// Adds an event that at one instant comes before all that are planned.
  mutating func addPrecedent(_ event: Event, at due: Instant) {
    assert(precedents < 1 << 31, "Events that precede others are numbered below the planned.")
    add(Entry(due: due, arrival: precedents, event: event))
    precedents += 1
  }

  /// Adds an event that follows from another; at one instant it comes after all that are planned.
  mutating func addConsequence(_ event: Event, at due: Instant) {
    add(Entry(due: due, arrival: consequences, event: event))
    consequences += 1
  }

  private mutating func add(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      Work.visit(rows: 1)
      child = parent
    }
  }

  /// Takes the next event that is due at or before an instant; nothing when there is none.
  mutating func takeNext(through instant: Instant) -> (due: Instant, event: Event)? {
    guard let due = nextDue, due <= instant else { return nil }
    let first = heap[0]
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    assert(heap.first.map { first.due <= $0.due } ?? true, "The earliest event comes first.")
    return (first.due, first.event)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].precedes(heap[smallest]) {
        smallest = child
      }
      guard smallest != parent else { return }
      heap.swapAt(parent, smallest)
      Work.visit(rows: 1)
      parent = smallest
    }
  }
}
