/// The bytes of a file, a place in them, and the line and column of that place.
///
/// A line ends with LF, CR LF or CR. Columns count Unicode scalars; the count goes on from the last
/// place asked for, so that a file of one very long line costs no more than any other.
struct TextSource {
  private(set) var bytes: [UInt8]
  let file: String
  /// The place of the next byte to be read.
  var offset = 0
  private(set) var line = 1
  private var lineStart = 0
  private var countedOffset = 0
  private var countedColumn = 1
  /// The column at ``lineStart``: not the first where a line began in bytes that are gone.
  private var firstColumn = 1

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    if starts(with: Self.byteOrderMark) {
      lineStart = 3
      countedOffset = 3
    }
  }

  /// A mark of the byte order is no character of the first line.
  private static let byteOrderMark: StaticString = "\u{FEFF}"

  /// Passes a mark of the byte order at the current place.
  mutating func passByteOrderMark() {
    guard starts(with: Self.byteOrderMark) else { return }
    offset += 3
    lineStart = offset
    countedOffset = offset
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
    firstColumn = 1
  }

  /// Consumes one byte, counting lines.
  mutating func pass() {
    guard !isAtEnd else { return }
    if byte == 0x0a || byte == 0x0d { passLineEnd() } else { offset += 1 }
  }

  /// Consumes bytes as long as they are of a kind, which must hold no line end.
  mutating func pass(while isMeant: (UInt8) -> Bool) { offset = end(while: isMeant) }

  private func end(while isMeant: (UInt8) -> Bool) -> Int {
    let span = bytes.span
    var place = offset
    while place < span.count, isMeant(span[place]) { place += 1 }
    return place
  }

  /// The first place of a byte in a range.
  func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    let span = bytes.span
    for place in range where span[place] == byte { return place }
    return nil
  }

  /// Whether the bytes of two ranges are the same.
  func areEqual(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    assert(
      one.upperBound <= bytes.count && other.upperBound <= bytes.count, "Both are of the text.")
    guard one.count == other.count else { return false }
    let span = bytes.span
    for index in 0..<one.count
    where span[one.lowerBound + index] != span[other.lowerBound + index] { return false }
    return true
  }

  /// A place whose line and column are seldom asked for, while its bytes are there.
  struct Mark {
    fileprivate let offset: Int
    fileprivate let line: Int
    fileprivate let lineStart: Int
    fileprivate let firstColumn: Int
  }

  /// The place that is about to be read.
  var mark: Mark {
    Mark(offset: offset, line: line, lineStart: lineStart, firstColumn: firstColumn)
  }

  /// The line and column of a mark.
  func position(of mark: Mark) -> TextPosition {
    let end = max(mark.lineStart, min(mark.offset, bytes.count))
    let column = bytes[mark.lineStart..<end].count { $0 & 0xc0 != 0x80 }
    return TextPosition(file: file, line: mark.line, column: mark.firstColumn + column)
  }

  /// The place that is about to be read.
  mutating func position() -> TextPosition { position(at: offset) }

  /// A place on the current line.
  mutating func position(at place: Int) -> TextPosition {
    if place < countedOffset {
      countedOffset = lineStart
      countedColumn = firstColumn
    }
    let end = min(place, bytes.count)
    if countedOffset < end {
      // A continuation byte belongs to the character before it.
      var characters = 0
      for byte in bytes[countedOffset..<end] where byte & 0xc0 != 0x80 { characters += 1 }
      countedColumn += characters
      countedOffset = end
    }
    return TextPosition(file: file, line: line, column: countedColumn)
  }

  /// The bytes of a range as text; invalid ones become U+FFFD.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Puts other bytes where those stood that were read, and appends more.
  ///
  /// The current place stays what it was, after the kept bytes.
  mutating func refill(keeping kept: [UInt8], appending more: [UInt8]) {
    _ = position()
    var fresh = kept
    fresh.reserveCapacity(kept.count + bytes.count - offset + more.count)
    fresh += bytes[min(offset, bytes.count)...]
    fresh += more
    bytes = fresh
    offset = kept.count
    lineStart = offset
    countedOffset = offset
    firstColumn = countedColumn
  }

  /// Where the last character ends that is there as a whole.
  var endOfWholeCharacters: Int {
    var end = bytes.count
    while end > 0, bytes.count - end < 3, bytes[end - 1] & 0xc0 == 0x80 { end -= 1 }
    guard end > 0, bytes[end - 1] >= 0xc0 else { return bytes.count }
    let lead = bytes[end - 1]
    let length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    return end - 1 + length <= bytes.count ? bytes.count : end - 1
  }

  /// The place of the first byte that is not UTF-8, or nothing.
  func firstInvalidByte() -> Int? { firstInvalidByte(in: 0..<bytes.count) }

  /// The place of the first byte in a range that is not UTF-8, or nothing.
  func firstInvalidByte(in range: Range<Int>) -> Int? {
    // The standard library looks at many bytes at once, but tells another place.
    if (try? UTF8Span(validating: bytes.span.extracting(range))) != nil { return nil }
    var index = range.lowerBound
    let count = range.upperBound
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

  /// The place of a byte further on.
  func positionAhead(of place: Int) -> TextPosition {
    var walker = self
    while walker.offset < place { walker.pass() }
    return walker.position(at: place)
  }
}
