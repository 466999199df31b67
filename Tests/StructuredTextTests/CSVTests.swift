import StructuredText
import Testing

@Suite("Comma-separated values")
struct CSVTests {
  static func rows(_ text: String, separator: UInt8 = 0x2c) -> ([[String]], [String]) {
    var reader = CSVReader(Array(text.utf8), file: "t.csv", separator: separator)
    var rows: [[String]] = []
    while let row = reader.next() { rows.append(row.map(\.text)) }
    return (rows, reader.problems.map(\.description))
  }

  @Test(
    "Quotes, line ends and empty fields follow RFC 4180",
    arguments: [
      ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
      ("a,b\n\n\"x,\"\"y\"\"\n z\",\n", [["a", "b"], ["x,\"y\"\n z", ""]]),
      ("\u{FEFF}a\n1", [["a"], ["1"]]), ("a,\"\"\n", [["a", ""]]), ("", []), (",\n", [["", ""]]),
    ])
  func follows(text: String, expected: [[String]]) {
    let (rows, problems) = Self.rows(text)
    #expect(rows == expected)
    #expect(problems.isEmpty)
  }

  @Test("Other separators are possible")
  func separators() {
    #expect(Self.rows("a;b\n1,5;2\n", separator: 0x3b).0 == [["a", "b"], ["1,5", "2"]])
  }

