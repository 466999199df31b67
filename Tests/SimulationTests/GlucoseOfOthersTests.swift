import ClosedLoop
import Devices
import Quantities
import Simulation
import Testing

@Suite("Glucose of other apps on which the loop decides")
struct GlucoseOfOthersTests {
  /// What is told of a glucose that another app writes while glucose is 110 mg/dL.
  private func told(
    _ mgdL: Double, at instant: Instant, by strategy: DosingStrategy
  ) throws -> [RunTrouble] {
    try told([(mgdL, instant)], by: strategy)
  }

  /// The same of several.
  private func told(
    _ values: [(mgdL: Double, instant: Instant)], by strategy: DosingStrategy
  ) throws -> [RunTrouble] {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.strategy = strategy
    fixture.events = values.map { mgdL, instant in
      let write = HealthStoreWrite(.glucose(.mgdL(mgdL)), start: instant, source: "Other")
      return ScenarioEvent(at: instant, id: "other", .writeToHealthStore(write))
    }
    return try fixture.result().troubles.filter { $0.kind == .wrongReading }
  }

  @Test(
    "A single one that is far too high is told where the loop gave insulin on it",
    arguments: [DosingStrategy.tempBasal, .automaticBolus])
  func dosedOn(strategy: DosingStrategy) throws {
    let high = try told(240, at: .at(2), by: strategy)
    #expect(high.map(\.start) == [.at(2)])
    // 240 mg/dL less about 110.
    let words =
      /Other apps. glucose, on which the loop gave more insulin, was 1[23]\d mg.dL too high/
    #expect(high.first?.text.prefixMatch(of: words) != nil, "\(high)")
    #expect(high.first?.text.contains("at 02:00:00: it was 240 mg/dL, and truly 1") == true)
    // On a low one the loop gives less, and 30 mg/dL are allowed.
    #expect(try told(50, at: .at(2), by: strategy).isEmpty)
    #expect(try told(140, at: .at(2), by: strategy).isEmpty)
  }

  @Test("What was wrong twice, and right between, was not wrong for all of that time")
  func rightBetween() throws {
    let right = try told(
      [(240, .at(2)), (110, .at(2, 5)), (110, .at(2, 10)), (240, .at(2, 15))], by: .tempBasal)
    #expect(right.count == 1)
    #expect(right.first?.text.contains("on which the loop gave more insulin") == true, "\(right)")
    let wrong = try told(
      [(240, .at(2)), (240, .at(2, 5)), (240, .at(2, 10)), (240, .at(2, 15))], by: .tempBasal)
    #expect(wrong.first?.text.contains("on which the loop decided, was up to 1") == true)
    #expect(wrong.first?.text.contains(" for 15m from 02:00:00") == true, "\(wrong)")
  }

  @Test(
    "What others have of the sensor is told as its readings, however often rows are written",
    arguments: [1, 5])
  func ofSensor(minutes: Int64) throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    let high = Fault(id: "high", .sensor(.bias(gain: 1, offset: 150)))
    let silent = Fault(id: "silent", .sensor(.dropout(backfill: false)))
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "high", .beginFault(high)),
      ScenarioEvent(at: .at(3), .endFault(id: "high")),
      ScenarioEvent(at: .at(1, 41), id: "silent", .beginFault(silent)),
      ScenarioEvent(at: .at(1, 56), .endFault(id: "silent")),
    ]
    // The sensor's own app goes on with about what it showed at 01:40.
    fixture.events += [42, 47, 52].map { (minute: Int64) in
      let write = HealthStoreWrite(.glucose(.mgdL(250)), start: .at(1, minute), source: "Other")
      return ScenarioEvent(at: .at(1, minute), .writeToHealthStore(write))
    }
    var setup = try fixture.setup()
    setup.outputInterval = .minutes(minutes)
    var run = Run(setup)
    while run.step() {}
    let result = run.finish()
    // At 01:45, 01:50 and 01:55 the newest glucose is that of the other app.
    #expect(result.glucoseOfOthers.map(\.instant) == [.at(1, 45), .at(1, 50), .at(1, 55)])
    let told = result.troubles.filter { $0.kind == .wrongReading }.map(\.text)
    #expect(told.count == 1 && told.allSatisfy { $0.hasPrefix("The sensor's readings") }, "\(told)")
  }
}
