import Determinism
import Quantities
import Testing

@testable import Dosing

/// The walk over the grid finds, to the bit, what the walk over any times finds.
@Suite("Corrections on the grid")
struct CorrectionOnGridTests {
  /// The values of a prediction, as if they lay at any times.
  private struct Plain: PredictedSeries {
    let prediction: Prediction
    var values: [Double] { prediction.values }
    var gridStep: Int? { nil }
    var lastOnGrid: Int { 0 }
    func time(_ index: Int) -> Double { prediction.time(index) }
  }

  @Test("It is the same for predictions of every kind", arguments: 1...20)
  func isThePlainWalk(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, name: "correction on the grid")
    var kinds = (given: 0, suspended: 0, none: 0, failed: 0)
    for _ in 0..<60 {
      func unit() -> Double { stream.unit() }
      let model = InsulinModel.allCases[Int(unit() * 4.99)]
      let now = unit() < 0.8 ? 36_000.0 : 36_000 + (unit() * 600).rounded()
      let start = now - [0, 1, 97, 299, 300, 301, 600, -120][Int(unit() * 7.99)]
      var prediction = Prediction()
      var effects = Prediction.Effects()
      effects.firstStep = TimeAxis.floorStep(start)
      var value = 0.0
      let drift = unit() - 0.5
      for _ in 0..<Int(40 + unit() * 60) {
        value += drift + (unit() - 0.5) * 4
        effects.values.append(value)
      }
      let glucose = GlucosePoint(
        start: start, value: (70 + unit() * 150).rounded(), provenance: 0, isDisplayOnly: false)
      prediction.combine(
        from: glucose, carbs: effects, insulin: nil, insulinLastStep: nil, retrospection: nil,
        momentum: nil)
      if unit() < 0.8 { prediction.extend(to: now + model.effectDuration) }
      let math = CorrectionMath(
        now: now, target: [TargetSpan(start: 0, end: 90_000, lower: 100, upper: 115)],
        targetNow: 0, suspendThreshold: 40 + unit() * 40, model: model,
        axis: TimeAxis(near: Instant(secondsSince1970: 0)),
        generation: unit() < 0.9 ? .current : .older)
      var spans = [ScheduleSpan(start: now - unit() * 900, end: now + 25_000, value: 45)]
      if unit() < 0.1 { spans[0].end = now + 9_000 }
      if unit() < 0.2 {
        spans[0].end = now + 6_000
        spans.append(ScheduleSpan(start: now + 6_000, end: now + 25_000, value: 60))
      }
      var segments: [CorrectionMath.Segment] = []
      math.segments(spans, into: &segments)
      let found = Result { () throws(AlgorithmError) in try math.correction(prediction, segments) }
      let plain = Result { () throws(AlgorithmError) in
        try math.correction(Plain(prediction: prediction), segments)
      }
      #expect(found == plain)
      switch found {
      case .success(.aboveRange), .success(.entirelyBelowRange): kinds.given += 1
      case .success(.suspend): kinds.suspended += 1
      case .success(.inRange): kinds.none += 1
      case .failure: kinds.failed += 1
      }
    }
    #expect(kinds.given > 3 && kinds.suspended + kinds.none + kinds.failed > 3)
  }
}
