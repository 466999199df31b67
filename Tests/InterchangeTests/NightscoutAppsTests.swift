import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Nightscout: temp basals of several apps at one pump")
struct NightscoutAppsTests {
  /// A temp basal of half an hour at a time of 2026-02-03.
  private static func temp(
    _ time: String, _ rate: Double, by name: String, seconds: String = "00"
  ) -> String {
    """
    {"eventType":"Temp Basal","created_at":"2026-02-03T\(time):\(seconds)Z","duration":30,
     "absolute":\(rate),"enteredBy":"\(name)"}
    """
  }

  private static func basal(
    _ temps: String...
  ) throws -> (units: Double, spans: [String], reader: NightscoutReader) {
    try NightscoutRecordTests.basal(
      "[\(temps.joined(separator: ","))]", NightscoutRecordTests.profile())
  }

  @Test("The schedule runs between the temp basals of two apps for six hours at most")
  func between() throws {
    // 0.6 U/h: half an hour of 2 U/h, an hour of schedule, half an hour of 0.
    let short = try Self.basal(
      Self.temp("04:00", 2, by: "one"), Self.temp("05:30", 0, by: "two"))
    #expect(abs(short.units - (1 + 0.6)) < 1e-9)
    #expect(short.reader.report.account.unexplained(of: .basal) == .zero)
    let long = try Self.basal(
      Self.temp("04:00", 2, by: "one"), Self.temp("10:31", 0, by: "two"))
    #expect(abs(long.units - 1) < 1e-9)
  }

  @Test("The schedule does not run while another app's temp basal does")
  func under() throws {
    // 08:00 to 12:30 without the three half hours is three hours of 0.6 U/h.
    let nurse = try Self.basal(
      Self.temp("08:00", 2, by: "app"), Self.temp("10:00", 3, by: "nurse"),
      Self.temp("12:00", 2, by: "app"))
    #expect(abs(nurse.units - (1 + 1.5 + 1 + 1.8)) < 1e-9)
    #expect(nurse.reader.report.account.unexplained(of: .basal) == .zero)
    // One app, another for the afternoon, and the first again: each stretch of schedule once.
    let apps = try Self.basal(
      Self.temp("01:00", 2, by: "one"), Self.temp("02:00", 2, by: "one"),
      Self.temp("03:00", 3, by: "two"), Self.temp("04:00", 3, by: "two"),
      Self.temp("05:00", 2, by: "one"), Self.temp("06:00", 2, by: "one"))
    #expect(abs(apps.units - (4 * 1 + 2 * 1.5 + 5 * 0.3)) < 1e-9)
    #expect(Set(apps.spans).count == apps.spans.count)
  }

  @Test("What a second uploader writes a little later is there twice, with the schedule")
  func copies() throws {
    let times = ["01:00", "02:00", "03:00"]
    let one = times.map { Self.temp($0, 2, by: "one") }
    let two = times.map { Self.temp($0, 2, by: "two", seconds: "20") }
    let read = try NightscoutRecordTests.basal(
      "[\((one + two).joined(separator: ","))]", NightscoutRecordTests.profile())
    #expect(abs(read.units - 2 * (3 * 1 + 2 * 0.3)) < 1e-9)
  }

  @Test("The schedule of two uploaders that begins at one time is two samples")
  func copiesOverAChange() throws {
    // At noon the schedule goes from 0.6 to 1.8 U/h: each has an hour before and one after.
    let text = [
      Self.temp("10:30", 2, by: "one"), Self.temp("13:00", 2, by: "one"),
      Self.temp("10:30", 2, by: "two", seconds: "20"),
      Self.temp("13:00", 2, by: "two", seconds: "20"),
    ].joined(separator: ",")
    var reader = NightscoutReader(file: "f.json") { _ in nil }
    let root = try ProgramFileTests.root(
      "{\"treatments\":[\(text)],\"profile\":\(NightscoutRecordTests.profile())}")
    let read = reader.samples(of: root, problems: ProblemList())
    let samples = try #require(read).map(\.sample)
    #expect(samples.count == 8)
    #expect(Set(samples.map(\.uuid)).count == 8)
  }

  @Test("A cancelled temp basal takes nothing from one that begins with it", arguments: 1...8)
  func cancelled(number: Int) throws {
    func temp(_ id: String, _ rate: Double, minutes: Int, at time: String = "02:00") -> String {
      """
      {"_id":"\(id)\(number)","eventType":"Temp Basal","created_at":"2026-02-03T\(time):00Z",
       "duration":\(minutes),"absolute":\(rate),"enteredBy":"loop://Loop"}
      """
    }
    // Whichever identity comes first: ten minutes of 3 U/h, then half an hour of 2 U/h.
    let read = try Self.basal(
      temp("a", 3, minutes: 30, at: "01:50"), temp("b", 0, minutes: 0), temp("c", 2, minutes: 30))
    #expect(abs(read.units - (0.5 + 1)) < 1e-9)
    #expect(read.reader.report.omissions.isEmpty)
    #expect(read.reader.report.account.unexplained(of: .basal) == .zero)
  }
}
