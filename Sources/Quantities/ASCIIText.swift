/// A short text of ASCII letters, put together byte by byte in room of its own.
///
/// A string that grows makes room and checks its letters with every piece, which costs ten times as
/// much. It has room for a line with a few numbers and a time; whoever puts in more is wrong.
package struct ASCIIText {
  private var bytes = InlineArray<96, UInt8>(repeating: 0)
  private var count = 0

  /// Writes a text.
  package init(_ write: (inout Self) -> Void) { write(&self) }

  /// The text as a string.
  package var text: String {
    // All of it is ASCII.
    guard let text = try? UTF8Span(validating: bytes.span.extracting(first: count)) else {
      return ""
    }
    return String(copying: text)
  }

  /// Calls a function with the letters.
  package func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(bytes.span.extracting(first: count))
  }

  /// Appends one letter.
  package mutating func append(byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// Appends a text of ASCII letters.
  package mutating func append(_ text: String) {
    let letters = text.utf8Span.span
    for index in letters.indices { append(byte: letters[index]) }
  }

  /// Appends the last digits of a number in hexadecimal; `letters` is the byte of its letter A.
  package mutating func append(hexadecimal word: UInt64, digits: Int, letters: UInt8) {
    assert((1...16).contains(digits), "A word has up to 16 digits.")
    if digits > 8 {
      let first = HexadecimalDigits(of: UInt32(truncatingIfNeeded: word &>> 32), letters: letters)
      append(letters: first.letters &>> UInt64(8 &* (16 &- digits)), count: digits &- 8)
    }
    let last = HexadecimalDigits(of: UInt32(truncatingIfNeeded: word), letters: letters)
    let count = min(digits, 8)
    append(letters: last.letters &>> UInt64(8 &* (8 &- count)), count: count)
  }

  /// Appends the first of eight letters that are bytes of a word, the first the lowest.
  package mutating func append(letters: UInt64, count: Int) {
    assert((1...8).contains(count), "A word has eight bytes.")
    var rest = letters
    for _ in 0..<count {
      append(byte: UInt8(truncatingIfNeeded: rest))
      rest &>>= 8
    }
  }

  /// Appends a whole number in decimal.
  package mutating func append(_ number: Int64) {
    if number < 0 { append(byte: UInt8(ascii: "-")) }
    append(UInt(number.magnitude), width: 1)
  }

  /// Appends an instant in UTC.
  package mutating func append(_ instant: Instant) { append(instant, by: .utc) }

  /// Appends an instant by a clock, with its offset.
  package mutating func append(_ instant: Instant, by clock: WallClock) {
    let offset = clock.offset(at: instant)
    append(CivilTime(millisecondsSince1970: instant.millisecondsSince1970 &+ offset.milliseconds))
    append(offset: offset)
  }

  /// Appends a number of thousandths in decimal, with two decimals, or three where the third is not
  /// zero.
  mutating func append(thousandths: Int64) {
    let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
    if thousandths < 0 { append(byte: UInt8(ascii: "-")) }
    append(UInt(whole), width: 1)
    append(byte: UInt8(ascii: "."))
    let (hundredths, last) = fraction.quotientAndRemainder(dividingBy: 10)
    append(UInt(hundredths), width: 2)
    if last != 0 { append(UInt(last), width: 1) }
  }

  /// Appends a rate, such as `0.40 U/h`.
  package mutating func append(_ rate: InsulinRate) {
    append(thousandths: rate.milliunitsPerHour)
    append(" U/h")
  }

  /// Appends a number with leading zeros up to a width.
  mutating func append(_ number: UInt, width: Int) {
    assert(width > 0, "A number has at least one digit.")
    if width == 2, number < 100 {
      append(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
      append(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
      return
    }
    if width == 4, number < 10_000 {
      append(number / 100, width: 2)
      append(number % 100, width: 2)
      return
    }
    if number >= 100_000_000 || width > 8 {
      append(number / 100_000_000, width: max(1, width - 8))
      append(number % 100_000_000, width: 8)
      return
    }
    // Digits are found from the last to the first: each goes below those found before.
    var letters: UInt64 = 0
    var count = 0
    var rest = number
    repeat {
      letters = letters << 8 | UInt64(UInt8(ascii: "0")) + UInt64(rest % 10)
      rest /= 10
      count += 1
    } while rest > 0 || count < width
    append(letters: letters, count: count)
  }
}
