import Determinism
import HealthStore
import Quantities
import Testing

@Suite("A sync identifier is its text, however it is kept")
struct SyncIdentifierTests {
  private let start = Instant(secondsSince1970: 1_768_460_400)

  @Test("The forms of LoopKit are written as LoopKit writes them")
  func forms() {
    #expect("\(SyncIdentifier(hexadecimalOf: [0, 0xAB, 7]))" == "00ab07")
    #expect("\(SyncIdentifier(hexadecimalOf: 0x0102))" == "0000000000000102")
    // More bytes than are kept as a number.
    let long: [UInt8] = [0x0F, 0, 0x10, 3, 4, 5, 6, 7, 0xA9]
    #expect("\(SyncIdentifier(hexadecimalOf: long))" == "0f00100304050607a9")
    #expect("\(SyncIdentifier(hexadecimalOf: [1, 2]).part(2, of: 3))" == "0102 2/3")
    #expect(
      "\(SyncIdentifier.scheduledBasal(from: start, to: start + .hours(1)))"
        == "BasalRateSchedule 2026-01-15T07:00:00Z 2026-01-15T08:00:00Z")
    #expect(
      "\(SyncIdentifier.reading(sensor: 2, number: 17, at: start + .milliseconds(5)))"
        == "2-17-2026-01-15T07:00:00.005Z")
    let uuid = SampleUUID(high: 0x0189_0A5D_AC96_774B, low: 0xBCCE_B302_099A_8057)
    #expect("\(SyncIdentifier(uuid))" == "01890A5D-AC96-774B-BCCE-B302099A8057")
  }

  @Test("A part has the name of the whole before a space")
  func wholes() {
    let event = SyncIdentifier(hexadecimalOf: [1, 2])
    #expect(event.wholes.isEmpty)
    #expect(event.part(2, of: 3).wholes == [event])
    #expect(SyncIdentifier("a b 1/2").wholes == ["a", "a b"])
    #expect(SyncIdentifier("a b").part(1, of: 2).wholes == ["a", "a b"])
    let schedule = SyncIdentifier.scheduledBasal(from: start, to: start + .hours(1))
    #expect(schedule.part(1, of: 2).wholes.last == schedule)
    #expect(SyncIdentifier.reading(sensor: 2, number: 17, at: start).wholes.isEmpty)
  }

  @Test("A form that is read from its text is the same identifier")
  func same() {
    let forms: [SyncIdentifier] = [
      .init(hexadecimalOf: []), .init(hexadecimalOf: [0]), .init(hexadecimalOf: .max),
      .init(hexadecimalOf: Array(0...8)), .init(hexadecimalOf: 7).part(1, of: 2),
      .init(hexadecimalOf: 7).part(1, of: 2).part(2, of: 2),
      .init(hexadecimalOf: 7).part(65_536, of: 70_000),
      .scheduledBasal(from: start, to: start + .days(1)),
      .scheduledBasal(from: start, to: start + .days(1)).part(1, of: 2),
      .scheduledBasal(from: .init(secondsSince1970: -99_000_000_000), to: start),
      .scheduledBasal(from: start, to: .init(secondsSince1970: 999_000_000_000)),
      .reading(sensor: 1, number: 0, at: start), .reading(sensor: -1, number: 0, at: start),
      .reading(sensor: 1, number: .max, at: start),
      .init(SampleUUID(high: 1, low: 2)),
    ]
    for (place, form) in forms.enumerated() {
      #expect(SyncIdentifier("\(form)") == form, "\(form)")
      for other in forms[..<place] { #expect(form != other) }
    }
  }

  @Test("Whatever the text is, it is written as it was read, and tells it from every other")
  func texts() {
    var stream = RandomStream(seed: 1, name: "identifiers")
    let pieces = [
      "BasalRateSchedule", " ", "2026-01-15T07:00:00Z", "2026-01-15T08:00:00.250Z", "-", "1", "02",
      "ab", "AB", "f", "1/2", "2/1", "0/0", "2026-01-15T07:00:00+00:00", "é", "e\u{301}",
      "01890A5D-AC96-774B-BCCE-B302099A8057", "01890a5d-ac96-774b-bcce-b302099a8057", "+5",
      "0001-01-01T00:00:00Z", "TempBasal", "0102030405060708", "/",
    ]
    var known: [String: SyncIdentifier] = [:]
    for _ in 0..<20_000 {
      let count = 1 + Int(stream.unit() * 5)
      let text = (0..<count).map { _ in pieces[Int(stream.unit() * Double(pieces.count))] }
        .joined()
      let identifier = SyncIdentifier(text)
      #expect(identifier.description == text)
      #expect(identifier.withUTF8 { bytes in bytes.indices.map { bytes[$0] } } == Array(text.utf8))
      var (given, expected) = (RunningDigest(), RunningDigest())
      identifier.absorb(into: &given)
      expected.absorb(text)
      #expect(given == expected)
      known[text] = identifier
    }
    // As many identifiers as texts: none stands for two, and none is there twice.
    #expect(Set(known.values).count == known.count)
  }
}
