import HealthStore
import Quantities
import StructuredText
import TestSupport
import Testing

@testable import Interchange

/// Damage to files of every form that is read.
///
/// Whatever is done to them, reading ends, and what it refuses is a problem with a place. A trap or
/// a read outside memory ends the process.
///
/// `LOOPSIM_MUTATIONS` asks for more cases than the few that every run of the tests tries.
@Suite("Damaged files of other programs")
struct FuzzTests {
  static let count = Chance.cases(orElse: 200)

  private static let nightscout = """
    [{"eventType":"Temp Basal","created_at":"2026-02-03T07:00:00Z","duration":30,"absolute":0.8,\
    "enteredBy":"loop","_id":"a1"},{"eventType":"Correction Bolus","insulin":1.5,\
    "created_at":"2026-02-03T07:10:00Z"},{"type":"sgv","sgv":112,"date":1770102000000,\
    "direction":"Flat"},{"eventType":"Meal Bolus","carbs":45,"insulin":4,"absorptionTime":180,\
    "created_at":"2026-02-03T12:30:00Z"}]
    """
  private static let tidepool = """
    [{"type":"cbg","units":"mmol/L","value":6.2,"time":"2026-02-03T07:00:00Z","id":"a"},\
    {"type":"basal","deliveryType":"automated","rate":0.8,"duration":1800000,\
    "time":"2026-02-03T07:00:00Z"},{"type":"bolus","subType":"normal","normal":1.5,\
    "time":"2026-02-03T07:10:00Z"},{"type":"food","nutrition":{"carbohydrate":{"net":45,\
    "units":"grams"}},"time":"2026-02-03T12:30:00Z"}]
    """

  @Test("An export of Apple Health, given in parts of any size")
  func appleHealth() throws {
    var chance = Chance(state: 1)
    let words = [
      "&#x0;", "&lt;", "<!--", "]]>", "<Record ", "1e999", "0x10", "-", "9999-99-99", "",
    ]
    for _ in 0..<Self.count {
      let bytes = chance.damaged(Array(AppleHealthTests.example.utf8), words)
      var reader = AppleHealthReader(file: "export.xml")
      var rest = bytes[...]
      let size = 1 + chance.below(bytes.count + 1)
      do {
        while let samples = try reader.next(upTo: 100, input: { rest.take(size) }) {
          for sample in samples { _ = "\(sample)" }
        }
      } catch let problem as TextProblem {
        #expect(problem.position.line >= 1 && problem.position.column >= 1)
      }
    }
  }

  @Test("Documents of Nightscout and Tidepool")
  func documents() {
    var chance = Chance(state: 2)
    let words = [
      "1e400", "-0", "null", "{}", "[[", "\"\\u0000\"", "9223372036854775808", "\"\"", "true",
    ]
    for number in 0..<Self.count {
      let isTidepool = number.isMultiple(of: 2)
      let text = isTidepool ? Self.tidepool : Self.nightscout
      let reading = JSONReader.read(chance.damaged(Array(text.utf8), words), file: "f.json")
      guard let root = reading.root else {
        #expect(!reading.problems.isEmpty)
        continue
      }
      let problems = ProblemList()
      let samples: [RestoredSample]?
      if isTidepool {
        var reader = TidepoolReader(file: "f.json")
        samples = reader.samples(of: root, problems: problems)
      } else {
        var reader = NightscoutReader(file: "f.json") { _ in .utc }
        samples = reader.samples(of: root, problems: problems)
      }
      for sample in samples ?? [] { _ = "\(sample)" }
      for problem in problems.problems { #expect(problem.position.line >= 1) }
    }
  }

  @Test("JSON, tables and fixed numbers")
  func texts() {
    var chance = Chance(state: 3)
    let json = Array("{ a: [1, -2.5e3, 'x\\u0041', // c\n 0x1F, +1.], /* d */ \"b\": null }".utf8)
    let table = Array("time,glucose,note\n2026-01-01,100,\"a \"\"b\"\", c\"\r\n,,\n".utf8)
    let words = ["\u{FEFF}", "\u{0}", "\"", "\\u", "\r", "1e", "{", "\u{10FFFF}", "/*", ",,"]
    for _ in 0..<Self.count {
      let reading = JSONReader.read(chance.damaged(json, words), file: "a.json5")
      if let root = reading.root {
        let text = JSONWriter().text(JSONValue(root))
        #expect(JSONReader.read(text: text, file: "b.json").root != nil)
      } else {
        #expect(!reading.problems.isEmpty)
      }
      let problems = ProblemList()
      let read = CSVTable(chance.damaged(table, words), file: "a.csv", problems: problems)
      #expect(read != nil || problems.hasErrors)
      for row in read?.rows ?? [] { #expect(row.count == read?.header.count) }
    }
  }

  @Test("The input of the algorithm")
  func algorithmInput() {
    var chance = Chance(state: 4)
    let text = """
      {"glucoseHistory":[{"date":"2026-02-03T07:00:00Z","value":112}],"doses":[{"type":"bolus",\
      "startDate":"2026-02-03T06:00:00Z","endDate":"2026-02-03T06:01:00Z","volume":1}],\
      "carbEntries":[],"basal":[{"startDate":"2026-02-03T00:00:00Z",\
      "endDate":"2026-02-04T00:00:00Z","value":0.5}],"predictionStart":"2026-02-03T07:00:00Z"}
      """
    let words = ["1e300", "-1", "\"9999-12-31T23:59:59Z\"", "[]", "null", "\"rapidActingAdult\""]
    for _ in 0..<Self.count {
      let reading = AlgorithmInputFile.read(chance.damaged(Array(text.utf8), words), file: "i.json")
      #expect(reading.input != nil || !reading.problems.isEmpty)
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func take(_ count: Int) -> [UInt8] {
    defer { self = dropFirst(count) }
    return Array(prefix(count))
  }
}
