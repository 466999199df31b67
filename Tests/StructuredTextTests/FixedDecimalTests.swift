import StructuredText
import Testing

@Suite("Fixed decimals")
struct FixedDecimalTests {
  @Test(
    "The exact value is rounded, and only true ties are ties",
    arguments: [
      (0.615, 2, "0.61"), (2.675, 2, "2.67"), (1.005, 2, "1.00"), (0.125, 2, "0.13"),
      (-0.125, 2, "-0.13"), (2.5, 0, "3"), (0.5, 0, "1"), (-0.004, 2, "0.00"), (9.999, 2, "10.00"),
      (0, 3, "0.000"), (-0.0, 1, "0.0"), (123_456_789.125, 3, "123456789.125"),
      (1e15, 2, "1000000000000000.00"),
      (4_503_599_627_370_495.5, 1, "4503599627370495.5"), (0.1, 15, "0.100000000000000"),
      (1e300, 2, "1e+300"), (.nan, 2, "nan"), (-.infinity, 2, "-inf"),
      (.leastNonzeroMagnitude, 4, "0.0000"),
    ] as [(Double, Int, String)])
  func rounds(value: Double, decimals: Int, text: String) {
    #expect(FixedDecimal.text(value, decimals: decimals) == text)
  }

  @Test("Ties can go to the even digit")
  func tiesToEven() {
    #expect(FixedDecimal.text(0.125, decimals: 2, ties: .toEven) == "0.12")
    #expect(FixedDecimal.text(0.375, decimals: 2, ties: .toEven) == "0.38")
    #expect(FixedDecimal.text(2.5, decimals: 0, ties: .toEven) == "2")
    #expect(FixedDecimal.text(3.5, decimals: 0, ties: .toEven) == "4")
  }

  @Test("Thousandths are written without arithmetic on doubles")
  func thousandths() {
    #expect(FixedDecimal.text(thousandths: 25) == "0.025")
    #expect(FixedDecimal.text(thousandths: 600, atLeast: 2) == "0.60")
    #expect(FixedDecimal.text(thousandths: -1_005, atLeast: 2) == "-1.005")
    #expect(FixedDecimal.text(thousandths: 2_000, atLeast: 0) == "2")
    #expect(FixedDecimal.text(thousandths: .min) == "-9223372036854775.808")
  }

  @Test("The text is within half of its last digit", arguments: 0..<40 as Range<UInt64>)
  func isNearest(seed: UInt64) throws {
    var generator = Mixer(state: seed)
    for _ in 0..<50 {
      let value = (Double(generator.next() >> 11) * 0x1p-53 - 0.5) * 2_000
      let decimals = generator.below(8)
      let text = FixedDecimal.text(value, decimals: decimals)
      let half = 0.5 / (0..<decimals).reduce(1.0) { power, _ in power * 10 }
      let read = try #require(Double(text))
      #expect((read - value).magnitude <= half * (1 + 1e-6))
    }
  }
}
