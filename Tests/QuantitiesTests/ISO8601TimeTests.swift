import Determinism
import Quantities
import Testing

@Suite("ISO 8601")
struct ISO8601TimeTests {
  @Test(
    "A time with an offset is a moment",
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("2026-03-08T10:00:00Z", 1_772_964_000_000),
      ("2026-03-08T03:00:00-07:00", 1_772_964_000_000),
      ("2026-03-08 03:00:00 -0700", 1_772_964_000_000),
      ("2026-03-08T03:00-07", 1_772_964_000_000),
      ("2026-03-08t15:45:00.000+05:45", 1_772_964_000_000),
      ("2026-03-08T10:00:00.25z", 1_772_964_000_250),
      ("2026-03-08T10:00:00,2509999999Z", 1_772_964_000_250),
      ("1969-12-31T23:59:59.999Z", -1),
      ("1900-01-01T00:00:00-00:36:44", -2_208_986_596_000),
    ] as [(String, Int64)])
  func readsMoments(text: String, milliseconds: Int64) {
    #expect(Instant(iso8601: text) == Instant(millisecondsSince1970: milliseconds))
  }

  @Test(
    "A time without an offset is what a clock shows",
    arguments: [
      ("2026-03-08", "2026-03-08T00:00:00"),
      ("2026-03-08T07:15", "2026-03-08T07:15:00"),
      ("2026-03-08 07:15:30", "2026-03-08T07:15:30"),
      ("2026-03-08T07:15:30.5", "2026-03-08T07:15:30.500"),
      ("0000-02-29T23:59:59.999", "0000-02-29T23:59:59.999"),
      ("9999-12-31", "9999-12-31T00:00:00"),
    ])
  func readsCivilTimes(text: String, expected: String) throws {
    #expect(try civil(text).description == expected)
    #expect(Instant(iso8601: text) == nil)
  }

  @Test(
    "Other text is refused",
    arguments: [
      "", "2026", "2026-03", "2026-3-8", "26-03-08", "2026-02-29", "2026-13-01", "2026-03-08T",
      "2026-03-08T7:15", "2026-03-08T24:00", "2026-03-08T23:60", "2026-03-08T23:59:60",
      "2026-03-08T07:15:00.", "2026-03-08T07:15:00.Z", "2026-03-08T07:15:00+", "2026-03-08Z",
      "2026-03-08T07:15:00+24:00", "2026-03-08T07:15:00+01:60", "2026-03-08T07:15:00+1",
      "2026-03-08T07:15:00ZZ", "2026-03-08T07:15:00Z ", " 2026-03-08", "2026-03-08T07:15:00  Z",
      "2026/03/08", "20260308T071500Z", "+2026-03-08", "-2026-03-08", "2026-03-08T07:15:00+01:",
      "２０２６-03-08", "2026-03-08T07:15:00é", "2026-03-08T07:15:00−07:00",
    ])
  func refusesOtherText(text: String) {
    #expect(ISO8601Time(text) == nil)
  }

  @Test("A moment that has an offset is not a civil time")
  func keepsKindsApart() {
    #expect(CivilTime(iso8601: "2026-03-08T07:15:00Z") == nil)
    #expect(CivilTime(iso8601: "2026-03-08T07:15:00+00:00") == nil)
  }

  @Test("What a clock writes is read back as the same moment", arguments: 0..<40 as Range<UInt64>)
  func readsWhatClocksWrite(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, name: "iso")
    let offset = TimeSpan.seconds(Int64(stream.integer(below: 100_801)) - 50_400)
    let clock = WallClock(initialOffset: offset)
    for _ in 0..<50 {
      let moment = Instant(
        millisecondsSince1970: Int64(stream.integer(below: 8_000_000_000_000)) - 4_000_000_000_000)
      let text = clock.iso8601(moment)
      #expect(Instant(iso8601: text) == moment, "\(text)")
    }
  }

  @Test("Any bytes are read or refused, and none traps", arguments: 0..<20 as Range<UInt64>)
  func survivesAnyBytes(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "bytes")
    for _ in 0..<200 {
      var bytes = Array("2026-03-08T07:15:00.250-07:00".utf8)
      for _ in 0...stream.integer(below: 3) {
        bytes[Int(stream.integer(below: UInt64(bytes.count)))] = UInt8(stream.integer(below: 256))
      }
      bytes.removeLast(Int(stream.integer(below: UInt64(bytes.count))))
      if let time = ISO8601Time(utf8: bytes) { #expect(time.civil.isValid) }
    }
  }
}
