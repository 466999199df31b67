internal import WorkCounting

/// Finds the place of a sample by its identity: open addressing over packed 64-bit slots.
///
/// A slot holds the type (8 bits), sixteen bits of the identity, and the position (40 bits), so
/// that nearly every probe is decided without looking at the sample.
struct UUIDIndex: Sendable {
  private static let free = UInt64.max
  private static let removed = UInt64.max - 1

  private var slots: [UInt64] = Array(repeating: free, count: 16)
  /// The slots that are not free.
  private var used = 0

  /// A place in the columns of a backend.
  struct Place: Equatable, Sendable {
    var type: ObjectType
    var position: Int
  }

  init() {}

  /// An index of all live samples in columns.
  init(of columns: [SampleColumn], room: Int = 0) {
    let live = columns.reduce(room) { $0 + $1.rows.count - $1.goneCount }
    var size = 16
    // With room for more than were just made room for: where samples are deleted as well, an index
    // that is nearly full again would be made anew after a few.
    while live * 2 > size { size *= 2 }
    slots = Array(repeating: Self.free, count: size)
    assert(size & (size - 1) == 0, "The index has a power of two of slots.")
    let mask = size - 1
    Work.visit(rows: columns.reduce(0) { $0 + $1.rows.count })
    for (type, column) in columns.enumerated() {
      for position in 0..<column.rows.count where column.isLive(position) {
        let uuid = column.rows[position].uuid
        var index = Self.hash(uuid) & mask
        while slots[index] != Self.free { index = (index + 1) & mask }
        slots[index] = Self.slot(UInt8(type), Self.tag(uuid), position)
        used += 1
      }
    }
  }

  /// Makes room for more places before their samples are appended to the columns.
  mutating func reserve(_ count: Int, in columns: [SampleColumn]) {
    assert(count >= 0, "Room is made for a count of keys.")
    if (used + count) * 3 > slots.count * 2 { self = UUIDIndex(of: columns, room: count) }
  }

  /// The place whose sample has the identity; the columns hold the samples.
  func place(of uuid: SampleUUID, in columns: [SampleColumn]) -> Place? {
    slot(of: uuid, in: columns).flatMap { Self.place(in: slots[$0]) }
  }

  /// Adds the places from a position of a type on, and returns how many: all, or those before the
  /// first whose identity is already there.
  ///
  /// The samples are in the columns, and room was made for them before.
  mutating func insert(
    _ type: ObjectType, from first: Int, in columns: [SampleColumn]
  ) -> Int {
    assert((used + 1) * 3 <= slots.count * 3, "The index has room for what is put in.")
    let rows = columns[Int(type.rawValue)].rows
    let mask = slots.count - 1
    for position in first..<rows.count {
      let uuid = rows[position].uuid
      let wanted = Self.tag(uuid)
      var index = Self.hash(uuid) & mask
      while slots[index] != Self.free {
        if slots[index] != Self.removed, slots[index] >> 40 & 0xFFFF == wanted,
          let other = Self.place(in: slots[index]), Self.uuid(at: other, in: columns) == uuid
        {
          return position - first
        }
        Work.visit(rows: 1)
        index = (index + 1) & mask
      }
      slots[index] = Self.slot(type.rawValue, wanted, position)
      used += 1
    }
    return rows.count - first
  }

  mutating func remove(_ uuid: SampleUUID, in columns: [SampleColumn]) {
    if let slot = slot(of: uuid, in: columns) { slots[slot] = Self.removed }
  }

  private func slot(of uuid: SampleUUID, in columns: [SampleColumn]) -> Int? {
    let mask = slots.count - 1
    var index = Self.hash(uuid) & mask
    let wanted = Self.tag(uuid)
    while slots[index] != Self.free {
      if slots[index] != Self.removed, slots[index] >> 40 & 0xFFFF == wanted,
        let place = Self.place(in: slots[index]), Self.uuid(at: place, in: columns) == uuid
      {
        return index
      }
      Work.visit(rows: 1)
      index = (index + 1) & mask
    }
    return nil
  }

  private static func uuid(at place: Place, in columns: [SampleColumn]) -> SampleUUID {
    columns[Int(place.type.rawValue)].rows[place.position].uuid
  }

  private static func hash(_ uuid: SampleUUID) -> Int {
    let mixed = (uuid.low ^ uuid.high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 20)
  }

  private static func tag(_ uuid: SampleUUID) -> UInt64 { (uuid.low ^ uuid.high) & 0xFFFF }

  private static func slot(_ type: UInt8, _ tag: UInt64, _ position: Int) -> UInt64 {
    UInt64(type) << 56 | tag << 40 | UInt64(truncatingIfNeeded: position)
  }

  private static func place(in packed: UInt64) -> Place? {
    guard let type = ObjectType(rawValue: UInt8(truncatingIfNeeded: packed >> 56)) else {
      return nil
    }
    return Place(type: type, position: Int(packed & 0xFF_FFFF_FFFF))
  }
}
