package import Quantities

/// A sample in memory as plain numbers: sixty-four bytes without a reference.
///
/// What many samples have in common stands once beside them, and so does the little that does not
/// fit in here.
package struct PackedSample: Sendable {
  package let row: Int64
  package let uuid: SampleUUID
  package let start: Instant
  package let end: Instant
  package let created: Instant
  /// The number of a plain quantity.
  package var value = 0.0
  /// The index of what a quantity shares with others, its ``SampleTraits``; -1 for a sample that is
  /// kept whole.
  package var traits: Int32 = -1
  /// The index of a quantity's sync identifier, or -1; for a sample that is kept whole, its index
  /// among those.
  var own: Int32 = -1

  /// The index among the samples that are kept whole; `nil` for a quantity that is not.
  var whole: Int? { traits < 0 ? Int(own) : nil }

  /// The index of the sync identifier of a quantity that is not kept whole; `nil` if it has none.
  var identifier: Int? { traits < 0 || own < 0 ? nil : Int(own) }
}

/// Rows in blocks of a few thousand, so that growing moves nothing, and a change of one copy of a
/// store copies no more than a block.
struct PackedRows: Sendable {
  private static let shift = 12
  private static let blockSize = 1 << shift

  private var blocks: [[PackedSample]] = []
  private(set) var count = 0

  subscript(position: Int) -> PackedSample {
    blocks[position >> Self.shift][position & (Self.blockSize - 1)]
  }

  mutating func append(_ sample: PackedSample) {
    if count & (Self.blockSize - 1) == 0 { startBlock() }
    blocks[blocks.count - 1].append(sample)
    count += 1
  }

  mutating func removeLast() {
    count -= 1
    blocks[blocks.count - 1].removeLast()
    if blocks[blocks.count - 1].isEmpty { blocks.removeLast() }
  }

  /// Begins a block; only those after the first are sure to be filled.
  private mutating func startBlock() {
    var block: [PackedSample] = []
    if !blocks.isEmpty { block.reserveCapacity(Self.blockSize) }
    blocks.append(block)
  }
}
