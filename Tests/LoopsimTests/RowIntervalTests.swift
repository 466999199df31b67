import Quantities
import Reports
import Simulation
import StructuredText
import Testing

@testable import loopsim

@Suite("Rows of the timeline that are far apart")
struct RowIntervalTests {
  /// A day in which the pump's clock goes wrong, insulin from a pen is in no record, and a sensor
  /// is pressed.
  private func result(
    every interval: String, _ more: String = "", body: String = ""
  ) throws -> (RunResult, RunSummary) {
    let scratch = try Scratch()
    let file = scratch.file("s.json5")
    try Files.write(
      """
      { format: 'loopsim/1', id: 's', clock: { start: '2026-04-04T00:00:00' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001'\(body) },
        therapy: { basal: [['00:00', 0.85], ['12:00', 0.45]],
          sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]] },
        output: { every: '\(interval)' }, \(more)
        events: [
          { at: '07:00', meal: { grams: 40 } },
          { at: '07:00', bolus: { units: 2 } },
          { at: '10:00', injection: { units: 3 }, entry: false },
        ],
        faults: [{ id: 'clock', at: '05:30', pump: { clockError: { by: '3h' } } },
          { id: 'pressed', during: ['16:00', '1h'], cgm: { compression: { depth: 90 } } }] }
      """, to: file)
    let planned = try RunSelection("s", in: file).planned
    let done = ScenarioBatch.carryOut(planned, seed: nil)
    let summary = try #require(done.summary)
    return (summary.run, summary)
  }

  @Test("A row has the readings that the app took in, which it does in its cycles")
  func readings() throws {
    // A Libre gives a reading every minute, and the app runs every five.
    let (run, _) = try result(every: "1m", "cgm: { model: 'libre2' },")
    let withReading = run.timeline.filter { $0.reading != nil }.map {
      ($0.instant - run.start).minutes
    }
    #expect(withReading == (0...288).map { Double(5 * $0) })
  }

  @Test("What a run says of itself is the same, however far apart", arguments: ["10m", "1h", "1d"])
  func answer(interval: String) throws {
    let (fine, one) = try result(every: "5m")
    let (coarse, other) = try result(every: interval)
    #expect(one.troubles.count > 3)
    #expect(other.troubles == one.troubles)
    #expect(other.json["outcomes"] == one.json["outcomes"])
    #expect(coarse.agreement == fine.agreement)
    #expect(coarse.digest == fine.digest)
  }

  @Test(
    "What happens in a run does not depend on how often it is written down",
    arguments: [
      ("", ""), ("healthStore: { reportWrite: 'atTrigger' },", ""),
      ("", ", floor: { glucose: 20 }"),
    ])
  func happening(setting: String, body: String) throws {
    var runs: [RunResult] = []
    for every in ["5m", "1m"] { runs.append(try result(every: every, setting, body: body).0) }
    let rows = runs.map { run in
      run.trace.rows.filter { ($0.instant - run.start).milliseconds % 300_000 == 0 }
    }
    #expect(runs[1].trace.rows.count == 24 * 60 + 1)
    #expect(rows[0].map(\.insulinOnBoard) == rows[1].map(\.insulinOnBoard))
    #expect(rows[0].map(\.trueGlucose) == rows[1].map(\.trueGlucose))
    #expect(runs[0].pulses == runs[1].pulses)
    #expect(runs[0].cycleOutcomes == runs[1].cycleOutcomes)
    #expect(runs[0].insulinSamples == runs[1].insulinSamples)
    #expect(runs[0].eventHistory == runs[1].eventHistory)
  }

  @Test("A row of the timeline sums up what came since the row before")
  func sums() throws {
    let (fine, _) = try result(every: "5m")
    let (coarse, _) = try result(every: "1h")
    #expect(fine.timeline == fine.trace.rows && fine.timeline.count == 289)
    #expect(coarse.timeline.count == 25)
    for row in coarse.timeline {
      let parts = fine.timeline.filter {
        $0.instant <= row.instant && $0.instant > row.instant - .hours(1)
      }
      let last = try #require(parts.last)
      #expect(row.instant == last.instant && row.trueGlucose == last.trueGlucose)
      let basal = parts.map(\.basalDelivered).reduce(.zero, +)
      let boluses = parts.map(\.bolusDelivered).reduce(.zero, +)
      #expect(row.basalDelivered == basal && row.bolusDelivered == boluses)
      #expect(row.carbsEaten.grams == parts.map(\.carbsEaten.grams).reduce(0, +))
      #expect(row.carbsEntered.grams == parts.map(\.carbsEntered.grams).reduce(0, +))
      #expect(row.reading == parts.compactMap(\.reading).last)
      let recommendation = parts.map(\.recommendation).last { !$0.isEmpty }
      #expect(row.recommendation == recommendation ?? "")
    }
    #expect(coarse.timeline.map(\.carbsEaten.grams).reduce(0, +) == 40)
    let table = RunTables.timeline(coarse).text.split(separator: "\n")
    #expect(table.count == 26)
  }

  @Test(
    "Rows are at most five minutes apart, and a whole part of the time between two that are kept",
    arguments: [
      (1, 1_000), (60, 60_000), (300, 300_000), (301, 150_500), (420, 210_000), (600, 300_000),
      (840, 280_000), (3_600, 300_000), (86_400, 300_000), (86_399, 172_798),
    ])
  func interval(seconds: Int64, milliseconds: Int64) {
    let interval = Trace.interval(forOutputEvery: .seconds(seconds))
    #expect(interval.milliseconds == milliseconds)
    #expect(seconds * 1_000 % milliseconds == 0)
  }
}
