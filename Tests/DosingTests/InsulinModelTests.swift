import Dosing
import Quantities
import Testing

@Suite("Insulin models")
struct InsulinModelTests {
  @Test("Every preset but the inhaled one acts for six hours and ten minutes")
  func effectDurations() {
    for model in InsulinModel.allCases {
      #expect(model.effectDuration == (model == .afrezza ? 18_600 : 22_200))
    }
  }

  @Test("A preset is called as its case is", arguments: InsulinModel.allCases)
  func names(model: InsulinModel) { #expect(model.name == "\(model)") }
}
