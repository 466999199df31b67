/// A list whose first elements leave one after another, as a window over time moves on.
///
/// An array moves all that stay with each that leaves. Here what has left keeps its place until so
/// much has left that moving pays. Invariant: the list is `storage` from `gone` on.
struct SlidingList<Element: Sendable>: Sendable {
  private(set) var storage: [Element] = []
  /// How many elements at the beginning have left.
  private(set) var gone = 0

  /// How many that have left keep their places.
  private static var mostGone: Int { 64 }

  mutating func append(_ element: Element) { storage.append(element) }

  mutating func insert(_ element: Element, at index: Int) {
    assert((0...count).contains(index), "An element is put among those that are there.")
    storage.insert(element, at: gone + index)
  }

  mutating func remove(at index: Int) {
    assert(indices.contains(index), "An element that is removed is there.")
    if index == 0 { removeFirst(1) } else { storage.remove(at: gone + index) }
  }

  mutating func removeSubrange(_ range: Range<Int>) {
    assert(range.lowerBound >= 0 && range.upperBound <= count, "Elements that leave are there.")
    if range.lowerBound == 0 {
      removeFirst(range.count)
    } else {
      storage.removeSubrange((gone + range.lowerBound)..<(gone + range.upperBound))
    }
  }

  mutating func removeFirst(_ leaving: Int) {
    precondition(leaving <= count, "No more elements leave than there are.")
    gone += leaving
    guard gone == storage.count || gone > Self.mostGone else { return }
    storage.removeFirst(gone)
    gone = 0
  }

  mutating func removeLast(_ leaving: Int) {
    precondition(leaving <= count, "No more elements leave than there are.")
    storage.removeLast(leaving)
  }

  mutating func removeAll() {
    storage.removeAll(keepingCapacity: true)
    gone = 0
  }
}

extension SlidingList: RandomAccessCollection {
  var startIndex: Int { 0 }
  @inline(__always)
  var endIndex: Int { storage.count - gone }

  @inline(__always)
  subscript(index: Int) -> Element {
    _read {
      precondition(index >= 0, "The elements that have left are not looked at.")
      yield storage[gone + index]
    }
    _modify {
      precondition(index >= 0, "The elements that have left are not changed.")
      yield &storage[gone + index]
    }
  }
}
