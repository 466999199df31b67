/// What was made of byte strings that recur: made once, as long as few others come between.
///
/// A table of one entry per place, in which a newcomer takes the place of the one before it, so
/// that it never grows.
struct RecurringParts<Value> {
  private var entries: [(bytes: [UInt8], value: Value)?] = Array(repeating: nil, count: 256)

  /// The longest byte string that is kept.
  private static var limit: Int { 1_000 }

  /// What was made of some bytes, or is made now.
  mutating func value(of bytes: ArraySlice<UInt8>, _ make: () -> Value) -> Value {
    let place = Self.place(of: bytes.span)
    if let entry = entries[place], Self.areEqual(entry.bytes.span, bytes.span) {
      return entry.value
    }
    let value = make()
    if bytes.count <= Self.limit { entries[place] = (Array(bytes), value) }
    return value
  }

  /// The place of some bytes, by their number and the last of them.
  private static func place(of bytes: Span<UInt8>) -> Int {
    var hash = UInt32(truncatingIfNeeded: bytes.count)
    for index in max(0, bytes.count - 32)..<bytes.count {
      hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193
    }
    return Int((hash ^ hash >> 16) & 255)
  }

  private static func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    // Without a way out, so that many bytes are compared at once.
    var difference: UInt8 = 0
    for index in one.indices { difference |= one[index] ^ other[index] }
    return difference == 0
  }
}
