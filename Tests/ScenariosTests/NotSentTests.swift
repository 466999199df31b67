import Quantities
import RunPlans
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Scenarios

/// An automatic bolus goes behind the command that ends the temp basal, and is not sent where the
/// pump refuses that.
@Suite("Commands that are not sent")
struct NotSentTests {
  private static func result(latency: String) throws -> RunResult {
    let read = Read(
      """
      clock: { start: '2026-05-05T06:00:00', duration: '3h' },
      patient: { model: 'tidepool-simple', initialGlucose: 150,
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } },
      app: { dosing: 'automaticBolus' },
      pump: { commLatency: '\(latency)' },
      faults: [{ id: 'no', during: ['06:30', '4h'],
        pump: { reject: { what: 'cancelTempBasal' } } }],
      events: [{ at: '+31m', basal: { rate: 1.5, duration: '2h' } },
        { at: '+40m', meal: { grams: 60 } }]
      """)
    let plan = try #require(read.plan, "\(read.sentences)")
    let built = try #require(RunBuilder.build(plan.run(at: 0), problems: ProblemList()))
    var run = Run(built.setup)
    while run.step() {}
    return run.finish()
  }

  @Test("The bolus is told of, at once or when the answer comes", arguments: ["0s", "20s"])
  func automaticBolus(latency: String) throws {
    let result = try Self.result(latency: latency)
    let warnings = result.trace.happenings.filter { $0.kind == .warning }
    let refused = warnings.filter { $0.name == "cancelTempBasal" }
    let unsent = warnings.filter { $0.name == "bolus" }
    #expect(unsent.count > 5)
    let words = "U was not sent: the command before it failed."
    #expect(unsent.allSatisfy { $0.text.hasSuffix(words) })
    // From the meal on each cycle asks for a bolus.
    let meal = result.start + .minutes(40)
    #expect(unsent.map(\.instant) == refused.map(\.instant).filter { $0 >= meal })
    // Of 60 g the app asks for more than 2 U, and gets none while the temp basal runs.
    let units = unsent.compactMap(\.notGiven).reduce(.zero, +)
    #expect(units > .milliunits(2_000))
    let temp = (result.start + .minutes(31))..<(result.start + .minutes(151))
    #expect(!result.boluses.contains { temp.contains($0.start) })
    #expect(result.troubles.count { $0.text.contains("was not sent") } == 1)
  }
}
