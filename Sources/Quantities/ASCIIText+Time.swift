/// Dates and times as ISO 8601 text.
extension ASCIIText {
  /// Appends `2026-03-08T07:15:00`.
  mutating func append(_ civil: CivilTime) {
    append(dateOf: civil)
    append(byte: UInt8(ascii: "T"))
    append(civil.timeOfDay)
  }

  /// Appends `2026-03-08`.
  mutating func append(dateOf civil: CivilTime) {
    if civil.year < 0 { append(byte: UInt8(ascii: "-")) }
    append(civil.year.magnitude, width: 4)
    append(byte: UInt8(ascii: "-"))
    append(civil.month.magnitude, width: 2)
    append(byte: UInt8(ascii: "-"))
    append(civil.day.magnitude, width: 2)
  }

  /// Appends `07:15:00`, with milliseconds where there are some.
  mutating func append(_ time: TimeOfDay) {
    let seconds = UInt(time.milliseconds / 1_000)
    append(seconds / 3_600, width: 2)
    append(byte: UInt8(ascii: ":"))
    append(seconds / 60 % 60, width: 2)
    append(byte: UInt8(ascii: ":"))
    append(seconds % 60, width: 2)
    let fraction = UInt(time.milliseconds % 1_000)
    guard fraction != 0 else { return }
    append(byte: UInt8(ascii: "."))
    append(fraction, width: 3)
  }

  /// Appends a span as a scenario file writes it, such as `1h30m` or `-5m`.
  package mutating func append(_ span: TimeSpan) {
    guard span != .zero else { return append("0s") }
    var rest = span.milliseconds.magnitude
    if span < .zero { append(byte: UInt8(ascii: "-")) }
    appendUnit(86_400_000, "d", from: &rest)
    appendUnit(3_600_000, "h", from: &rest)
    appendUnit(60_000, "m", from: &rest)
    appendUnit(1_000, "s", from: &rest)
    appendUnit(1, "ms", from: &rest)
  }

  /// Appends how often a unit goes into a rest of milliseconds, which keeps what is left.
  private mutating func appendUnit(_ size: UInt64, _ name: String, from rest: inout UInt64) {
    guard rest >= size else { return }
    append(UInt(rest / size), width: 1)
    append(name)
    rest %= size
  }

  /// Appends `Z`, `-07:00`, or `-00:36:44` where an offset has seconds.
  mutating func append(offset: TimeSpan) {
    guard offset != .zero else { return append(byte: UInt8(ascii: "Z")) }
    let seconds = UInt(offset.milliseconds.magnitude / 1_000)
    append(byte: offset < .zero ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    append(seconds / 3_600, width: 2)
    append(byte: UInt8(ascii: ":"))
    append(seconds / 60 % 60, width: 2)
    guard seconds % 60 != 0 else { return }
    append(byte: UInt8(ascii: ":"))
    append(seconds % 60, width: 2)
  }
}
