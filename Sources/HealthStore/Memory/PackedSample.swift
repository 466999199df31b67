internal import Quantities

/// A sample in memory as plain numbers: sixty-four bytes without a reference.
///
/// What many samples have in common stands once beside them, and so does the little that does not
/// fit in here.
struct PackedSample: Sendable {
  var row: Int64
  var uuid: SampleUUID
  var start: Instant
  var end: Instant
  var created: Instant
  /// The number of a plain quantity.
  var value = 0.0
  /// The index of what a plain quantity shares with others, or -1.
  var traits: Int32 = -1
  /// The index among the samples that are kept whole, or -1.
  var whole: Int32 = -1
}

/// What samples of one type that are saved together have in common.
struct SampleTraits: Hashable, Sendable {
  var unit: HealthUnit
  var device: Device?
  var revision: Int32
  var source: Int32
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
