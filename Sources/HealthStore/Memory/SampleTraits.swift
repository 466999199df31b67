internal import Quantities

/// What many samples of one type have in common.
package struct SampleTraits: Sendable {
  package var unit: HealthUnit
  package var device: Device?
  /// All but the sync identifier.
  package var metadata: Metadata
  package var revision: Int32
  package var source: Int32
}

/// What the samples of one type have in common, each once: open addressing over their places.
///
/// Invariant: no two traits are alike, and every one has a slot, which is found from its hash on
/// before a free one.
struct SampleTraitsTable: Sendable {
  /// The most kinds of metadata that samples share; those of carbohydrates, say, have dates in
  /// them, and to keep what no other sample has would only cost.
  private static let most = 1_024
  private static let free: Int32 = -1

  private(set) var all: [SampleTraits] = []
  private var slots: [Int32] = Array(repeating: free, count: 16)

  /// The traits at a place.
  subscript(index: Int32) -> SampleTraits { all[Int(index)] }

  /// The place of what a stored quantity has in common with others; `nil` if there are too many
  /// kinds of metadata already.
  mutating func index(of stored: StoredSample, _ unit: HealthUnit) -> Int32? {
    let metadata = stored.sample.metadata
    let slot = slot(
      unit, stored.sample.device, metadata, revision: stored.revision, source: stored.source)
    if slots[slot] != Self.free { return slots[slot] }
    guard metadata.isEmpty || all.count < Self.most else { return nil }
    return add(
      SampleTraits(
        unit: unit, device: stored.sample.device, metadata: metadata.with(syncIdentifier: nil),
        revision: stored.revision, source: stored.source), at: slot)
  }

  /// The place of what samples without metadata have in common, of which there are few kinds.
  mutating func index(
    _ unit: HealthUnit, _ device: Device?, revision: Int32, source: Int32
  ) -> Int32 {
    let slot = slot(unit, device, .none, revision: revision, source: source)
    if slots[slot] != Self.free { return slots[slot] }
    return add(
      SampleTraits(
        unit: unit, device: device, metadata: .none, revision: revision, source: source), at: slot)
  }

  /// The slot of traits, or the free one where the search for them ended.
  private func slot(
    _ unit: HealthUnit, _ device: Device?, _ metadata: Metadata, revision: Int32, source: Int32
  ) -> Int {
    let span = all.span
    let mask = slots.count - 1
    var slot = Self.firstSlot(of: metadata) & mask
    while slots[slot] != Self.free {
      let index = Int(slots[slot])
      if span[index].source == source, span[index].revision == revision,
        span[index].metadata.othersAreWritten(like: metadata), span[index].unit == unit,
        span[index].device == device
      {
        return slot
      }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func add(_ traits: SampleTraits, at slot: Int) -> Int32 {
    assert(slots[slot] == Self.free, "Traits that are new take a free slot.")
    let index = Int32(all.count)
    all.append(traits)
    slots[slot] = index
    if all.count * 2 > slots.count { grow() }
    return index
  }

  private static func firstSlot(of metadata: Metadata) -> Int {
    Int(truncatingIfNeeded: metadata.foldOfValues >> 32)
  }

  private mutating func grow() {
    slots = Array(repeating: Self.free, count: slots.count * 2)
    let mask = slots.count - 1
    for index in all.indices {
      var slot = Self.firstSlot(of: all[index].metadata) & mask
      while slots[slot] != Self.free { slot = (slot + 1) & mask }
      slots[slot] = Int32(index)
    }
  }
}
