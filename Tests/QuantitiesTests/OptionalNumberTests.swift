import Quantities
import Testing

@Suite("Numbers and instants that may be missing")
struct OptionalNumberTests {
  @Test(
    "A number comes out as it went in",
    arguments: [nil, 0, -0.0, 1.5, -1e308, .infinity, .leastNonzeroMagnitude] as [Double?])
  func number(value: Double?) {
    var number = OptionalNumber(value)
    #expect(number.value == value)
    number.value = nil
    #expect(number == OptionalNumber(nil))
    number.value = value
    #expect(number.value?.bitPattern == value?.bitPattern)
  }

  @Test("Two are equal where the optional numbers are")
  func equality() {
    let values: [Double?] = [nil, 0, -0.0, 1, .nan]
    for one in values {
      for other in values {
        let (first, second) = (OptionalNumber(one), OptionalNumber(other))
        #expect((first == second) == (one == other))
        if first == second { #expect(first.hashValue == second.hashValue) }
      }
    }
  }

  @Test("An instant comes out as it went in, and takes eight bytes as a number does")
  func instant() {
    var instant = OptionalInstant(nil)
    #expect(instant.value == nil)
    for milliseconds in [0, -1, Int64.max, Int64.min + 1] {
      instant.value = Instant(millisecondsSince1970: milliseconds)
      #expect(instant.value?.millisecondsSince1970 == milliseconds)
    }
    #expect(MemoryLayout<OptionalInstant>.stride == 8 && MemoryLayout<OptionalNumber>.stride == 8)
  }
}
