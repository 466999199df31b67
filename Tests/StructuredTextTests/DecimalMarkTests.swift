import StructuredText
import Testing

@Suite("Numbers with a decimal point or comma")
struct DecimalMarkTests {
  @Test(
    "Of both marks the last is that of decimals, and one alone is",
    arguments: [
      ("5,6", 5.6), ("5.6", 5.6), ("-0,5", -0.5), ("1.234,5", 1_234.5), ("1,234.5", 1_234.5),
      ("12.345.678,25", 12_345_678.25), ("1,234", 1.234), ("7", 7), ("1,5e3", 1_500), (",5", 0.5),
    ])
  func read(text: String, number: Double) { #expect(Double(pointOrComma: text) == number) }

  @Test(
    "Marks that stand for nothing make no number",
    arguments: [
      "", ",", "1,2,3", "1.234.567", "1.23,5", "1234.567,8", "0.123,5", "1.234,", ",123.4",
      "1.234,5.6", "-1.234,5", "1.234,5e1", "nan", "0x1,8",
    ])
  func none(text: String) { #expect(Double(pointOrComma: text) == nil) }
}
