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
}
