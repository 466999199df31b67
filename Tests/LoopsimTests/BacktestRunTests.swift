import ClosedLoop
import Dosing
import Foundation
import HealthStore
import Quantities
import Records
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import loopsim

/// Records of runs, whose truth is known, through the backtest.
@Suite("The backtest of runs")
struct BacktestRunTests {
  /// What a run's loop worked with and found in a cycle.
  private struct Cycle {
    var instant: Instant
    var output: AlgorithmOutput
  }

  private struct Lived {
    var samples: [RestoredSample]
    var cycles: [Cycle]
    var therapy: TherapySettings
    var glucose: [Instant: Double]
  }

  /// What the pump gives at once, in U.
  private static let pulse = 0.05

  private func scenario(target: String = "[100, 115]", dosing: String = "tempBasal") -> String {
    """
    { format: 'loopsim/1', id: 'lived', random: { seed: 3 },
      clock: { start: '2026-03-04T06:00:00', timeZone: 'UTC', duration: '8h' },
      patient: { model: 'tidepool-simple', initialGlucose: 150, needs: {
        basal: [['00:00', 0.8]], sensitivity: [['00:00', 45]], carbRatio: [['00:00', 10]] } },
      therapy: { basal: [['00:00', 0.8]], sensitivity: [['00:00', 45]],
        carbRatio: [['00:00', 10]], target: [['00:00', \(target)]] },
      cgm: { model: 'ideal' }, app: { dosing: '\(dosing)' },
      events: [{ at: '+2h', meal: { grams: 30, absorption: '3h' }, entry: {} },
        { at: '+2h', bolus: { units: 2.5 } }] }
    """
  }

  private func lived(_ text: String) throws -> Lived {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["r.json5": text]))
    let read = reader.read("r.json5", problems: problems)
    let document = try #require(read, "\(problems.sorted)")
    let plan = try #require(
      RunPlan(document, reader: reader, problems: problems), "\(problems.sorted)")
    let found = RunBuilder.build(plan.run(at: 0), problems: problems)
    let built = try #require(found, "\(problems.sorted)")
    var run = Run(built.setup)
    var cycles: [Cycle] = []
    var glucose: [Instant: Double] = [:]
    while run.step() {
      guard run.now >= built.setup.start else { continue }
      glucose[run.now] = run.snapshot.body.glucose.mgdL
      guard cycles.last?.instant != run.now, let input = run.cycleInput else { continue }
      cycles.append(Cycle(instant: run.now, output: LoopAlgorithm.run(input)))
    }
    let samples = try run.finish().store
      .allSamples(of: [.insulinDelivery, .dietaryCarbohydrates, .bloodGlucose])
      .filter { !$0.sample.hasUndeterminedDuration }
    return Lived(
      samples: samples, cycles: cycles, therapy: built.setup.app.configuration.therapy,
      glucose: glucose)
  }

  @Test(
    "A cycle recommends and predicts what the run's loop did, to a pulse",
    arguments: Extent.some(of: ["tempBasal", "automaticBolus"], every: 2))
  func sameDecisions(dosing: String) throws {
    let lived = try lived(scenario(dosing: dosing))
    for format in Extent.some(of: AuditConfusionTests.Format.allCases, every: 3) {
      let test = Backtest(
        "\(format)", samples: try format.carried(lived.samples), therapy: lived.therapy,
        clock: .utc)
      var (compared, exact) = (0, 0)
      for cycle in lived.cycles {
        let near = test.rows.first { ($0.instant - cycle.instant).magnitude <= .seconds(30) }
        guard let row = near, case .success(.automatic(let dose)) = cycle.output.recommendation
        else { continue }
        compared += 1
        let rate = max(0, dose.basalAdjustment.unitsPerHour)
        let place: Comment = "\(format) \(cycle.instant)"
        #expect(abs((row.bolus ?? 0) - (dose.bolusUnits ?? 0)) < 1e-6, place)
        let onBoard = try #require(cycle.output.activeInsulin)
        // A record does not say how many pulses of a temp basal that goes on have come.
        #expect(abs((row.insulinOnBoard ?? .nan) - onBoard) < Self.pulse + 1e-6, place)
        #expect(
          abs((row.carbsOnBoard ?? .nan) - (cycle.output.activeCarbs ?? 0)) < 1e-6, place)
        let ahead = cycle.instant + .hours(2)
        let point = try #require(cycle.output.predictedGlucose.first { $0.startDate == ahead })
        let difference = abs((row.predicted[2] ?? .nan) - point.quantity.mgdL)
        #expect(difference < Self.pulse * 45 + 1e-6, place)
        guard difference < 1e-6 else { continue }
        exact += 1
        #expect(abs((row.tempBasal ?? .nan) - rate) < 1e-6, place)
      }
      #expect(compared > 90)
      #expect(exact > 60, "\(format)")
    }
  }

  @Test("The linear estimate of another target follows the run that was lived with it")
  func knownTruth() throws {
    let one = try lived(scenario())
    let other = try lived(scenario(target: "[140, 150]"))
    let estimate = Backtest(
      "other", samples: one.samples, therapy: other.therapy, clock: .utc
    ).counterfactual
    var (worst, difference, count) = (0.0, 0.0, 0)
    for row in estimate.rows.prefix(72) {
      guard let truth = other.glucose[row.instant] else { continue }
      count += 1
      worst = max(worst, (row.estimated - truth).magnitude)
      difference = max(difference, (row.observed - truth).magnitude)
    }
    // The truth is 30 mg/dL away from what was observed, and the estimate follows it.
    #expect(count > 60)
    #expect(difference > 20)
    #expect(worst < 5)
  }

  @Test("A therapy is replayed by the algorithm that its app states")
  func algorithm() async throws {
    let scratch = try Scratch()
    // Two hours at 110 mg/dL, and then 160.
    let rows = (0...24).map { step in
      let minute = step * 5
      let time = "2026-02-03T0\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00"
      return "\(time),\(step < 24 ? 110 : 160)\n"
    }
    try Files.write("time,glucose\n" + rows.joined(), to: scratch.file("record.csv"))
    try Files.write(
      """
      { format: 'loopsim/1', patient: { model: 'tidepool-simple', needs: {
          basal: [['00:00', 0.8]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        variants: { new: {}, old: { app: { algorithm: 'loop-3' } } } }
      """, to: scratch.file("t.json5"))
    let done = await program([
      "backtest", scratch.file("record.csv"), "--zone", "UTC", "--therapy",
      scratch.file("t.json5"), "--out", scratch.file("out"),
    ])
    #expect(done.code == 0, "\(done.error)")
    func predicted(_ therapy: String) throws -> Double {
      let last = try scratch.text(of: "out/\(therapy).csv").split(separator: "\n").last
      let cells = try #require(last).split(separator: ",", omittingEmptySubsequences: false)
      return try #require(Double(cells[4]))
    }
    // The package takes no trend after a jump of 50 mg/dL; Loop 3 does.
    #expect(try predicted("new") == 160)
    #expect(try predicted("old") > 190)
  }
}
