import Quantities
import Testing

@testable import Dosing

@Suite("Momentum")
struct MomentumTests {
  /// Samples every five minutes that rise by so many mg/dL a minute.
  private static func momentum(rising rate: Double) -> Momentum? {
    let samples = (0..<4).map { index in
      GlucosePoint(
        start: Double(index) * 300, value: 100 + Double(index) * 5 * rate, provenance: 0,
        isDisplayOnly: false)
    }
    return Momentum(samples, at: 900)
  }

  @Test("Glucose rises by 4 mg/dL a minute at most, and falls as fast as it does")
  func limit() throws {
    for (rate, expected) in [(3.9, 3.9), (4, 4), (4.5, 4), (6, 4), (-6, -6)] {
      let slope = try #require(Self.momentum(rising: rate)).slope * 60
      #expect(abs(slope - expected) < 1e-9, "\(rate)")
    }
  }
}
