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

  /// The place whose sample has the identity; `uuidAt` reads the identity at a place.
  func place(of uuid: SampleUUID, uuidAt: (Place) -> SampleUUID) -> Place? {
    slot(of: uuid, uuidAt: uuidAt).flatMap { Self.place(in: slots[$0]) }
  }

  /// Adds a place, unless the identity is already there; says whether it was added.
  mutating func insert(
    _ uuid: SampleUUID, at place: Place, uuidAt: (Place) -> SampleUUID
  ) -> Bool {
    if used * 3 >= slots.count * 2 { grow(uuidAt: uuidAt) }
    let mask = slots.count - 1
    var index = Self.hash(uuid) & mask
    let wanted = Self.tag(uuid)
    while slots[index] != Self.free {
      if slots[index] != Self.removed, slots[index] >> 40 & 0xFFFF == wanted,
        let other = Self.place(in: slots[index]), uuidAt(other) == uuid
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

  mutating func remove(_ uuid: SampleUUID, uuidAt: (Place) -> SampleUUID) {
    if let slot = slot(of: uuid, uuidAt: uuidAt) { slots[slot] = Self.removed }
  }

  mutating func reserve(_ count: Int, uuidAt: (Place) -> SampleUUID) {
    while (used + count) * 3 >= slots.count * 2 { grow(uuidAt: uuidAt) }
  }

  private func slot(of uuid: SampleUUID, uuidAt: (Place) -> SampleUUID) -> Int? {
    let mask = slots.count - 1
    var index = Self.hash(uuid) & mask
    let wanted = Self.tag(uuid)
    while slots[index] != Self.free {
      if slots[index] != Self.removed, slots[index] >> 40 & 0xFFFF == wanted,
        let place = Self.place(in: slots[index]), uuidAt(place) == uuid
      {
        return index
      }
      index = (index + 1) & mask
    }
    return nil
  }

  private mutating func grow(uuidAt: (Place) -> SampleUUID) {
    let old = slots
    slots = Array(repeating: Self.free, count: old.count * 2)
    used = 0
    let mask = slots.count - 1
    for packed in old where packed != Self.free && packed != Self.removed {
      guard let place = Self.place(in: packed) else { continue }
      var index = Self.hash(uuidAt(place)) & mask
      while slots[index] != Self.free { index = (index + 1) & mask }
      slots[index] = packed
      used += 1
    }
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
