import Testing

@testable import Dosing

@Suite("Readings for display only")
struct DisplayOnlyTests {
  private func glucose(displayOnly: Int?) -> [GlucosePoint] {
    (0..<4).map { index in
      GlucosePoint(
        start: Double(index) * 300, value: 100 + 5 * Double(index), provenance: 0,
        isDisplayOnly: index == displayOnly)
    }
  }

  @Test("D24 A display-only reading within the window leaves no momentum")
  func momentum() throws {
    let trend = try Momentum(glucose(displayOnly: nil), at: 900)
    // Five mg/dL in five minutes.
    #expect(abs(trend.slope - 1.0 / 60) < 1e-12)
    for index in 0..<4 {
      #expect(throws: MomentumAbsence.calibration) {
        try Momentum(glucose(displayOnly: index), at: 900)
      }
    }
  }

  @Test("D24 One that is older than the window does not count")
  func older() {
    let trend = try? Momentum(glucose(displayOnly: 0), at: 901)
    #expect(trend != nil)
  }
}
