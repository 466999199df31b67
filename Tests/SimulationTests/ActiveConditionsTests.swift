import Physiology
import Testing

@testable import Simulation

@Suite("Conditions of the body that hold at a time")
struct ActiveConditionsTests {
  @Test("Two resistances that overlap multiply, and the end of one leaves the other")
  func resistances() {
    var active = ActiveConditions()
    func factor(_ event: String, _ factor: Double) -> Double? {
      guard
        case .insulinSensitivity(let whole) = active.joined(
          .insulinSensitivity(factor: factor), of: event)
      else { return nil }
      return whole
    }
    // From the flu on 0.5, from the stress on 0.375, after the flu 0.75, and then none.
    #expect(factor("flu", 0.5) == 0.5)
    #expect(factor("stress", 0.75) == 0.375)
    #expect(active.joined(.glucagon(milligrams: 1), of: "pen") == .glucagon(milligrams: 1))
    #expect(factor("flu", 1) == 0.75)
    #expect(factor("stress", 1) == 1)
    #expect(factor("flu", 0.5) == 0.5)
  }

  @Test("Of two exercises that overlap the harder counts, and the end of one leaves the other")
  func exercises() {
    var active = ActiveConditions()
    func intensity(_ event: String, _ intensity: Double) -> Double? {
      guard case .exercise(let hardest) = active.joined(.exercise(intensity: intensity), of: event)
      else { return nil }
      return hardest
    }
    #expect(intensity("walk", 0.25) == 0.25)
    #expect(intensity("sprint", 0.75) == 0.75)
    #expect(intensity("sprint", 0) == 0.25)
    #expect(intensity("jog", 0.5) == 0.5)
    #expect(intensity("walk", 0) == 0.5)
    #expect(intensity("jog", 0) == 0)
  }
}
