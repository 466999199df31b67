internal import WorkCounting

/// Finds the latest sample of a source with a sync identifier: open addressing over packed 64-bit
/// slots.
///
/// A slot holds the type (8 bits), twenty-four bits of the hash, by which a larger index finds its
/// place without a look at the sample, and the position (32 bits). The identifiers themselves stand
/// in the samples only. Invariant: the index has a place for each type, source and identifier that
/// a live sample has, and it is that of the one of them that was put in last.
struct SyncIndex: Sendable {
  private static let free = UInt64.max
  private static let removed = UInt64.max - 1

  private var slots: [UInt64] = Array(repeating: free, count: 16)
  /// The slots that are not free.
  private var used = 0
  /// How many live samples lost their place to a later one with their identifier.
  private var hidden = 0

  init() {}

  /// An index of all live samples in columns.
  init(of columns: [SampleColumn]) {
    for (type, column) in columns.enumerated() {
      guard let type = ObjectType(rawValue: UInt8(type)) else { continue }
      for position in 0..<column.rows.count where column.isLive(position) {
        put(type, position, in: columns)
      }
    }
  }

  /// The position of the sample of a type and source with an identifier.
  func position(
    of identifier: SyncIdentifier, _ type: ObjectType, source: Int32, in columns: [SampleColumn]
  ) -> Int? {
    slot(of: identifier, identifier.placeHash, type, source, in: columns).found.map {
      Self.position(in: slots[$0])
    }
  }

  /// Puts in the sample at a position, in place of another with its identifier; does nothing for
  /// one that has none.
  mutating func put(_ type: ObjectType, _ position: Int, in columns: [SampleColumn]) {
    // Looked at where it is: a column taken out of the list is copied.
    let column = Int(type.rawValue)
    let places = columns.span
    guard let identifier = places[column].syncIdentifier(at: position) else { return }
    if (used + 1) * 3 > slots.count * 2 { grow(in: columns) }
    let hash = identifier.placeHash
    let (found, free) = slot(
      of: identifier, hash, type, places[column].source(at: position), in: columns)
    if found == nil { used += 1 } else { hidden += 1 }
    slots[found ?? free] = Self.slot(type, hash, position)
  }

  /// Takes out the live sample at a position; where it had taken the place of another with its
  /// identifier that is still there, that one has it again.
  mutating func remove(_ type: ObjectType, _ position: Int, in columns: [SampleColumn]) {
    let column = Int(type.rawValue)
    guard let identifier = columns[column].syncIdentifier(at: position) else { return }
    let hash = identifier.placeHash
    let source = columns[column].source(at: position)
    guard let index = slot(of: identifier, hash, type, source, in: columns).found else { return }
    guard Self.position(in: slots[index]) == position else {
      hidden -= 1
      return
    }
    slots[index] = Self.removed
    guard hidden > 0 else { return }
    let earlier = columns[column].lastLive(identifier, of: source, before: position)
    guard let earlier else { return }
    hidden -= 1
    slots[index] = Self.slot(type, hash, earlier)
  }

  /// The slot of an identifier with its hash, or the free one where the search for it ended.
  private func slot(
    of identifier: SyncIdentifier, _ hash: UInt64, _ type: ObjectType, _ source: Int32,
    in columns: [SampleColumn]
  ) -> (found: Int?, free: Int) {
    let column = Int(type.rawValue)
    let mask = slots.count - 1
    let wanted = Self.slot(type, hash, 0) >> 32
    var index = Self.index(of: wanted, mask)
    while slots[index] != Self.free {
      let slot = slots[index]
      if slot != Self.removed, slot >> 32 == wanted,
        columns[column].source(at: Self.position(in: slot)) == source,
        columns[column].syncIdentifier(at: Self.position(in: slot)) == identifier
      {
        return (index, index)
      }
      Work.visit(rows: 1)
      index = (index + 1) & mask
    }
    return (nil, index)
  }

  /// Makes room, and forgets the slots that were taken out.
  private mutating func grow(in columns: [SampleColumn]) {
    let old = slots
    Work.visit(rows: old.count)
    let live = old.count { $0 != Self.free && $0 != Self.removed }
    var size = 16
    while (live + 1) * 2 > size { size *= 2 }
    slots = Array(repeating: Self.free, count: size)
    used = live
    for slot in old where slot != Self.free && slot != Self.removed {
      var index = Self.index(of: slot >> 32, size - 1)
      while slots[index] != Self.free { index = (index + 1) & (size - 1) }
      slots[index] = slot
    }
  }

  /// Where the search for a slot begins, by the half of it that is not the position.
  ///
  /// An index of more than 16 million slots has its places at equal distances, and fills those in
  /// between from there.
  private static func index(of key: UInt64, _ mask: Int) -> Int {
    let hash = Int(key & 0xFF_FFFF)
    return mask > 0xFF_FFFF ? hash * ((mask + 1) >> 24) : hash & mask
  }

  private static func slot(_ type: ObjectType, _ hash: UInt64, _ position: Int) -> UInt64 {
    assert(position <= Int(UInt32.max), "A column holds fewer samples than can be numbered.")
    return UInt64(type.rawValue) << 56 | (hash >> 20 & 0xFF_FFFF) << 32
      | UInt64(truncatingIfNeeded: position)
  }

  private static func position(in slot: UInt64) -> Int { Int(slot & 0xFFFF_FFFF) }
}
