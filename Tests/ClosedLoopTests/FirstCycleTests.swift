import Devices
import Dosing
import Quantities
import Testing

@testable import ClosedLoop

/// What the algorithm is told of the time before the app began to observe.
@Suite("The first cycle")
struct FirstCycleTests {
  /// A phone's history at 12:00: 1.9 U/h, ISF 12, and a target of 170 to 180 until 15:00, then 70
  /// to 90, as in Tidepool's scenario "Workout duration set too long"
  /// (tidepool-org/data-science-simulator, TLR-1049_3, adolescent).
  private static func bench(mgdL: Double) throws -> Bench {
    let ranges = try DailySchedule<GlucoseRange>([
      .init(start: TimeOfDay(milliseconds: 0), value: .init(lower: .mgdL(70), upper: .mgdL(90))),
      .init(
        start: TimeOfDay(milliseconds: 12 * 3_600_000),
        value: .init(lower: .mgdL(170), upper: .mgdL(180))),
      .init(
        start: TimeOfDay(milliseconds: 15 * 3_600_000),
        value: .init(lower: .mgdL(70), upper: .mgdL(90))),
    ])
    var bench = try Bench(schedule: [(0, 1_900)], from: at(12), closedLoop: true) {
      $0.therapy.sensitivity = DailySchedule(always: InsulinSensitivity(mgdLPerUnit: 12))
      $0.therapy.carbRatio = DailySchedule(always: CarbohydrateRatio(gramsPerUnit: 4))
      $0.therapy.targets = ranges
      $0.therapy.suspendThreshold = .mgdL(70)
      $0.therapy.maximumBasalRate = rate(35_000)
      $0.therapy.maximumBolus = .milliunits(30_000)
    }
    bench.mgdL = mgdL
    return bench
  }

  @Test("A target that falls in three hours does not make the first cycle give 35 U/h")
  func fallingTarget() throws {
    var bench = try Self.bench(mgdL: 150)
    try bench.live()
    let decision = try #require(bench.decisions.last)
    // LoopAlgorithm itself, given 8 hours of scheduled basal, recommends 1.95 U/h.
    #expect(decision.basal == .start(rate(1_950), duration: .minutes(30)))
    // Loop forecasts for as long as insulin acts that was given up to now: 6 h 10 min.
    #expect(decision.predictedGlucose.last?.startDate == at(18, 10))
    #expect(decision.predictedGlucose.count == 75)
  }

  @Test("Scheduled basal tiles the hours before and since the start, and adds no insulin on board")
  func history() throws {
    var bench = try Self.bench(mgdL: 150)
    try bench.run(until: at(14))
    bench.now = at(14, 5)
    bench.readPump()
    bench.sense()
    let doses = bench.app.algorithmInput(at: bench.now, for: .tempBasal).doses
    #expect(try #require(doses.first).startDate <= at(14, 5) - .hours(16))
    for (dose, next) in zip(doses, doses.dropFirst()) { #expect(dose.endDate == next.startDate) }
    #expect(doses.last?.endDate == bench.now)
    let quiet = try Self.bench(mgdL: 110)
    #expect(quiet.app.insulinOnBoard(at: at(12)) == 0)
    #expect(quiet.app.insulin.delivery.activeRows.isEmpty)
  }

  @Test("A forecast is as long after a day without any temp basal as on a phone")
  func quietDay() throws {
    var bench = try Bench(from: at(0), closedLoop: true)
    bench.mgdL = 105
    try bench.run(until: at(20))
    #expect(bench.decisions.allSatisfy { $0.commands.isEmpty })
    #expect(bench.decisions.allSatisfy { $0.predictedGlucose.count == 75 })
  }
}
