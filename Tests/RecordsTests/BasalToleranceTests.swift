import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("What pulses explain of a basal segment")
struct BasalToleranceTests {
  /// What half-hour segments of 0.6 U/h, which are 0.3 U each, have beyond their rates.
  private func excesses(_ amounts: [Double], pulse: Double) -> [Double?] {
    var maker = RecordMaker()
    for (place, units) in amounts.enumerated() {
      let start = TimeSpan.minutes(30) * Int64(place)
      maker.basal(units, start, start + .minutes(30))
    }
    var tolerance = BasalTolerance(pulse: pulse)
    return zip(maker.samples, amounts).map { restored, units in
      tolerance.excess(of: restored.sample, units: units, rate: 0.6, after: 0.6)
    }
  }

  @Test(
    "A pulse is explained, and with fine pulses five minutes of what runs, sooner or later")
  func tolerance() throws {
    #expect(excesses([0.25, 0.35], pulse: 0.05) == [nil, nil])
    let coarse = try #require(excesses([0.36], pulse: 0.05)[0])
    #expect(abs(coarse - 0.06) < 1e-9)
    // 0.01 U and 0.05 U of five minutes.
    #expect(excesses([0.24, 0.36], pulse: 0.01) == [nil, nil])
    let missing = try #require(excesses([0.23], pulse: 0.01)[0])
    #expect(abs(missing + 0.07) < 1e-9)
    // Pulses of 0.02 U come as soon as they have come together.
    let late = try #require(excesses([0.34], pulse: 0.02)[0])
    #expect(abs(late - 0.04) < 1e-9)
  }
}
