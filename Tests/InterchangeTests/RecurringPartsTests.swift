import HealthStore
import Quantities
import TestSupport
import Testing

@testable import Interchange

@Suite("Parts that recur")
struct RecurringPartsTests {
  @Test("What is kept is what would be made, whatever comes between")
  func keeps() {
    var chance = Chance(state: 9)
    var parts = RecurringParts<String>()
    var made = 0
    let count = 20_000
    for _ in 0..<count {
      // Many alike, few of them at the same place, and some that are too long to be kept.
      let length = chance.below(20) == 0 ? 1_500 : chance.below(40)
      let letter = UInt8(ascii: "a") + UInt8(chance.below(26))
      let bytes = [letter] + [UInt8](repeating: UInt8(ascii: "x"), count: length)
      let value = parts.value(of: bytes[...]) {
        made += 1
        return String(decoding: bytes, as: UTF8.self)
      }
      #expect(Array(value.utf8) == bytes)
    }
    #expect(made < count)
  }

  @Test("A name given part by part is that of the texts")
  func names() {
    let texts = ["record", "", "HKQuantityTypeIdentifierHeartRate", "Anna\u{2019}s Watch", "61"]
    var name = SampleUUID.Name(parts: texts.count)
    for text in texts { name.append(text.utf8Span.span) }
    #expect(name.identity == SampleUUID(named: texts))
    var shorter = SampleUUID.Name(parts: 1)
    shorter.append("record".utf8Span.span)
    #expect(shorter.identity == SampleUUID(named: ["record"]))
  }
}
