import Determinism
import Quantities
import Testing

@testable import Physiology

@Suite("Insulin activity")
struct InsulinTests {
  @Test("D90 Rapid-acting insulin has its published fractions remaining")
  func rapid() {
    let curve = InsulinFormulation.humalog.curve()
    for (minutes, fraction) in [
      (20, 0.990755), (60, 0.833799), (120, 0.500577), (180, 0.240574), (240, 0.088977),
      (360, 0.000307),
    ] as [(Int64, Double)] {
      #expect(abs(curve.fractionRemaining(after: .minutes(minutes)) - fraction) < 1e-6)
    }
  }

  @Test("Every rapid insulin has its published fraction remaining after two hours")
  func twoHours() {
    for (insulin, fraction, activity) in [
      (InsulinFormulation.novolog, 0.500577, 0.0052119), (.apidra, 0.500577, 0.0052119),
      (.rapidActingChild, 0.439578, 0.0052803), (.fiasp, 0.363811, 0.0051974),
      (.lyumjev, 0.363811, 0.0051974), (.afrezza, 0.094855, 0.0028495),
    ] {
      let curve = insulin.curve()
      #expect(abs(curve.fractionRemaining(after: .minutes(120)) - fraction) < 1e-6)
      #expect(abs(curve.activity(after: .minutes(120)) - activity) < 1e-7)
    }
  }

  @Test("D91 Nothing is left after 370 minutes, and everything for the first ten")
  func ends() {
    let curve = InsulinFormulation.humalog.curve()
    #expect(curve.fractionRemaining(after: .minutes(370)) == 0)
    #expect(curve.fractionRemaining(after: .minutes(10)) == 1)
    #expect(curve.fractionRemaining(after: .minutes(-10)) == 1)
    #expect(curve.effectDuration == .minutes(370))
  }

  /// Every curve of the catalogue, with and without a dose and a weight.
  static let curves = InsulinFormulation.catalogue.flatMap { insulin in
    [insulin.curve(), insulin.curve(units: 20, bodyWeight: 70)].map { (insulin.id, $0) }
  }

  @Test("Every curve falls from one to nothing, and its activity is its slope", arguments: curves)
  func laws(id: String, curve: InsulinActivityCurve) {
    #expect(curve.isValid)
    #expect(curve.fractionRemaining(after: .zero) == 1)
    #expect(curve.fractionRemaining(after: curve.effectDuration) == 0)
    let step = curve.effectDuration.milliseconds / 4_000
    var before = 1.0
    var area = 0.0
    for index in Int64(1)...4_000 {
      let middle = TimeSpan(milliseconds: step * index - step / 2)
      area += curve.activity(after: middle) * Double(step) / 60_000
      let now = curve.fractionRemaining(after: .milliseconds(step * index))
      #expect(now <= before + 1e-12)
      #expect(abs(1 - now - area) < 2e-3)
      before = now
    }
    #expect(abs(area - 1) < 2e-3)
  }

  @Test("D88, D89 Long-acting and intermediate insulins do not count as insulin on board")
  func onBoard() {
    let quiet = InsulinFormulation.catalogue.filter { !$0.countsAsInsulinOnBoard }.map(\.id)
    #expect(
      quiet == ["nph", "glargine", "basaglar", "glargineU300", "detemir", "degludec"])
  }

  @Test("Durations that depend on the dose follow the published formulas")
  func doseDependence() {
    let curve = InsulinFormulation.detemir.curve(units: 28, bodyWeight: 70)
    // 14 + 24 × 0.4 hours.
    #expect(curve.effectDuration == .minutes(1_416))
    #expect(
      InsulinFormulation.nph.curve(units: 21, bodyWeight: 70).effectDuration == .hours(18))
    #expect(
      InsulinFormulation.degludec.curve(units: 9, bodyWeight: 70).effectDuration == .hours(42))
    let fixed = InsulinFormulation.detemir.curve()
    for weight in [0, -1, Double.nan] {
      #expect(InsulinFormulation.detemir.curve(units: 28, bodyWeight: weight) == fixed)
    }
  }
}
