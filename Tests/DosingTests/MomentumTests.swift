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
    return try? Momentum(samples, at: 900)
  }

  @Test("Glucose rises by 4 mg/dL a minute at most, and falls as fast as it does")
  func limit() throws {
    for (rate, expected) in [(3.9, 3.9), (4, 4), (4.5, 4), (6, 4), (-6, -6)] {
      let slope = try #require(Self.momentum(rising: rate)).slope * 60
      #expect(abs(slope - expected) < 1e-9, "\(rate)")
    }
  }

  private static func samples(_ times: [Double]) -> [GlucosePoint] {
    times.map { GlucosePoint(start: $0, value: 100, provenance: 0, isDisplayOnly: false) }
  }

  @Test("Three samples are continuous within less than fifteen minutes")
  func continuity() {
    // LoopKit's `isContinuous`: the span is less than five minutes for each sample.
    #expect((try? Momentum(Self.samples([0, 300, 899]), at: 899)) != nil)
    #expect(throws: MomentumAbsence.gap) { try Momentum(Self.samples([0, 300, 900]), at: 900) }
  }

  @Test("Why there is no momentum")
  func absence() {
    #expect(throws: MomentumAbsence.fewReadings) { try Momentum(Self.samples([0, 300]), at: 300) }
    #expect(throws: MomentumAbsence.fewReadings) {
      try Momentum(Self.samples([300, 300, 300]), at: 300)
    }
    var jumping = Self.samples([0, 300, 600])
    jumping[2].value = 141
    #expect(throws: MomentumAbsence.jump) { try Momentum(jumping, at: 600) }
    #expect((try? Momentum(jumping, at: 600, isGated: false)) != nil)
    var mixed = Self.samples([0, 300, 300, 600])
    mixed[2].provenance = 1
    #expect(throws: MomentumAbsence.sources) { try Momentum(mixed, at: 600) }
  }

  @Test("There is none where the newest sample lies ahead and all before it are too old")
  func futureSampleAfterGap() {
    // Fifteen minutes back from 50:00 nothing lies; 10:00 and 83:20 are outside.
    #expect(throws: MomentumAbsence.fewReadings) {
      try Momentum(Self.samples([0, 300, 600, 5_000]), at: 3_000)
    }
  }

  @Test("Glucose of half an hour ago counts as lately, and a second earlier no more")
  func lately() {
    for (start, isGradual) in [(0.0, true), (-1, false)] {
      let samples = Self.samples([start, 1_800])
      #expect(isGradualLately(samples, at: 1_800, threshold: 40) == isGradual)
    }
  }

  @Test("A discrepancy 15 minutes older than the last glucose corrects, and an older one does not")
  func recentDiscrepancy() {
    for (time, corrects) in [(900.0, true), (901, false)] {
      let correction = RetrospectiveCorrection(
        [Discrepancy(time: 0, value: 6)], lastGlucose: time, isIntegral: false)
      #expect((correction != nil) == corrects)
    }
  }
}
