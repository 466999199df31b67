/// Numbers of 62 random bits, each of which is in the set or not.
///
/// It takes half the memory of a `Set`, and never twice as much to grow.
///
/// A number stands in one of 16,384 lists by its lowest 14 bits, and its other 48 in the list.
struct IdentitySet {
  private struct List {
    var low: [UInt32] = []
    var high: [UInt16] = []
  }

  private static let logarithm: UInt64 = 14

  private var lists = [List](repeating: List(), count: 1 << Int(Self.logarithm))

  /// Puts a number into the set, whose two highest bits do not count; says whether it is new.
  mutating func insert(_ number: UInt64) -> Bool {
    let place = Int(number & (1 << Self.logarithm - 1))
    let low = UInt32(truncatingIfNeeded: number >> Self.logarithm)
    let high = UInt16(truncatingIfNeeded: number >> (Self.logarithm + 32))
    var start = 0
    while let found = lists[place].low[start...].firstIndex(of: low) {
      if lists[place].high[found] == high { return false }
      start = found + 1
    }
    Self.append(low, to: &lists[place].low)
    Self.append(high, to: &lists[place].high)
    return true
  }

  /// Appends to an array that grows by an eighth, where by itself it would double.
  private static func append<Element>(_ element: Element, to list: inout [Element]) {
    if list.count == list.capacity {
      list.reserveCapacity(list.count + max(8, list.count / 8))
    }
    list.append(element)
  }
}
