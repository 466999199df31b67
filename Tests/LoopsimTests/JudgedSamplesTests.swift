import HealthStore
import Quantities
import Records
import Testing

@testable import loopsim

@Suite("Samples of a store judged one after the other")
struct JudgedSamplesTests {
  @Test(
    "What a pump with fine pulses gives late is explained, as an audit does",
    arguments: [0.01, 0.02])
  func finePulses(pulse: Double) {
    var judged = JudgedSamples(.insulinDelivery, pulse: pulse)
    // 0.3 U each at 0.6 U/h, of which 0.04 U of one come with the next.
    for (place, units) in [0.26, 0.34].enumerated() {
      var metadata = Metadata()
      metadata.hasLoopKitOrigin = true
      metadata.scheduledBasalRate = InsulinRate(milliunitsPerHour: 600)
      let start = Instant(secondsSince1970: 1_772_582_400) + .minutes(30) * Int64(place)
      judged.take(
        .insulinDelivery(
          units: units, reason: .basal, start: start, end: start + .minutes(30),
          uuid: SampleUUID(high: 1, low: UInt64(place)), metadata: metadata))
    }
    #expect(judged.findings.isEmpty == (pulse == 0.01), "\(judged.findings)")
    #expect(judged.extent.samples.isEmpty)
  }
}
