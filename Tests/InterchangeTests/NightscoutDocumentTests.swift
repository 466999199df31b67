import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Nightscout: what tells documents apart, when they are, and of which nothing is left")
struct NightscoutDocumentTests {
  @Test("A later version of a document counts alone, by whichever name it is known")
  func versions() throws {
    for name in ["_id", "identifier", "syncIdentifier"] {
      func bolus(_ units: Double, written: Int) -> String {
        """
        {"\(name)":"a1","eventType":"Correction Bolus","created_at":"2026-02-03T06:00:00Z",
         "insulin":\(units),"srvModified":\(written)}
        """
      }
      let (samples, report) = try ProgramFileTests.read(
        nightscout: "[\(bolus(2, written: 1_000)),\(bolus(1.5, written: 2_000))]")
      #expect(samples.map(\.storedValue) == [1.5], "\(name)")
      #expect(report.omissions.map(\.reason) == [NightscoutVersions.reason])
    }
  }

  @Test(
    "A date in milliseconds may have a fraction, or be a text",
    arguments: ["1770098400000", "1770098400000.4", "\"1770098400000\"", "1.7700984e12"])
  func dates(date: String) throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: "[{\"type\":\"sgv\",\"date\":\(date),\"sgv\":101}]")
    #expect(samples.map(\.start) == [ProgramFileTests.start])
    #expect(report.omissions.isEmpty)
  }

  @Test("A key that is null is absent within lists too")
  func nulls() throws {
    typealias Record = NightscoutRecordTests
    let null = Record.profile().replacing(
      "{\"time\":\"00:00\",", with: "{\"timeAsSeconds\":null,\"time\":\"00:00\",")
    #expect(null.contains("null"))
    let known = try Record.basal(Record.entries, Record.treatments, Record.profile())
    let read = try Record.basal(Record.entries, Record.treatments, null)
    #expect(read.reader.report.omissions.isEmpty)
    #expect(read.spans == known.spans && read.units == known.units)
  }

  @Test(
    "Insulin and food of an event of the pump count, whatever the event",
    arguments: ["Suspend Pump", "Resume Pump", "Profile Switch", "Site Change", "Note"])
  func dosesOfEvents(event: String) throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"\(event)","created_at":"2026-02-03T06:00:00Z","insulin":2.5,"carbs":20}]
        """)
    #expect(Set(samples.map(\.storedValue)) == [2.5, 20])
    for total in report.account.totals {
      #expect(report.account.unexplained(of: total.quantity) == .zero, "\(report.account.lines)")
    }
  }

  @Test(
    "Nothing comes of a document that is left out as it cannot be read",
    arguments: [
      // A stop until 00:50, one until the temp basal, and a switch to half of the schedule.
      #""eventType":"Suspend Pump","duration":"abc""#,
      #""eventType":"Suspend Pump","insulin":"abc""#,
      #""eventType":"Profile Switch","profile":"d","percentage":5000"#,
      #""eventType":"Profile Switch","profile":"d","percentage":50,"carbs":"x""#,
      #""eventType":"BG Check","glucose":120,"units":"mg/dl","carbs":"x""#,
    ])
  func leftOut(document: String) throws {
    typealias Record = NightscoutRecordTests
    let go = #"{"eventType":"Resume Pump","created_at":"2026-02-03T00:50:00Z"}"#
    let bad = "{\"created_at\":\"2026-02-03T00:20:00Z\",\(document)}"
    let known = try Record.basal(Record.entries, Record.treatments, "[\(go)]", Record.profile())
    let read = try Record.basal(
      Record.entries, Record.treatments, "[\(bad),\(go)]", Record.profile())
    #expect(read.spans == known.spans && read.units == known.units)
    let left = read.reader.report.omissions
    #expect(left.count == 1 && left.first?.reason.contains("cannot be read") == true, "\(left)")
    #expect(read.reader.report.types.map(\.samples) == known.reader.report.types.map(\.samples))
  }

  @Test("Thousands of documents of one identity are told apart at once", .timeLimit(.minutes(1)))
  func manyOfOneIdentity() throws {
    let start = try #require(Instant(iso8601: "2026-02-03T00:00:00Z"))
    let boluses = (0..<10_000 as Range<Int64>).map { place in
      """
      {"_id":"a","eventType":"Correction Bolus","insulin":1,
       "created_at":"\(start + .minutes(5 * place))"}
      """
    }
    // The first stands there twice.
    let (samples, _) = try ProgramFileTests.read(
      nightscout: "[\(boluses.joined(separator: ",")),\(boluses[0])]")
    #expect(samples.count == 10_000)
    #expect(Set(samples.map(\.uuid)).count == 10_000)
  }

  // GET /api/v1/profile/current is one document, and GET /api/v3/profile is
  // {"status":200,"result":[…]}.
  @Test("A document alone, and the answers of the third interface, are read as lists of them are")
  func formsOfAnswers() throws {
    typealias Record = NightscoutRecordTests
    let known = try Record.basal(Record.entries, Record.treatments, Record.profile())
    let one = String(Record.profile().dropFirst().dropLast())
    for profile in [
      one, "{\"status\":200,\"result\":\(Record.profile())}",
      "{\"status\":200,\"result\":\(one)}", "{\"profile\":\(one)}",
    ] {
      let read = try Record.basal(
        "{\"status\":200,\"result\":\(Record.entries)}", Record.treatments, profile)
      #expect(read.spans == known.spans && read.units == known.units, "\(profile)")
      #expect(read.reader.report.omissions.isEmpty)
    }
  }

  @Test("Lists that are not read are counted, and a file without any that is known is an error")
  func otherLists() throws {
    let bolus =
      "{\"eventType\":\"Bolus\",\"created_at\":\"2026-02-03T06:00:00Z\",\"insulin\":2.5}"
    let (samples, report) = try ProgramFileTests.read(
      nightscout: "{\"treatments\":[\(bolus)],\"food\":[{\"carbs\":20},{\"carbs\":30}]}")
    #expect(samples.map(\.storedValue) == [2.5])
    #expect(report.omissions.map(\.reason) == ["documents of 'food' are not read"])
    #expect(report.omissions.map(\.count) == [2])
    let problems = ProblemList()
    let roots = try ["[\(bolus)]", "{\"data\":[\(bolus)]}"].map {
      try #require(JSONReader.read(Array($0.utf8), file: "f.json").root)
    }
    var reader = NightscoutReader(file: "f.json")
    #expect(reader.samples(of: roots, problems: problems) == nil)
    #expect(
      problems.sorted.map(\.sentence) == [
        "This is in no form of Nightscout's that is read: a list of documents, one document, or an "
          + "object that has them as \"entries\", \"treatments\", \"profile\", \"devicestatus\" or "
          + "\"result\"."
      ])
  }
}
