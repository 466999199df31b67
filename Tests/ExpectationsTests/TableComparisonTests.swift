import Expectations
import Quantities
import StructuredText
import Testing

@Suite("Comparison of tables")
struct TableComparisonTests {
  private func table(_ text: String) throws -> CSVTable {
    try #require(CSVTable(Array(text.utf8), file: "t.csv", problems: ProblemList()))
  }

  private func comparison(
    _ left: String, _ right: String, _ tolerances: ColumnTolerances = ColumnTolerances(),
    ignoring: [String] = []
  ) throws -> TableComparison {
    TableComparison(
      try table(left), try table(right), tolerances: tolerances, ignoring: ignoring)
  }

  private static let day = """
    time,glucose_true_mgdL,iob_U,mode
    2026-01-15T00:00:00Z,100.0,1.0,closedLoop
    2026-01-15T00:05:00Z,101.0,0.9,closedLoop
    2026-01-15T00:10:00Z,102.0,,openLoop

    """

  @Test("A table equals itself, and a number equals another way to write it")
  func same() throws {
    #expect(try comparison(Self.day, Self.day).isSame)
    let other = Self.day.replacing("101.0", with: "101")
    #expect(try comparison(Self.day, other).isSame)
  }

  @Test("The first difference is told by row and column, the largest by column")
  func firstAndLargest() throws {
    let other = Self.day.replacing("100.0", with: "100.5").replacing("102.0", with: "99.0")
      .replacing("openLoop", with: "off")
    let result = try comparison(Self.day, other)
    #expect(
      result.first?.sentence("A", "B")
        == "row 2026-01-15T00:00:00Z, column glucose_true_mgdL: A 100.0, B 100.5")
    let glucose = try #require(result.columns.first { $0.name == "glucose_true_mgdL" })
    #expect(glucose.compared == 3 && glucose.differing == 2)
    #expect(glucose.largest?.difference == -3)
    #expect(glucose.largest?.row.cell == "2026-01-15T00:10:00Z")
    #expect(result.columns.map(\.differing) == [0, 2, 0, 1])
  }

  @Test("A number that is missing on one side differs, whatever the tolerance")
  func missingValues() throws {
    var tolerances = ColumnTolerances(standard: 1_000)
    tolerances.allow(1_000, in: "iob")
    let other = Self.day.replacing(",,openLoop", with: ",0.8,openLoop")
    let result = try comparison(Self.day, other, tolerances)
    #expect(result.first?.column == "iob_U")
    #expect(result.first?.left == "")
  }

  @Test(
    "A tolerance holds for the columns of its name and no further",
    arguments: [
      ("glucose", 0.5, true), ("glucose", 0.49, false), ("glucose.true", 0.5, true),
      ("glucose_true_mgdL", 0.5, true), ("gluc", 9, false), ("iob", 9, false),
    ] as [(String, Double, Bool)])
  func tolerances(name: String, amount: Double, passes: Bool) throws {
    var tolerances = ColumnTolerances()
    tolerances.allow(amount, in: name)
    let other = Self.day.replacing("101.0", with: "101.5")
    #expect(try comparison(Self.day, other, tolerances).isSame == passes)
  }

  @Test("The longest name that fits decides")
  func longestName() throws {
    var tolerances = ColumnTolerances()
    tolerances.allow(0.1, in: "glucose_true")
    tolerances.allow(5, in: "glucose")
    let other = Self.day.replacing("101.0", with: "101.5")
    #expect(!(try comparison(Self.day, other, tolerances).isSame))
    #expect(tolerances.namesWithoutColumn(among: ["iob_U"]) == ["glucose_true", "glucose"])
    #expect(tolerances.namesWithoutColumn(among: ["glucose_true_mgdL"]).isEmpty)
  }

  @Test("Rows belong together by their time; those without a partner are counted")
  func alignment() throws {
    let shorter = """
      time,glucose_true_mgdL,iob_U,mode
      2026-01-15T00:05:00Z,101.0,0.9,closedLoop
      2026-01-15T00:10:00Z,102.0,,openLoop
      2026-01-15T00:15:00Z,102.0,,openLoop

      """
    let result = try comparison(Self.day, shorter)
    #expect(result.rowsOnlyLeft == 1 && result.rowsOnlyRight == 1)
    #expect(result.first?.sentence("A", "B") == "the row 2026-01-15T00:00:00Z is only in A")
    #expect(result.columns.allSatisfy { $0.compared == 2 && $0.differing == 0 })
  }

  @Test("Times may differ by a span, also in the column by which rows belong together")
  func timesWithinASpan() throws {
    let left = "time,end\n2026-01-15T00:00:00Z,2026-01-15T00:30:00Z\n"
    let right = "time,end\n2026-01-15T00:00:01Z,2026-01-15T01:30:00+01:00\n"
    #expect(!(try comparison(left, right).isSame))
    var tolerances = ColumnTolerances()
    tolerances.allow(.seconds(1), in: "time")
    #expect(try comparison(left, right, tolerances).isSame)
  }

  @Test("Without times rows belong together by their place, and columns can be left out")
  func otherTables() throws {
    #expect(try comparison("n,v\nb,1\na,2\n", "n,v\nb,1\na,2\n").isSame)
    let result = try comparison("n,v\nb,1\na,2\n", "n,v\nb,1\nc,2\n")
    #expect(result.first?.sentence("A", "B") == "row a, column n: A \"a\", B \"c\"")
    #expect(try comparison("n,v\nb,1\n", "n,w\nb,1\n", ignoring: ["v", "w"]).isSame)
    let missing = try comparison("n,v\nb,1\n", "n,w\nb,1\n")
    #expect(missing.first?.sentence("A", "B") == "the column v is only in A")
  }

  @Test("Rows belong together by their time in whatever order they stand")
  func disorder() throws {
    // Both have 08:00; only the first has 08:10.
    let result = try comparison(
      "time,v\n2026-01-15T08:10:00Z,1\n2026-01-15T08:00:00Z,2\n", "time,v\n2026-01-15T08:00:00Z,2\n"
    )
    #expect(result.first?.sentence("A", "B") == "the row 2026-01-15T08:10:00Z is only in A")
    #expect(result.rowsOnlyLeft == 1 && result.rowsOnlyRight == 0)
    #expect(result.columns.allSatisfy { $0.compared == 1 && $0.differing == 0 })
  }

  @Test("Of rows with the same first cell it is told which one differs")
  func alikeRows() throws {
    let time = "2026-01-15T08:00:00Z"
    let result = try comparison(
      "cycle,v\n\(time),1\n\(time),2\n\(time),3\n", "cycle,v\n\(time),1\n\(time),2.5\n\(time),3\n")
    #expect(result.first?.sentence("A", "B") == "row \(time) (2 of 3), column v: A 2, B 2.5")
    #expect(result.first?.instant != nil)
    #expect(result.columns.last?.largest?.row.description == "\(time) (2 of 3)")
  }

  @Test("A row whose first cell is empty is a row, and not a column that is missing")
  func emptyFirstCell() throws {
    let values = try comparison("x,y\n,1\na,1\n", "x,y\n,2\na,1\n")
    #expect(
      values.first?.sentence("A", "B") == "row without its first cell, 1 of 1, column y: A 1, B 2")
    let rows = try comparison("x,y\n,1\n", "x,y\n")
    #expect(
      rows.first?.sentence("A", "B") == "the row without its first cell, 1 of 1 is only in A")
  }

  @Test("What a cell holds is told on one line")
  func inertCells() throws {
    let result = try comparison("x,y\na,1\n", "x,y\na,\"two\nlines\"\n")
    #expect(result.first?.sentence("A", "B").contains("\n") == false)
  }

  @Test(
    "A tolerance that cannot act on any value of its columns is told",
    arguments: [
      ("time", nil, "times; write a span, such as time=1s."),
      ("mode", nil, "words; those must be equal, or the column ignored."),
      ("mode", 60, "words; those must be equal, or the column ignored."),
      ("iob", 60, "numbers; write a number, such as iob=0.1."), ("iob", nil, nil),
      ("time", 60, nil), ("note", nil, nil), ("note", 60, nil),
    ] as [(String, Int64?, String?)])
  func tolerancesWithoutEffect(name: String, seconds: Int64?, holds: String?) throws {
    var tolerances = ColumnTolerances()
    if let seconds {
      tolerances.allow(.seconds(seconds), in: name)
    } else {
      tolerances.allow(5, in: name)
    }
    let text = "time,iob_U,mode,note\n2026-01-15T00:00:00Z,,off,\n2026-01-15T00:05:00Z,1.5,off,\n"
    let table = try #require(
      CSVTable(Array(text.utf8), file: "a.csv", problems: ProblemList()))
    #expect(
      tolerances.complaint(on: [table])
        == holds.map { "The tolerance of \"\(name)\" has no effect: its column holds \($0)" })
  }

  @Test("Identifiers are equal or not, and are no numbers although they look like some")
  func identifiers() throws {
    let left = "time,units,identifier\n2026-01-15T00:00:00Z,1.0,0000000100000001\n"
    let right = left.replacing("0000000100000001", with: "0000000100000009")
    var tolerances = ColumnTolerances(standard: 10)
    let result = try comparison(left, right, tolerances)
    #expect(result.columns.last?.differing == 1)
    #expect(result.columns.last?.largest == nil)
    #expect(
      result.first?.sentence("A", "B")
        == "row 2026-01-15T00:00:00Z, column identifier: A \"0000000100000001\", "
        + "B \"0000000100000009\"")
    let seeds = ["9474971695569230746", "9474971695569230747"].map { "n,seed\na,\($0)\n" }
    #expect(try !comparison(seeds[0], seeds[1]).isSame)
    tolerances.allow(10, in: "identifier")
    #expect(try !comparison(left, right, tolerances).isSame)
    #expect(
      tolerances.complaint(on: [try table(left)])
        == "The tolerance of \"identifier\" has no effect: its column holds words; those must be "
        + "equal, or the column ignored.")
  }

  @Test("What a row holds comes before its name in the search for the first difference")
  func namesLast() throws {
    let left = """
      start,units,sample_id
      2026-01-15T00:00:00Z,1.0,019B8B78-ABE0-7C06-8C1A-7A77A538D48E
      2026-01-15T12:00:00Z,1.0,019B8B78-ABE0-7C06-8C1A-7A77A538D48F

      """
    let renamed = left.replacing("8C1A", with: "8D9E")
    let names = try comparison(left, renamed)
    #expect(names.first?.column == "sample_id")
    #expect(names.first?.row?.cell == "2026-01-15T00:00:00Z")
    let other = renamed.replacing("12:00:00Z,1.0", with: "12:00:00Z,1.5")
    let values = try comparison(left, other)
    #expect(values.first?.column == "units")
    #expect(values.first?.row?.cell == "2026-01-15T12:00:00Z")
    // A row that one side lacks is no other name.
    let short = try comparison(left, renamed.replacing("2026-01-15T12", with: "2026-01-15T13"))
    #expect(short.first?.sentence("A", "B") == "the row 2026-01-15T12:00:00Z is only in A")
  }

  @Test("Every column that one table alone has is told, and not only the first")
  func columnsOfOneTable() throws {
    let result = try comparison("n,v,w,x\nb,1,2,3\n", "n,y,w\nb,1,2\n", ignoring: ["x"])
    #expect(result.columnsOnlyLeft == ["v"])
    #expect(result.columnsOnlyRight == ["y"])
    #expect(!result.isSame)
  }

  @Test("A difference that is exactly the tolerance is allowed, although decimals are not exact")
  func exactTolerance() throws {
    var tolerances = ColumnTolerances()
    tolerances.allow(0.1, in: "v")
    #expect(try comparison("n,v\nb,0.2\n", "n,v\nb,0.3\n", tolerances).isSame)
    #expect(!(try comparison("n,v\nb,0.2\n", "n,v\nb,0.300001\n", tolerances).isSame))
  }
}