  @Test("Broken quotes are located")
  func brokenQuotes() {
    #expect(
      Self.rows("a\n\"x").1 == [
        "t.csv:2:1: error: The quote that opens this field is never closed."
      ])
    #expect(Self.rows("a,\"b\"c\n").1.first?.hasPrefix("t.csv:1:6: error: A separator") == true)
  }

  @Test("A ragged row and a repeated column are reported")
  func ragged() throws {
    let problems = ProblemList()
    let table = try #require(
      CSVTable(Array("a,b,a\n1,2,3\n1,2\n".utf8), file: "t.csv", problems: problems))
    #expect(table.rows.count == 1)
    #expect(table.index(of: "b") == 1)
    #expect(
      problems.sorted.map(\.description) == [
        "t.csv:1:5: error: The column \"a\" is there twice. Rename one of them.",
        "t.csv:3:1: error: This row has 2 fields; the header names 3 columns.",
      ])
  }

  @Test("Columns that are separated by something else are told once, and not row by row")
  func otherSeparators() {
    func sentences(_ text: String, _ separator: UInt8) -> [String] {
      let problems = ProblemList()
      let table = CSVTable(
        Array(text.utf8), file: "t.csv", separator: separator, problems: problems)
      #expect((table == nil) == problems.hasErrors)
      return problems.sorted.map(\.description)
    }
    let start = "t.csv:1:1: error: The columns of this table are separated by"
    #expect(
      sentences("a;b\n1,5;2\n", 0x2c) == [
        "\(start) semicolons, and not by commas. Save it with these."
      ])
    #expect(
      sentences("a,b\n1,2\n", 0x09) == ["\(start) commas, and not by tabs. Save it with these."])
    #expect(sentences("a\n1\n", 0x2c).isEmpty && sentences("a,b;c\n1,2\n", 0x2c).isEmpty)
    #expect(sentences("\"a, mg/dL\"\n1\n", 0x2c).isEmpty)
  }

  @Test("Commas at the ends of lines are what a spreadsheet adds")
  func spareCommas() throws {
    let problems = ProblemList()
    let table = try #require(
      CSVTable(Array("a,b,,\n1,2,,\n3,,,\n,,,\n4,5\n".utf8), file: "t.csv", problems: problems))
    #expect(table.header.map(\.text) == ["a", "b"])
    #expect(table.rows.map { $0.map(\.text) } == [["1", "2"], ["3", ""], ["4", "5"]])
    #expect(problems.sorted.isEmpty, "\(problems.sorted)")
    let below = CSVTable(Array("a,b\n1,2\n,\n,,,,\n\n".utf8), file: "t.csv", problems: problems)
    #expect(below?.rows.map { $0.map(\.text) } == [["1", "2"]])
    #expect(problems.sorted.isEmpty, "\(problems.sorted)")
    let blank = CSVTable(
      Array("a,b, \n1,2, \n , \n   \n\t\n3, \n".utf8), file: "t.csv", problems: problems)
    #expect(blank?.header.map(\.text) == ["a", "b"])
    #expect(blank?.rows.map { $0.map(\.text) } == [["1", "2"], ["3", " "]])
    #expect(problems.sorted.isEmpty, "\(problems.sorted)")
    // A column with something in it is no such end.
    let unnamed = try #require(
      CSVTable(Array("a,b,,\n1,2,3,\n".utf8), file: "t.csv", problems: problems))
    #expect(unnamed.header.map(\.text) == ["a", "b", ""])
    #expect(unnamed.rows.map { $0.map(\.text) } == [["1", "2", "3"]])
    #expect(problems.sorted.isEmpty, "\(problems.sorted)")
    _ = CSVTable(Array("a,b\n1,2,3\n".utf8), file: "t.csv", problems: problems)
    #expect(
      problems.sorted.map(\.description) == [
        "t.csv:2:1: error: This row has 3 fields; the header names 2 columns."
      ])
  }

  @Test("What was written reads back equal", arguments: 0..<40 as Range<UInt64>)
  func roundTrip(seed: UInt64) {
    var generator = Mixer(state: seed)
    let columns = 1 + generator.below(4)
    let pieces = ["a", ",", "\"", "\n", "\r", "ü", " ", ""]
    let rows = (0...generator.below(6)).map { _ in
      (0..<columns).map { _ in
        (0..<generator.below(4)).map { _ in pieces[generator.below(8)] }.joined()
      }
    }
    var writer = CSVWriter(header: rows[0])
    for row in rows.dropFirst() { writer.append(row: row) }
    #expect(Self.rows(writer.text).0 == rows)
    #expect(Self.rows(writer.text).1.isEmpty)
  }

  @Test("The pieces of a long table are whole rows, and together its text")
  func pieces() throws {
    // Of some things a row is written, of some two, of some none.
    let table = CSVRows(header: ["n", "text"], count: 9_000) { index, table in
      for part in 0..<(index % 3) {
        table.field(Int64(index))
        table.field("part, \(part)")
      }
    }
    var pieces: [[UInt8]] = []
    table.forEachPiece { pieces.append($0) }
    #expect(pieces.count > 2)
    #expect(pieces.allSatisfy { $0.count < 70_000 && $0.last == UInt8(ascii: "\n") })
    #expect(Array(pieces.joined()) == Array(table.text.utf8))
    #expect(Self.rows(table.text).0.count == 1 + 9_000)
    #expect(table.text.hasPrefix("n,text\n1,\"part, 0\"\n2,\"part, 0\"\n2,\"part, 1\"\n4,"))
    #expect(CSVRows(header: ["a"], of: [Int]()) { _, _ in }.text == "a\n")
    #expect(throws: CancellationError.self) {
      try table.forEachPiece { (_) throws(CancellationError) in throw CancellationError() }
    }
  }

  @Test("Thousandths and plain texts are fields as their strings are")
  func plainFields() {
    var written = CSVWriter(header: ["a", "b", "c"])
    var plain = CSVWriter(header: ["a", "b", "c"])
    for number in [0, 5, -25, 600, 1_234, -98_765_430] as [Int64] {
      let text = FixedDecimal.text(thousandths: number, atLeast: 2)
      written.append(row: [text, text, "x"])
      plain.field(plain: text.utf8Span.span)
      plain.field(thousandths: number, atLeast: 2)
      plain.field("x")
    }
    #expect(plain.bytes == written.bytes)
    #expect(plain.text.hasPrefix("a,b,c\n0.00,0.00,x\n0.005,0.005,x\n-0.025,-0.025,x\n0.60,"))
  }

  @Test("Numbers are written with a decimal point and nothing for no value")
  func numbers() {
    var writer = CSVWriter(header: ["n", "x", "y", "z"])
    writer.field(-5)
    writer.field(1.25, decimals: 1)
    writer.field(nil, decimals: 1)
    writer.field(shortest: 0.1)
    #expect(writer.text == "n,x,y,z\n-5,1.3,,0.1\n")
  }
}
