import Quantities
import Testing

@Suite("Amounts of insulin, glucose and carbohydrate")
struct AmountTests {
  @Test(
    "An amount is written with two decimals, or three where it needs them",
    arguments: [
      (600, "0.60"), (25, "0.025"), (2_400, "2.40"), (0, "0.00"), (-5, "-0.005"), (-1_250, "-1.25"),
      (1_000_000, "1000.00"), (Int64.min, "-9223372036854775.808"),
    ] as [(Int64, String)])
  func writesUnits(milliunits: Int64, expected: String) {
    let amount = InsulinAmount(milliunits: milliunits)
    #expect(amount.unitsText == expected)
    #expect(amount.description == "\(expected) U")
    #expect(InsulinRate(milliunitsPerHour: milliunits).description == "\(expected) U/h")
  }

  @Test("Units are rounded to the nearest milliunit, ties away from zero")
  func roundsUnits() {
    #expect(InsulinAmount(roundingUnits: 0.0005) == .milliunits(1))
    #expect(InsulinAmount(roundingUnits: -0.0005) == .milliunits(-1))
    #expect(InsulinAmount(roundingUnits: 2.4) == .milliunits(2_400))
    #expect(InsulinAmount(roundingUnits: 1e6) == .milliunits(1_000_000_000))
    #expect(InsulinRate(roundingUnitsPerHour: 0.85) == InsulinRate(milliunitsPerHour: 850))
  }

  @Test(
    "Numbers that are no amount are refused",
    arguments: [Double.nan, .infinity, -.infinity, 1.000001e6, -1e300])
  func refusesOtherNumbers(units: Double) {
    #expect(InsulinAmount(roundingUnits: units) == nil)
    #expect(InsulinRate(roundingUnitsPerHour: units) == nil)
  }

  @Test("Amounts are counted in whole pulses")
  func countsPulses() {
    let pulse = InsulinAmount.milliunits(50)
    #expect(InsulinAmount.milliunits(624).flooredToMultiple(of: pulse) == .milliunits(600))
    #expect(InsulinAmount.milliunits(600).flooredToMultiple(of: pulse) == .milliunits(600))
    #expect(InsulinAmount.milliunits(49).flooredToMultiple(of: pulse) == .zero)
    #expect(pulse * 12 + .milliunits(25) - pulse == .milliunits(575))
    #expect(InsulinAmount.milliunits(575).units == 0.575)
  }

  @Test("Glucose converts by the molar mass of glucose, 180.156 g/mol")
  func convertsGlucose() {
    #expect(GlucoseConcentration.mgdL(180.156).mmolL == 10)
    #expect(GlucoseConcentration.mmolL(5.5).mgdL == 5.5 * 18.0156)
    // 70 mg/dL to five decimals of a mmol/L, as Tidepool keeps it; 10.0 mmol/L is no whole number.
    #expect(GlucoseConcentration.recorded(mgdL: 3.88552 * 18.01559).mgdL == 70)
    #expect(GlucoseConcentration.recorded(mgdL: 180.156).mgdL == 180.156)
    #expect(GlucoseConcentration.recorded(mgdL: 69.99).mgdL == 69.99)
    #expect(GlucoseChange(mgdL: 18.0156).mmolL == 1)
  }

  @Test("A difference of concentrations is a change, and a change moves a concentration")
  func subtractsGlucose() {
    let change = GlucoseConcentration.mgdL(150) - .mgdL(110)
    #expect(change == GlucoseChange(mgdL: 40))
    #expect(GlucoseConcentration.mgdL(150) + change == .mgdL(190))
    #expect(change + change - GlucoseChange(mgdL: 10) == GlucoseChange(mgdL: 70))
    #expect(GlucoseRange(lower: .mgdL(100), upper: .mgdL(115)).midpoint == .mgdL(107.5))
    #expect(CarbohydrateMass(grams: 40) - .zero + CarbohydrateMass(grams: 5) > .init(grams: 44))
  }
}
