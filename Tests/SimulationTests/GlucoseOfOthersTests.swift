import ClosedLoop
import Quantities
import Simulation
import Testing

@Suite("Glucose of other apps on which the loop decides")
struct GlucoseOfOthersTests {
  /// What is told of a glucose that another app writes while glucose is 110 mg/dL.
  private func told(
    _ mgdL: Double, at instant: Instant, by strategy: DosingStrategy
  ) throws -> [RunTrouble] {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.strategy = strategy
    let write = HealthStoreWrite(.glucose(.mgdL(mgdL)), start: instant, source: "Other")
    fixture.events = [ScenarioEvent(at: instant, id: "other", .writeToHealthStore(write))]
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
}
