import Quantities
import Testing

@testable import Dosing

/// Values of the original package at given points.
@Suite("Curves have the original's values")
struct CheckValueTests {
  @Test(
    "D90, D91 Fraction of insulin remaining, by minutes after delivery",
    arguments: [
      (10.0, 1.0, 1.0, 1.0, 1.0),
      (
        11, 0.9999003152777389, 0.999871960075068, 0.9998267933986361, 0.9994085817993122
      ),
      (15, 0.9975900965751152, 0.9969223418254333, 0.9958685859316113, 0.986490976972446),
      (20, 0.990755193396457, 0.9882771990324158, 0.9844121495865791, 0.9516645359955602),
      (30, 0.9659746550047483, 0.9574525102990696, 0.9444657827381869, 0.8445678403790252),
      (60, 0.8337993409625033, 0.8002609380052226, 0.7525681060521794, 0.47448937069524777),
      (75, 0.7512060072038422, 0.7064965930314351, 0.6450567752052287, 0.33090040193600545),
      (120, 0.5005768165495502, 0.4395783183097891, 0.36381052999942953, 0.0948545612346503),
      (180, 0.24057361580865244, 0.19144944272720887, 0.13790053986585427, 0.013196018566488665),
      (
        240, 0.08897705388121824, 0.06412306163512471, 0.0402156858816618, 0.0011184840938516238
      ),
      (
        309, 0.014451726601153903, 0.009327339016533376, 0.005024068213389854, 5.994980356582857e-08
      ),
      (310, 0.013918062554445498, 0.008968969792364057, 0.004820784978285975, 0),
      (369, 2.9395799526765742e-06, 1.7336151438840375e-06, 8.263182047496542e-07, 0),
      (370, 0, 0, 0, 0),
    ])
  func remaining(minutes: Double, adult: Double, child: Double, fiasp: Double, afrezza: Double) {
    let values = [
      InsulinModel.rapidActingAdult, .rapidActingChild, .fiasp, .lyumjev, .afrezza,
    ].map { InsulinActivity.of($0).remaining(minutes * 60) }
    #expect(agree(values, [adult, child, fiasp, fiasp, afrezza], to: 1e-14))
  }

