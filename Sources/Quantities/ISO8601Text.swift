/// Dates and times as ISO 8601 text, put together byte by byte.
struct ISO8601Text {
  /// As much as the longest years and offsets need.
  private var bytes = InlineArray<64, UInt8>(repeating: 0)
  private var count = 0

  init(_ write: (inout Self) -> Void) { write(&self) }

  var text: String {
    // All of it is ASCII.
    guard let text = try? UTF8Span(validating: bytes.span.extracting(first: count)) else {
      return ""
    }
    return String(copying: text)
  }

  private mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// Appends `2026-03-08T07:15:00`.
  mutating func append(_ civil: CivilTime) {
    append(dateOf: civil)
    append(UInt8(ascii: "T"))
    append(civil.timeOfDay)
  }

  /// Appends `2026-03-08`.
  mutating func append(dateOf civil: CivilTime) {
    if civil.year < 0 { append(UInt8(ascii: "-")) }
    append(civil.year.magnitude, width: 4)
    append(UInt8(ascii: "-"))
    append(civil.month.magnitude, width: 2)
    append(UInt8(ascii: "-"))
    append(civil.day.magnitude, width: 2)
  }

  /// Appends `07:15:00`, with milliseconds where there are some.
  mutating func append(_ time: TimeOfDay) {
    let seconds = UInt(time.milliseconds / 1_000)
    append(seconds / 3_600, width: 2)
    append(UInt8(ascii: ":"))
    append(seconds / 60 % 60, width: 2)
    append(UInt8(ascii: ":"))
    append(seconds % 60, width: 2)
    let fraction = UInt(time.milliseconds % 1_000)
    guard fraction != 0 else { return }
    append(UInt8(ascii: "."))
    append(fraction, width: 3)
  }

  /// Appends `Z`, `-07:00`, or `-00:36:44` where an offset has seconds.
  mutating func append(offset: TimeSpan) {
    guard offset != .zero else { return append(UInt8(ascii: "Z")) }
    let seconds = UInt(offset.milliseconds.magnitude / 1_000)
    append(offset < .zero ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    append(seconds / 3_600, width: 2)
    append(UInt8(ascii: ":"))
    append(seconds / 60 % 60, width: 2)
    guard seconds % 60 != 0 else { return }
    append(UInt8(ascii: ":"))
    append(seconds % 60, width: 2)
  }

  /// Appends a number with leading zeros up to a width.
  private mutating func append(_ number: UInt, width: Int) {
    assert(width > 0, "A number has at least one digit.")
    if width == 2, number < 100 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
      return
    }
    if width == 4, number < 10_000 {
      append(number / 100, width: 2)
      append(number % 100, width: 2)
      return
    }
    var divisor: UInt = 1
    for _ in 1..<width { divisor *= 10 }
    while number / divisor > 9 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}
