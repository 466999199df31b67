import Physiology
import Quantities
import Simulation
import Testing

@testable import Scenarios

@Suite("Resistances that hold at a time")
struct ActiveResistancesTests {
  private static func resistance(_ id: String, at hour: Int64, _ factor: Double) -> ScenarioEvent {
    ScenarioEvent(
      at: Instant(secondsSince1970: hour * 3_600), id: id,
      .apply(.insulinSensitivity(factor: factor), name: id))
  }

  private static func factors(_ events: [ScenarioEvent]) -> [Double?] {
    ActiveResistances.multiplied(in: events).map {
      if case .apply(.insulinSensitivity(let factor), _) = $0.action { factor } else { nil }
    }
  }

  @Test("Two that overlap multiply, and the end of one leaves the other")
  func overlap() {
    let flu = [Self.resistance("flu", at: 1, 0.5), Self.resistance("flu", at: 4, 1)]
    let stress = [Self.resistance("stress", at: 2, 0.75), Self.resistance("stress", at: 6, 1)]
    // From 1 to 2 o'clock 0.5, to 4 o'clock 0.375, to 6 o'clock 0.75, and then none.
    #expect(Self.factors(flu + stress) == [0.5, 0.75, 0.375, 1])
    #expect(Self.factors(stress + flu) == [0.375, 1, 0.5, 0.75])
  }

  @Test("Other events stay as they are")
  func others() {
    let remark = ScenarioEvent(at: Instant(secondsSince1970: 0), .remark("flu"))
    let factors = Self.factors([remark, Self.resistance("flu", at: 1, 0.5)])
    #expect(factors == [nil, 0.5])
  }
}
