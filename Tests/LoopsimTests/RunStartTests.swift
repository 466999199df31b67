import StructuredText
import Testing

@testable import loopsim

/// What happened before a run and at its first instant, in its tables and on its page.
@Suite("Where a run begins")
struct RunStartTests {
  /// A body that is held level by 1 U/h, over which nothing doses but the schedule.
  private static func scenario(_ id: String, _ clock: String, _ rest: String) -> String {
    """
    { format: 'loopsim/1', id: '\(id)', clock: { start: '2026-01-05T08:00:00', \(clock) },
      patient: { model: 'tidepool-simple', initialGlucose: 120, needs: {
        basal: [['00:00', 1]], sensitivity: [['00:00', 45]], carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false }, \(rest) }
    """
  }

  /// A file of the result of a scenario called `s`.
  private static func file(
    _ name: String, of scenario: String, in scratch: Scratch
  ) async throws -> String {
    try Files.write(scenario, to: scratch.file("s.json5"))
    let result = await program([
      "run", scratch.file("s.json5"), "--out", scratch.file("out"), "--quiet", "--report",
    ])
    #expect(result.code == 0, "\(result.error)")
    return String(decoding: try Files.read(scratch.file("out/s/\(name)")), as: UTF8.self)
  }

  @Test("What the pump gives without a command at the first instant is a row of pulses.csv")
  func unrequestedAtStart() async throws {
    let pulses = try await Self.file(
      "pulses.csv",
      of: Self.scenario(
        "s", "duration: '2h'",
        "faults: [{ id: 'q', at: '+0m', pump: { unrequested: { units: 0.8 } } }]"),
      in: try Scratch())
    let rows = pulses.split(separator: "\n")
    #expect(rows[1] == "2026-01-05T08:00:00Z,2026-01-05T08:00:00Z,unrequested,0.00,0.8000")
    // 2 U of basal, in 0.05 U each three minutes.
    #expect(rows.count == 1 + 1 + 40)
  }

  @Test("A lost pulse is of one day, and of none where it was given before the run")
  func lostPulses() async throws {
    let page = try await Self.file(
      "report.html",
      of: Self.scenario(
        "s", "duration: '40h', preRoll: '6h'",
        "faults: [{ id: 'q', during: ['-3h', '60h'], pump: { leak: { fraction: 0.5 } } }]"),
      in: try Scratch())
    // 16 hours of 20 pulses of 0.05 U, and 24 hours; half of each pulse leaks.
    for (pulses, units) in [(320, "8.00"), (480, "12.00")] {
      let label = "\(pulses) pulses reached it otherwise than counted, \(units) U less in all."
      #expect(page.contains(label))
    }
  }

  @Test("What the health store holds of the time before the run is no part of a day's sum")
  func heldBefore() async throws {
    let page = try await Self.file(
      "report.html",
      of: Self.scenario(
        "s", "duration: '40h', preRoll: '6h'",
        "events: [{ at: '-3h', bolus: { units: 2.35 } },"
          + " { at: '-1h', basal: { rate: 2, duration: '30m' } }]"),
      in: try Scratch())
    // Of the sample from 07:30 to midnight, 16.5 U, 16 hours are of the run.
    #expect(page.contains("Pump: 16.00 U in 320 pulses"))
    #expect(page.contains("Health store: 1 basal sample and 0 doses, 16.00 U."))
    #expect(page.contains("Health store: 2 basal samples and 0 doses, 24.00 U."))
  }

  @Test(
    "How late the health store hears of it is told by the pulses of the run, as in summary.json")
  func delays() async throws {
    let scratch = try Scratch()
    let page = try await Self.file(
      "report.html", of: Self.scenario("s", "duration: '4h', preRoll: '20h'", ""), in: scratch)
    // The sample from midnight is written at noon; of its pulses those after 08:00 are of the run:
    // 80, which wait 0, 3, … 237 minutes.
    for (name, value) in [
      ("From pulse to Health, median", "1 h 59 min"), ("95th percentile", "3 h 48 min"),
      ("Latest", "3 h 57 min"),
    ] {
      #expect(page.contains("\(name)</dt><dd>\(value)</dd>"), "\(name)")
    }
    let summary = String(
      decoding: try Files.read(scratch.file("out/s/summary.json")), as: UTF8.self)
    #expect(summary.contains("\"median_delay_minutes\": 118.5,"))
    #expect(summary.contains("\"delay_95_minutes\": 228.0,"))
  }
}
