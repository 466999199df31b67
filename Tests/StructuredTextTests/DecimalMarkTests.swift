import Testing

@testable import StructuredText

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

@Suite("Marks that may be of decimals or between thousands")
struct DecimalMarksTests {
  /// The numbers of a column that are not certain.
  private func doubts(
    _ numbers: [String], _ separator: Character, mayHaveThousands: Bool = true
  ) throws -> [String] {
    let column = DecimalMarks.Column(
      index: 0, numbers: numbers, mayHaveThousands: mayHaveThousands)
    let marks = DecimalMarks([column], separator: try #require(separator.asciiValue))
    return numbers.filter { text in
      let position = TextPosition(file: "a", line: 1, column: 1)
      let field = CSVReader.Field(text: text, position: position)
      return !marks.isCertain(field, in: 0, ProblemList())
    }
  }

  @Test("All numbers of a table together tell what a mark is")
  func marks() throws {
    // A decimal comma, beside which a point may stand between thousands.
    #expect(try doubts(["5,6", "1.234"], ";") == ["1.234"])
    #expect(try doubts(["5,6", "1.23", "12345.678", "0.123"], ";") == [])
    // Points alone are those of decimals.
    #expect(try doubts(["5.6", "1.234"], ";") == [])
    // Beside tabs a comma may stand between thousands where other numbers have none.
    #expect(try doubts(["110", "1,234"], "\t") == ["1,234"])
    #expect(try doubts(["110,5", "1,234"], "\t") == [])
    #expect(try doubts(["110", "1,234"], "\t", mayHaveThousands: false) == [])
    // Beside semicolons only where another number says so.
    #expect(try doubts(["110", "1,234"], ";") == [])
    #expect(try doubts(["1,234.5", "1,234"], ";") == ["1,234"])
  }
}
