import Testing

@testable import Expectations

private typealias Joint = JointExpectationTests

@Suite("What is said of a timeline that is not as it was kept")
struct GoldenFileTests {
  private func table(_ rows: [(time: String, glucose: String)]) -> String {
    "time,glucose_true_mgdL\n"
      + rows.map { "2026-01-\($0.time)Z,\($0.glucose)\n" }.joined()
  }

  /// The rows of the run: every five minutes for half an hour, at 110 mg/dL.
  private let whole = ["00:00", "00:05", "00:10", "00:15", "00:20", "00:25", "00:30"].map {
    (time: "15T\($0):00", glucose: "110")
  }

  private func result(_ rows: [(time: String, glucose: String)]) throws -> ExpectationResult {
    let results = try Joint.results(
      "{ id: 'g', golden: 'g.csv' }", files: ["d/g.csv": table(rows)])
    return try #require(results.first)
  }

  @Test("Rows that one side alone has are counted beside values, and not as values")
  func extent() throws {
    #expect(
      try result(Array(whole.prefix(4))).message
        == "d/g.csv: the row 2026-01-15T00:20:00Z is only in found (first of 3 rows)")
    var rows = Array(whole.prefix(5))
    rows[2].glucose = "100"
    #expect(
      try result(rows).message
        == "d/g.csv: row 2026-01-15T00:10:00Z, column glucose_true_mgdL: kept 100, found 110.000; "
        + "besides 2 rows are only in found")
    rows[3].glucose = "100"
    rows.insert((time: "14T23:55:00", glucose: "110"), at: 0)
    #expect(
      try result(rows).message
        == "d/g.csv: the row 2026-01-14T23:55:00Z is only in kept; besides 2 rows are only in "
        + "found, 2 values differ")
  }

  @Test("The moment to look at lies within the run, also where only the golden file has the row")
  func moment() throws {
    let before = (time: "14T18:00:00", glucose: "110")
    #expect(try result([before] + whole).moment?.time == "2026-01-15T00:00:00Z")
    let after = (time: "15T00:35:00", glucose: "110")
    #expect(try result(whole + [after]).moment?.time == "2026-01-15T00:30:00Z")
  }

  @Test("Of rows that do not ascend it is said where, and not that they are missing")
  func order() throws {
    func message(_ places: [Int]) throws -> String? { try result(places.map { whole[$0] }).message }
    #expect(
      try message([0, 2, 1, 3, 4, 5, 6])
        == "d/g.csv:4:1: error: The row of 2026-01-15T00:05:00Z comes after that of "
        + "2026-01-15T00:10:00Z; the rows of a timeline ascend.")
    #expect(
      try message([0, 1, 1, 2, 3, 4, 5, 6])
        == "d/g.csv:4:1: error: The row of 2026-01-15T00:05:00Z is there twice; a timeline has one "
        + "of each time.")
  }
}
