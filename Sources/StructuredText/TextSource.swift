/// The bytes of a file, a place in them, and the line and column of that place.
///
/// A line ends with LF, CR LF or CR. Columns count Unicode scalars; the count goes on from the last
/// place asked for, so that a file of one very long line costs no more than any other.
struct TextSource {
  let bytes: [UInt8]
  let file: String
  /// The place of the next byte to be read.
  var offset = 0
  private(set) var line = 1
  private var lineStart = 0
  private var countedOffset = 0
  private var countedColumn = 1

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  var isAtEnd: Bool { offset >= bytes.count }

  /// The byte at the current place, or zero at the end.
  var byte: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  /// The byte some places further on, or zero beyond the end.
  func byte(ahead count: Int) -> UInt8 {
    offset + count < bytes.count ? bytes[offset + count] : 0
  }

  /// Whether the bytes from here on begin with the given ones.
  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard offset + count <= bytes.count else { return false }
    return text.withUTF8Buffer { expected in
      for index in 0..<count where unsafe expected[index] != bytes[offset + index] { return false }
      return true
    }
  }

  /// Consumes a line end at the current place; does nothing elsewhere.
  mutating func passLineEnd() {
    switch byte {
    case 0x0a: offset += 1
    case 0x0d: offset += byte(ahead: 1) == 0x0a ? 2 : 1
    default: return
    }
    line += 1
    lineStart = offset
    countedOffset = offset
    countedColumn = 1
  }

  /// Consumes one byte, counting lines.
  mutating func pass() {
    guard !isAtEnd else { return }
    if byte == 0x0a || byte == 0x0d { passLineEnd() } else { offset += 1 }
  }

  /// The place that is about to be read.
  mutating func position() -> TextPosition { position(at: offset) }

  /// A place on the current line.
  mutating func position(at place: Int) -> TextPosition {
    if place < countedOffset {
      countedOffset = lineStart
      countedColumn = 1
    }
    let end = min(place, bytes.count)
    while countedOffset < end {
      // A continuation byte belongs to the character before it.
      if bytes[countedOffset] & 0xc0 != 0x80 { countedColumn += 1 }
      countedOffset += 1
    }
    return TextPosition(file: file, line: line, column: countedColumn)
  }

  /// The bytes of a range as text; invalid ones become U+FFFD.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The place of the first byte that is not UTF-8, or nothing.
  func firstInvalidByte() -> Int? {
    var index = 0
    let count = bytes.count
    while index < count {
      let first = bytes[index]
      if first < 0x80 {
        index += 1
        continue
      }
      let length: Int
      let second: ClosedRange<UInt8>
      switch first {
      case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
      case 0xe0: (length, second) = (3, 0xa0...0xbf)
      case 0xed: (length, second) = (3, 0x80...0x9f)
      case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
      case 0xf0: (length, second) = (4, 0x90...0xbf)
      case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
      case 0xf4: (length, second) = (4, 0x80...0x8f)
      default: return index
      }
      guard index + length <= count, second.contains(bytes[index + 1]) else { return index }
      for place in (index + 2)..<max(index + 2, index + length)
      where bytes[place] & 0xc0 != 0x80 { return index }
      index += length
    }
    return nil
  }

  /// The place of any byte of the file, counted from its beginning.
  func positionFromStart(of place: Int) -> TextPosition {
    var walker = TextSource(bytes: bytes, file: file)
    while walker.offset < place { walker.pass() }
    return walker.position(at: place)
  }
}