  @Test("Derived terms of the activity models")
  func derivedTerms() {
    let terms = [InsulinModel.rapidActingAdult, .rapidActingChild, .fiasp, .afrezza].map {
      InsulinActivity.of($0)
    }
    #expect(
      agree(
        terms.map(\.tau),
        [6107.142857142858, 5002.173913043478, 4026.0000000000005, 1948.5123966942149], to: 1e-15))
    #expect(
      agree(
        terms.map(\.a),
        [0.5654761904761906, 0.46316425120772947, 0.3727777777777778, 0.21650137741046832],
        to: 1e-15))
    #expect(
      agree(
        terms.map(\.S),
        [2.0829551922118696, 1.7974870808915218, 1.5781769132245338, 1.276133660887423], to: 1e-14))
  }

  @Test(
    "Half an hour of temp basal: half of it counts at once, in slices as they begin",
    arguments: [
      (0.0, 0.375), (5, 0.5), (10, 0.625), (15, 0.7496987620718892), (20, 0.7485431612464465),
      (25, 0.7460492307294538), (30, 0.7417960626050473), (32.5, 0.7388938708062419),
      (60, 0.6705774833110306), (120, 0.4261327630504009), (400, 0),
    ])
  func insulinOnBoardOfTempBasal(minutes: Double, expected: Double) {
    let element = DoseElement(
      start: 0, end: 1_800, volume: 1.25, scheduledRate: 1, model: .rapidActingAdult)
    #expect(agree(insulinOnBoard([element], at: minutes * 60), expected, to: 1e-13))
  }

  @Test("The effect of that temp basal, every five minutes")
  func effectOfTempBasal() {
    let element = DoseElement(
      start: 0, end: 1_800, volume: 1.25, scheduledRate: 1, model: .rapidActingAdult)
    var grid = InsulinEffectGrid(over: 0...84)
    grid.add(element, DoseLattice(element), units: element.netUnits, sensitivity: 50)
    let axis = TimeAxis(near: WorkedExample.at(12, 0))
    let effect = grid.cumulative(axis).map(\.quantity)
    let expected = [
      0, 0, 0, -0.015061896405529905, -0.07284193767767357, -0.1975384635273053,
      -0.4101968697476282, -0.728991507716232, -1.169486114134508, -1.7298123661221032,
    ]
    #expect(agree(Array(effect.prefix(10)), expected, to: 1e-13))
    #expect(agree(effect[84], -37.5, to: 1e-14))
  }

  @Test(
    "The piecewise linear carb curve, its inverse and its rate",
    arguments: [
      (0.05, 0.012345679012345682, 0.10062305898749054, 0.49382716049382713),
      (0.1, 0.04938271604938273, 0.14230249470757708, 0.9876543209876543),
      (0.15, 0.1111111111111111, 0.17625000000000002, 1.4814814814814814),
      (0.3, 0.33333333333333326, 0.2775, 1.4814814814814814),
      (0.5, 0.6296296296296295, 0.41250000000000003, 1.4814814814814814),
      (0.75, 0.9074074074074074, 0.5892080818711254, 0.7407407407407407),
      (0.9, 0.9851851851851852, 0.7401923788646685, 0.2962962962962962),
    ])
  func piecewiseLinear(x: Double, fraction: Double, time: Double, rate: Double) {
    let curve = CarbAbsorptionModel.piecewiseLinear
    #expect(agree(curve.fractionAbsorbed(x), fraction, to: 1e-15))
    #expect(agree(curve.timeFraction(absorbing: x), time, to: 1e-15))
    #expect(agree(curve.rate(x), rate, to: 1e-15))
  }

  @Test(
    "Every carb curve starts at nothing, ends whole, and undoes its inverse",
    arguments: CarbAbsorptionModel.allCases)
  func curves(curve: CarbAbsorptionModel) {
    #expect(curve.fractionAbsorbed(-1) == 0)
    #expect(curve.fractionAbsorbed(2) == 1)
    #expect(curve.timeFraction(absorbing: -1) == 0)
    #expect(curve.timeFraction(absorbing: 2) == 1)
    for step in 1..<100 {
      let x = Double(step) / 100
      let y = curve.fractionAbsorbed(x)
      #expect(agree(curve.timeFraction(absorbing: y), x, to: 1e-12))
      // The rate is the derivative: by central difference, away from the corners.
      let slope =
        (curve.fractionAbsorbed(x + 1e-6) - curve.fractionAbsorbed(x - 1e-6)) / 2e-6
      if ![15, 50].contains(step) { #expect(agree(curve.rate(x), slope, to: 1e-6)) }
    }
  }

  @Test("A correction decays along a parabola from the current glucose")
  func decay() throws {
    let rate = 10.0 / 1_800
    // A discrepancy of 10 mg/dL over half an hour, at a glucose two and a half minutes off the
    // grid.
    let correction = try #require(
      RetrospectiveCorrection(
        [Discrepancy(time: 157, value: rate * 1_800)], lastGlucose: 157, isIntegral: false))
    var effect: [Double] = []
    let point = GlucosePoint(start: 157, value: 100, provenance: 0, isDisplayOnly: false)
    correction.appendEffect(from: point, to: &effect)
    let expected: [(Int, Double)] = [
      (0, 100), (1, 100.81334259259259), (2, 102.40778703703704), (3, 103.85071632996633),
      (6, 107.2704132996633), (11, 109.93960521885522), (12, 110.01889814814814),
    ]
    #expect(effect.count == 13)
    for (index, value) in expected { #expect(agree(effect[index], value, to: 1e-14)) }
  }
}
