import Testing

@testable import Simulation

@Suite("Units in sentences")
struct UnitsTextTests {
  @Test(
    "What is less than a milliunit is told as what it is, and not as nothing",
    arguments: [
      (0.6, "0.60"), (0.025, "0.025"), (0.0005, "0.001"), (0.000375, "0.0004"),
      (0.0001, "0.0001"), (-0.0001, "-0.0001"), (0.00006, "0.0001"), (0.00004, "0.00004"),
      (3e-7, "0.0000003"), (0, "0.00"), (-0.0, "0.00"), (4e-13, "0.00"),
    ])
  func small(units: Double, text: String) {
    #expect(unitsText(units) == text)
  }
}
