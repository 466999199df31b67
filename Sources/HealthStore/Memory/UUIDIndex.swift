/// Finds the place of a sample by its identity: open addressing over packed 64-bit slots.
///
/// A slot holds the type (8 bits), sixteen bits of the identity, and the position (40 bits), so
/// that nearly every probe is decided without looking at the sample.
struct UUIDIndex: Sendable {
  private static let free = UInt64.max
  private static let removed = UInt64.max - 1

  private var slots: [UInt64] = Array(repeating: free, count: 16)
  private var used = 0

  /// A place in the columns of a backend.
  struct Place: Equatable, Sendable {
    var type: ObjectType
    var position: Int
  }

  /// The place whose sample has the identity; the columns hold the samples.
  func place(of uuid: SampleUUID, in columns: [SampleColumn]) -> Place? {
    slot(of: uuid, in: columns).flatMap { Self.place(in: slots[$0]) }
  }

  /// Adds a place, unless the identity is already there; says whether it was added.
  mutating func insert(
    _ uuid: SampleUUID, at place: Place, in columns: [SampleColumn]
  ) -> Bool {
    if used * 3 >= slots.count * 2 { grow(in: columns) }
    let mask = slots.count - 1
    var index = Self.hash(uuid) & mask
    let wanted = Self.tag(uuid)
    while slots[index] != Self.free {
      if slots[index] != Self.removed, slots[index] >> 40 & 0xFFFF == wanted,
        let other = Self.place(in: slots[index]), Self.uuid(at: other, in: columns) == uuid
      {
        return false
      }
      index = (index + 1) & mask
    }
    slots[index] =
      UInt64(place.type.rawValue) << 56 | wanted << 40 | UInt64(truncatingIfNeeded: place.position)
    used += 1
    return true
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
      index = (index + 1) & mask
    }
    return nil
  }

  /// Makes room, by more slots or by clearing those of removed places.
  private mutating func grow(in columns: [SampleColumn]) {
    let old = slots
    let live = old.count { $0 != Self.free && $0 != Self.removed }
    slots = Array(repeating: Self.free, count: live * 3 >= old.count ? old.count * 2 : old.count)
    used = 0
    let mask = slots.count - 1
    for packed in old where packed != Self.free && packed != Self.removed {
      guard let place = Self.place(in: packed) else { continue }
      var index = Self.hash(Self.uuid(at: place, in: columns)) & mask
      while slots[index] != Self.free { index = (index + 1) & mask }
      slots[index] = packed
      used += 1
    }
  }

  private static func uuid(at place: Place, in columns: [SampleColumn]) -> SampleUUID {
    columns[Int(place.type.rawValue)].rows[place.position].sample.uuid
  }

  private static func hash(_ uuid: SampleUUID) -> Int {
    let mixed = (uuid.low ^ uuid.high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 20)
  }

  private static func tag(_ uuid: SampleUUID) -> UInt64 { (uuid.low ^ uuid.high) & 0xFFFF }

  private static func place(in packed: UInt64) -> Place? {
    guard let type = ObjectType(rawValue: UInt8(truncatingIfNeeded: packed >> 56)) else {
      return nil
    }
    return Place(type: type, position: Int(packed & 0xFF_FFFF_FFFF))
  }
}
