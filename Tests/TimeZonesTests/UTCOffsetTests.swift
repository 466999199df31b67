import Quantities
import Testing
import TimeZones

@Suite("Offsets from UTC")
struct UTCOffsetTests {
  @Test(
    "An offset is read with and without a colon",
    arguments: [("Z", 0), ("z", 0), ("+02:00", 120), ("-0730", -450), ("+18:00", 1_080)])
  func reads(text: String, minutes: Int64) {
    #expect(TimeSpan(utcOffset: text) == .minutes(minutes))
  }

  @Test(
    "Other text is no offset",
    arguments: [
      "", "+", "02:00", "+2:00", "+02", "+19:00", "+02:60", "+02:00:00", "+0２:00", "+-200",
      "+18:01", "+1859", "+0:200", "+:0200", "+0200:", "+02:0:", "+02::0",
    ])
  func refuses(text: String) { #expect(TimeSpan(utcOffset: text) == nil) }
}
