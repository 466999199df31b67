import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Nightscout: switches for a while, and profiles that are edited beside them")
struct NightscoutSwitchTests {
  private typealias Record = NightscoutRecordTests

  /// The profiles `d` and `s` at one rate each, from a time of 2026-02-03.
  private static func store(_ rate: Double, from time: String) -> String {
    func profile(_ rate: Double) -> String {
      "{\"timezone\":\"UTC\",\"basal\":[{\"time\":\"00:00\",\"value\":\(rate)}]}"
    }
    return """
      [{"defaultProfile":"d","startDate":"2026-02-\(time):00Z",
        "store":{"d":\(profile(rate)),"s":\(profile(3))}}]
      """
  }

  private static func switched(_ name: String, _ time: String, minutes: Int) -> String {
    """
    [{"eventType":"Profile Switch","created_at":"2026-02-03T\(time):00Z","profile":"\(name)",
      "duration":\(minutes)}]
    """
  }

  @Test(
    "What is edited holds after a switch for a while, whether one for good came before or none",
    arguments: [
      // 0.6 U/h and 3 U/h for ten minutes each, 0.6 U/h for ten, and 6 U/h for 30 and 50.
      (10, 8.7),
      // It is edited at 00:30 within the 40 minutes of 3 U/h, after which 6 U/h run for 10 and 50.
      (40, 8.1),
    ] as [(Int, Double)])
  func edited(minutes: Int, units: Double) throws {
    let files = [
      Record.entries, Record.treatments, Self.store(0.6, from: "01T00:00"),
      Self.store(6, from: "03T00:30"), Self.switched("s", "00:10", minutes: minutes),
    ]
    let own = Self.switched("d", "00:00", minutes: 0)
    for switches in ["[]", own] {
      let read = try Record.basal(
        files[0], files[1], files[2], files[3], files[4], switches)
      // Without the ten minutes of 1.2 U/h.
      #expect(abs(read.units - 0.2 - units) < 1e-9, "\(read.spans)")
      #expect(read.reader.report.account.unexplained(of: .basal) == .zero)
      #expect(read.reader.report.omissions.isEmpty)
    }
  }

  /// A switch as AndroidAPS writes it, to a part of 2 U/h.
  private static func part(_ percent: Int, _ time: String, minutes: Int) -> String {
    let text = "{'timezone':'UTC','basal':[{'time':'00:00','value':2}]}"
      .replacing("'", with: "\\\"")
    return """
      [{"eventType":"Profile Switch","created_at":"2026-02-03T\(time):00Z","profile":"d",
        "profileJson":"\(text)","percentage":\(percent),"duration":\(minutes)}]
      """
  }

  @Test(
    "A switch for a while goes on after a shorter one of AndroidAPS, and not after one for good",
    arguments: [
      // 4 U/h for ten minutes, 1 U/h for twenty and 4 U/h for thirty; the rest is 0.6 U/h.
      ([part(200, "00:00", minutes: 60), part(50, "00:10", minutes: 20)], 3.5),
      // The middle one ends last: 4 U/h for ten minutes, 1 U/h for ten, 3 U/h for ten, 1 U/h for
      // thirty.
      (
        [
          part(200, "00:00", minutes: 15), part(50, "00:10", minutes: 50),
          part(150, "00:20", minutes: 10),
        ], 2.0 / 3 + 1.0 / 6 + 0.5 + 0.5 + 0.5
      ),
      // One for good comes between: 4 U/h for five minutes, then 2 U/h but for twenty at 1 U/h; it
      // holds to the end.
      (
        [
          part(200, "00:00", minutes: 60), part(100, "00:05", minutes: 0),
          part(50, "00:10", minutes: 20),
        ], 1.0 / 3 + 1.0 / 6 + 1.0 / 3 + 1 + 5.0 / 3
      ),
      // Two of Nightscout's own: it ends the first with the second. 3 U/h for ten minutes.
      ([switched("s", "00:00", minutes: 60), switched("d", "00:10", minutes: 20)], 1.5),
    ] as [([String], Double)])
  func overlapping(switches: [String], units: Double) throws {
    for own in [switches, switches.reversed()] {
      let read = try Record.basal(
        Record.entries, Record.treatments, Self.store(0.6, from: "01T00:00"), own[0], own[1],
        own.count > 2 ? own[2] : "[]")
      // Without the ten minutes of 1.2 U/h.
      #expect(abs(read.units - 0.2 - units) < 1e-9, "\(read.spans)")
      #expect(read.reader.report.account.unexplained(of: .basal) == .zero)
    }
  }

  @Test(
    "A switch runs by the clock of the stored profile, where AndroidAPS names a zone of its offset",
    arguments: [
      // From 02:00 to 08:00 in Berlin, and from 01:00 to 07:00 in Algiers.
      ("Africa/Algiers", "Europe/Berlin", "2026-01-05", 4.0 + 6, ["Europe/Berlin": 2]),
      // Where the zones differ when it is switched the one that stands beside the rates counts.
      (
        "Africa/Algiers", "Europe/Berlin", "2026-06-01", 5.0 + 3,
        ["Africa/Algiers": 1, "Europe/Berlin": 1]
      ),
      ("Africa/Algiers", nil, "2026-01-05", 5.0 + 3, ["Africa/Algiers": 1]),
    ] as [(String, String?, String, Double, [String: Int])])
  func clocks(
    zone: String, stored: String?, day: String, units: Double, named: [String: Int]
  ) throws {
    let basal = "[{'time':'00:00','value':1},{'time':'06:00','value':3}]"
    let text = "{'timezone':'\(zone)','basal':\(basal)}".replacing("'", with: "\\\"")
    let profile = stored.map {
      """
      ,{"defaultProfile":"d","startDate":"2026-01-01T00:00:00Z","store":{"d":{"timezone":"\($0)",
        "basal":\(basal.replacing("'", with: "\""))}}}
      """
    }
    let root = try #require(
      JSONReader.read(
        text: """
          [{"eventType":"Profile Switch","created_at":"\(day)T10:00:00Z","profileJson":"\(text)"},
           {"eventType":"Temp Basal","created_at":"2026-06-05T00:00:00Z","absolute":1,"duration":0},
           {"eventType":"Temp Basal","created_at":"2026-06-05T06:00:00Z","absolute":1,
            "duration":0}\(profile ?? "")]
          """, file: "f.json"
      ).root)
    let summer = try #require(Instant(iso8601: "2026-03-29T01:00:00Z"))
    let berlin = WallClock(
      initialOffset: .hours(1), transitions: [.init(instant: summer, offset: .hours(2))])
    var reader = NightscoutReader(file: "f.json") {
      $0 == "Europe/Berlin" ? berlin : WallClock(initialOffset: .hours(1))
    }
    let samples = reader.samples(of: root, problems: ProblemList())
    let sum = try #require(samples).reduce(0) { $0 + ($1.sample.storedValue ?? 0) }
    #expect(abs(sum - units) < 1e-9)
    #expect(reader.report.timeZones == named)
  }
}
