import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("What is around the rows of a table, and what they state beside amounts")
struct TableFormTests {
  private func good(_ text: String) throws -> RecordTable {
    let problems = ProblemList()
    let table = RecordTable.read(Array(text.utf8), file: "a.csv", problems: problems)
    return try #require(table, "\(problems.sorted)")
  }

  @Test("CareLink: of a square bolus it is said that it is taken as given at once")
  func readsSquareBoluses() throws {
    let table = try good(
      """
      Date,Time,Bolus Volume Delivered (U),Bolus Duration (h:mm:ss),Sensor Glucose (mg/dL)
      2026/02/03,12:05:00,2.4,,127
      2026/02/03,12:05:00,3,2:00:00,
      """)
    #expect(Set(table.rows.map(\.value)) == [.glucose(127), .bolus(2.4), .bolus(3)])
    #expect(table.report.remarks.map(\.count) == [1])
    #expect(table.report.remarks.first?.first?.line == 3)
  }

  @Test("xDrip: a value below 39 of the sensor marks an error, and is no glucose")
  func leavesErrorsOfXDripOut() throws {
    // xDrip, BgReading.java: readings are 39 at least, and 38 marks an error.
    let marked = try good(
      "DAY;TIME;UDT_CGMS;BG_LEVEL;CH_GR;BOLUS;REMARK\n03.02.2026;08:05;38;;;;\n"
        + "03.02.2026;08:10;39;;;;\n03.02.2026;08:15;;35;;;\n03.02.2026;08:20;12;;40;;\n")
    #expect(marked.rows.map(\.value) == [.glucose(39), .meter(35), .carbohydrates(40)])
    #expect(
      marked.report.omissions.map { "\($0.count) \($0.reason) \($0.first?.line ?? 0)" }
        == ["2 a value below 39 is an error code of the sensor 2"])
  }

  @Test("Columns of SiDiary that xDrip has not are named where they hold something")
  func otherColumns() throws {
    let table = try good(
      """
      DAY;TIME;UDT_CGMS;BG_LEVEL;CH_GR;BOLUS;BASAL;PULSE;REMARK
      04.03.2026;08:00;120;;;;;;
      04.03.2026;08:05;121;;;4,5;12;;before breakfast
      """)
    #expect(table.rows.map(\.value) == [.glucose(120), .glucose(121), .bolus(4.5)])
    let remarks = table.report.remarks.map { "\($0.reason) \($0.first?.line ?? 0)" }
    #expect(remarks == ["values in columns that are not read: BASAL 3"])
  }

  @Test("A note with more commas than the table has columns separates none")
  func notesWithCommas() throws {
    let text = """
      time;glucose;note
      2026-02-03T06:00:00Z;110;milk, bread, eggs, tea
      2026-02-03T06:05:00Z;112;
      """
    #expect(try good(text).rows.map(\.value) == [.glucose(110), .glucose(112)])
    let named = RecordTable.Options(timeColumn: "when", glucoseColumn: "what")
    let own = text.replacing("time;glucose", with: "when;what")
    let problems = ProblemList()
    let table = RecordTable.read(
      Array(own.utf8), file: "a.csv", options: named, problems: problems)
    #expect(table?.rows.map(\.value) == [.glucose(110), .glucose(112)], "\(problems.sorted)")
  }

  @Test("A glucose without a unit is asked for where those of other rows have theirs")
  func missingUnit() throws {
    let rows = "time,glucose,units\n2026-02-03T06:00:00,120,mg/dL\n2026-02-03T06:05:00,6.6,\n"
    let problems = ProblemList()
    #expect(RecordTable.read(Array(rows.utf8), file: "a.csv", problems: problems) == nil)
    #expect(
      problems.sorted.map(\.description) == [
        "a.csv:3:21: error: The unit of \"6.6\" is not stated, as that of other rows is. Write it, "
          + "or say --unit."
      ])
    let said = RecordTable.read(
      Array(rows.utf8), file: "a.csv", options: .init(isMolar: true), problems: ProblemList())
    // 6.6 · 18.0156.
    #expect(said?.rows.last?.value == .glucose(118.90296))
    let silent = try good(rows.replacing("mg/dL", with: "").replacing("6.6", with: "118"))
    #expect(silent.rows.map(\.value) == [.glucose(120), .glucose(118)])
  }

  @Test("A comma that may stand between thousands is asked for, and no decimal comma")
  func thousands() throws {
    func read(_ values: String...) -> (table: RecordTable?, problems: [TextProblem]) {
      let rows = values.enumerated().map { "2026-02-03T06:0\($0):00,\($1)\n" }.joined()
      let problems = ProblemList()
      let table = RecordTable.read(
        Array("time,glucose\n\(rows)".utf8), file: "a.csv", options: .init(isMolar: true),
        problems: problems)
      return (table, problems.sorted)
    }
    for others in ["10.5", "11"] {
      let asked = read(others, "\"1,210\"", others)
      #expect(asked.table == nil && asked.problems.map(\.position.line) == [3])
      #expect(
        asked.problems.first?.sentence
          == "\"1,210\" may have a decimal comma or one between thousands. Write it without.")
    }
    // All have a comma; one has not three digits behind it; one has no thousands before it.
    #expect(read("\"5,210\"", "\"6,100\"").table?.rows.count == 2)
    #expect(read("\"5,210\"", "\"6,1\"", "7").table?.rows.count == 3)
    #expect(read("7", "8", "\"0,210\"").table?.rows.count == 3)
  }

  /// The values of a table, and its problems.
  private func read(
    _ values: [String], by separator: String
  ) -> (values: [RecordTable.Value]?, problems: [TextProblem]) {
    let rows = values.enumerated().map { "2026-02-03T06:0\($0):00\(separator)\($1)\n" }.joined()
    let problems = ProblemList()
    let table = RecordTable.read(
      Array("time\(separator)glucose_mgdL\n\(rows)".utf8), file: "a.csv", problems: problems)
    return (table?.rows.map(\.value), problems.sorted)
  }

  @Test("Of a point and a comma in a number the last is that of decimals")
  func bothMarks() {
    let values: [RecordTable.Value] = [.glucose(110.5), .glucose(120), .glucose(1_000)]
    for separator in [";", "\t"] {
      let read = read(["110,5", "120", "1.000,0"], by: separator)
      #expect(read.values == values, "\(read.problems)")
    }
    #expect(read(["110.5", "120", "\"1,000.0\""], by: ",").values == values)
    for wrong in ["1.23,5", "1.234,5,6", "0.123,5", "1234.567,8", "1.234,", ",1.234"] {
      let read = read(["110,5", wrong, "120"], by: ";")
      #expect(read.values == nil && read.problems.map(\.position.line) == [3], "\(wrong)")
    }
  }

  @Test(
    "A point beside decimal commas, or a comma beside points behind others, may be of thousands")
  func thousandsBesideDecimals() {
    for (values, mark) in [
      (["110,5", "1.234", "120"], "point"), (["1,234.5", "1,210", "120"], "comma"),
    ] {
      let read = read(values, by: ";")
      #expect(read.values == nil && read.problems.map(\.position.line) == [3])
      #expect(
        read.problems.first?.sentence
          == "\"\(values[1])\" may have a decimal \(mark) or one between thousands. Write it "
          + "without.")
    }
    // Without a comma elsewhere a point is that of decimals, and so is one before other digits.
    #expect(read(["110", "101.234"], by: ";").values == [.glucose(110), .glucose(101.234)])
    #expect(read(["110,5", "101.2"], by: ";").values == [.glucose(110.5), .glucose(101.2)])
  }

  @Test("A row that ends before the columns of date and time is no record, wherever these stand")
  func shortRows() throws {
    let careLink = try good(
      "Sensor Glucose (mg/dL),Date,Time\n120\n130,2026/01/05,12:00:00\n")
    #expect(careLink.rows.map(\.value) == [.glucose(130)])
    let xDrip = try good("UDT_CGMS;DAY;TIME\n120\n130;05.01.2026;12:00\n")
    #expect(xDrip.rows.map(\.value) == [.glucose(130)])
    for table in [careLink, xDrip] {
      #expect(table.report.omissions.map(\.reason) == ["rows that are no records are not read"])
    }
  }

  @Test("Rows of a table of glucose that have none are counted as left out")
  func countsRowsWithoutGlucose() throws {
    let table = try good(
      """
      time,glucose,note
      2026-02-03T06:00:00Z,110,
      2026-02-03T06:05:00Z,,calibrated
      ,,
      \u{20}\u{20}
      \u{09}
      2026-02-03T06:10:00Z,112,
      """)
    #expect(table.rows.map(\.value) == [.glucose(110), .glucose(112)])
    #expect(table.report.records == 4)
    #expect(table.report.omissions.map(\.reason) == ["rows without glucose"])
    #expect(table.report.omissions.map(\.count) == [2])
    #expect(table.report.omissions.first?.first?.line == 3)
  }

  @Test("A glucose of 0 is none, but in a table of a simulated body")
  func zeroGlucose() throws {
    let rows =
      "2026-03-29T12:00:00,0\n2026-03-29T12:05:00,110\n2026-03-29T12:10:00,0.0\n"
      + "2026-03-29T12:15:00,112\n2026-03-29T12:20:00,114\n"
    let people = try good("time,glucose (mg/dL)\n" + rows)
    #expect(people.rows.map(\.value) == [110, 112, 114].map { .glucose($0) })
    let left = try #require(people.report.omissions.first)
    #expect(left.count == 2 && left.reason.hasPrefix("a glucose of 0, which nobody has"))
    #expect(left.first?.line == 2)
    let body = try good(
      "time,glucose_cgm_mgdL,glucose_true_mgdL\n"
        + rows.split(separator: "\n").map { "\($0),1" }.joined(separator: "\n"))
    #expect(body.rows.map(\.value) == [0, 110, 0, 112, 114].map { .glucose($0) })
  }

  @Test("Rows of a type that is read are left out for want of a value, and others as of their type")
  func namesTypes() throws {
    let table = try good(
      """
      time,glucose,type
      2026-02-03T06:00:00Z,110,cgm
      2026-02-03T06:05:00Z,,cgm
      2026-02-03T06:10:00Z,NaN,CGM
      2026-02-03T06:15:00Z,60,calibration
      2026-02-03T06:20:00Z,55,
      2026-02-03T06:25:00Z,58,smbg
      """)
    #expect(table.rows.map(\.value) == [.glucose(110), .meter(58)])
    #expect(
      table.report.omissions.map(\.reason) == [
        "rows without glucose", "rows of type 'cgm' without a value", "rows of type 'calibration'",
        "rows of glucose without a type",
      ])
    let connect = try good(
      """
      DeviceType,SerialNumber,Description,EventDateTime,Readings (CGM / BGM)
      t:slim X2,1,EGV,2026-03-10T00:00:00,100
      t:slim X2,1,EGV,2026-03-10T00:05:00,
      """)
    #expect(connect.report.omissions.map(\.reason) == ["rows of type 'egv' without a value"])
  }

  @Test("Columns of any table that hold something and are not read are named")
  func namesOtherColumns() throws {
    let table = try good(
      """
      time,glucose,insulin,carbs,empty,device
      2026-02-03T06:00:00Z,110,,,,A
      2026-02-03T06:05:00Z,112,2.5,30,,A
      2026-02-03T06:10:00Z,,,15,,A
      """)
    #expect(table.rows.map(\.value) == [.glucose(110), .glucose(112)])
    #expect(
      table.report.warnings.map(\.description) == [
        "a.csv:4:1: warning: 1 record is left out: rows without glucose.",
        "a.csv:3:26: warning: 2 records have values in columns that are not read: insulin, carbs.",
      ])
  }

  @Test("Insulin or food below zero is an error at its place, and not a row without a value")
  func refusesNegativeAmounts() {
    let text = """
      Timestamp,Bolus Type,Blood Glucose Input (mg/dl),Carbs Input (g),Carbs Ratio,\
      Insulin Delivered (U),Initial Delivery (U),Extended Delivery (U),Serial Number
      2026-03-29 12:00,Normal,0,20,0,-1.5,,,1
      2026-03-29 13:00,Normal,0,-4,0,0,,,1
      """
    let problems = ProblemList()
    #expect(RecordTable.read(Array(text.utf8), file: "a.csv", problems: problems) == nil)
    #expect(
      problems.sorted.map(\.description) == [
        "a.csv:2:32: error: \"-1.5\" is no amount, as it is below 0. Write a number from 0 on.",
        "a.csv:3:27: error: \"-4\" is no amount, as it is below 0. Write a number from 0 on.",
      ])
  }

  @Test("What a table says of its unit counts, whatever the caller knows; else the caller's word")
  func statedUnit() throws {
    func read(_ header: String, _ value: String) -> (table: RecordTable?, sentence: String?) {
      let problems = ProblemList()
      let table = RecordTable.read(
        Array("time,\(header)\n2026-02-03T06:00:00,\(value)\n".utf8), file: "t.csv",
        options: .init(isMolar: true), problems: problems)
      return (table, problems.sorted.first?.sentence)
    }
    let mass = read("glucose_mgdL", "112").table
    #expect(mass?.rows.map(\.value) == [.glucose(112)])
    #expect(mass?.glucoseUnit == .milligramsPerDecilitre)
    #expect(read("glucose", "6.2").table?.glucoseUnit == .millimolesPerLitre)
    #expect(
      read("glucose_mgdL", "6.2").sentence?.hasSuffix(
        "They look like mmol/L. Correct the unit that the table states if they are.") == true)
  }

  @Test("A header below lines about the export is found, by the usual names or by those named")
  func findsHeaders() throws {
    let table = try good(
      """
      Name:Ann,Date Range:2026-03-01 - 2026-03-02
      Timestamp,CGM Glucose Value (mg/dl),Serial Number
      2026-03-01 00:00,120,S1
      2026-03-01 00:05,123,S1
      """)
    #expect(table.rows.map(\.value) == [.glucose(120), .glucose(123)])
    #expect(table.glucoseColumns == ["CGM Glucose Value (mg/dl)"])
    let named = RecordTable.read(
      Array("Exported by,me\nWhen,Reading\n2026-03-01 00:00,7.1\n".utf8), file: "t.csv",
      options: .init(timeColumn: "when", glucoseColumn: "reading", isMolar: true),
      problems: ProblemList())
    #expect(named?.rows.count == 1)
  }

  @Test("Where a table becomes samples it is said of how many a word stands for the value")
  func tellsOfWords() throws {
    var table = try good(
      """
      time,glucose
      2026-02-03T06:00:00Z,110
      2026-02-03T06:05:00Z,Low
      2026-02-03T06:10:00Z,LO
      2026-02-03T06:15:00Z,High
      """)
    _ = table.samples(on: .utc)
    #expect(
      table.report.warnings.map(\.description) == [
        #"a.csv:3:22: warning: 2 records have "Low" for glucose, which counts as 39 mg/dL."#,
        #"a.csv:5:22: warning: 1 record has "High" for glucose, which counts as 401 mg/dL."#,
      ])
  }
}
