import Quantities
import ScenarioLanguage
import StructuredText
import Testing
import TimeZones

/// What reading files kept in memory gave.
struct Read {
  let document: ScenarioDocument?
  let problems: ProblemList

  init(_ files: [String: String], _ path: String = "Scenarios/a.json5") {
    problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    document = reader.read(path, problems: problems)
  }

  /// A single file whose body follows the obligatory `format`.
  init(_ body: String) { self.init(["Scenarios/a.json5": "{ format: 'loopsim/1', \(body) }"]) }

  var sentences: [String] { problems.sorted.map(\.description) }

  /// The value at an address of the merged tree.
  func value(_ path: String) throws -> JSONValue? {
    let tree = try #require(document).tree
    return try ScenarioPath(path).value(in: tree).map { JSONValue($0) }
  }
}

/// A field that holds one value, read against a clock.
func field(
  _ text: String, unit: GlucoseUnit = .milligramsPerDecilitre,
  start: String = "2026-03-07T18:00:00", zone: String = "America/Los_Angeles"
) throws -> Field {
  let local = try #require(CivilTime(iso8601: start))
  let rough = Instant(millisecondsSince1970: local.millisecondsSince1970)
  let clock = try #require(
    ZoneDatabase.wallClock(named: zone, from: rough - .days(400), to: rough + .days(400)))
  let instant = try #require(TimeText(start)).resolved(from: rough, start: rough, on: clock).instant
  let context = ReadingContext(
    glucoseUnit: unit, wallClock: clock, timeZone: zone, start: instant, duration: .days(1),
    preRoll: .zero, anchor: instant)
  let tree = try #require(JSONReader.read(text: "{ v: \(text) }", file: "f").root)
  return Field(tree, in: context, problems: ProblemList()).required("v")
}
