import Quantities
import Testing

@Suite("Numbers and instants that may be missing")
struct OptionalNumberTests {
  @Test(
    "A number comes out as it went in",
    arguments: [nil, 0, -0.0, 1.5, -1e308, .infinity, .leastNonzeroMagnitude] as [Double?])
  func number(value: Double?) {
    var number = OptionalNumber(wrappedValue: value)
    #expect(number.wrappedValue == value)
    number.wrappedValue = nil
    #expect(number == OptionalNumber(wrappedValue: nil))
    number.wrappedValue = value
    #expect(number.wrappedValue?.bitPattern == value?.bitPattern)
  }

  @Test("Two are equal where the optional numbers are")
  func equality() {
    let values: [Double?] = [nil, 0, -0.0, 1, .nan]
    for one in values {
      for other in values {
        let (first, second) = (
          OptionalNumber(wrappedValue: one), OptionalNumber(wrappedValue: other)
        )
        #expect((first == second) == (one == other))
        if first == second { #expect(first.hashValue == second.hashValue) }
      }
    }
  }

  @Test("An instant comes out as it went in, and takes eight bytes as a number does")
  func instant() {
    var instant = OptionalInstant(wrappedValue: nil)
    #expect(instant.wrappedValue == nil)
    for milliseconds in [0, -1, Int64.max, Int64.min + 1] {
      instant.wrappedValue = Instant(millisecondsSince1970: milliseconds)
      #expect(instant.wrappedValue?.millisecondsSince1970 == milliseconds)
    }
    #expect(MemoryLayout<OptionalInstant>.stride == 8 && MemoryLayout<OptionalNumber>.stride == 8)
  }
}
