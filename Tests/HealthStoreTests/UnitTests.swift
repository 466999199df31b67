import HealthStore
import Testing

@Suite("Health units")
struct UnitTests {
  @Test("H107 100 mg/dL of glucose are 5.55074860726 mmol/L, and back")
  func molarConversion() throws {
    let quantity = HealthQuantity(100, .milligramPerDecilitre)
    let molar = try quantity.value(in: .millimolePerLitre)
    #expect(abs(molar - 5.55074860726) < 1e-10)
    let back = try HealthQuantity(molar, .millimolePerLitre).value(in: .milligramPerDecilitre)
    #expect(abs(back - 100) < 1e-12)
  }

  @Test(
    "Glucose in the two units agrees with the table of check values",
    arguments: [
      (70, 3.885524025), (180, 9.991347493), (99.0857340000, 5.5), (180.1558800001, 10),
      (70.2607932000, 3.9), (72.0623520000, 4.0),
    ] as [(Double, Double)])
  func glucoseTable(mgdL: Double, mmolL: Double) throws {
    let converted = try HealthQuantity(mgdL, .milligramPerDecilitre).value(in: .millimolePerLitre)
    #expect(abs(converted - mmolL) < 1e-9)
  }

  @Test("H108 The two spellings of the molar mass of glucose are one unit")
  func molarSpellings() throws {
    let printed = try HealthUnit("mmol<180.1558800000541>/L")
    let constant = try HealthUnit("mmol<180.15588000005408>/L")
    #expect(printed == constant)
    #expect(printed.hashValue == constant.hashValue)
    #expect(printed.isCompatible(with: .milligramPerDecilitre))
    #expect(printed.unitString == "mmol<180.1558800000541>/L")
    #expect(try printed != HealthUnit("mmol<180.2>/L"))
  }

  @Test("H110 Insulin is no mass, a rate is a frequency, and a percentage is a fraction")
  func compatibility() throws {
    #expect(!HealthUnit.internationalUnit.isCompatible(with: .gram))
    #expect(try HealthUnit("count/min").isCompatible(with: HealthUnit("Hz")))
    #expect(try HealthQuantity(98, .percent).value(in: .count) == 0.98)
    #expect(throws: HealthStoreError.self) {
      try HealthQuantity(1, .internationalUnit).value(in: .gram)
    }
  }

  @Test(
    "H111 Temperatures convert with their offsets, and other units by their factors",
    arguments: [
      (98, "degC", 208.4, "degF"), (98, "degF", 36.6667, "degC"), (37, "degC", 98.6, "degF"),
      (36.6, "degC", 309.75, "K"), (120, "mmHg", 15_998.688, "Pa"),
      (72, "count/min", 1.2, "count/s"),
      (180, "lb", 81.64656, "kg"), (1, "kcal", 4_184, "J"), (1, "mL", 1, "cm^3"),
      (1, "fl_oz_us", 29.5735295625, "mL"), (2, "degC/min", 3.6, "degF/min"),
    ] as [(Double, String, Double, String)])
  func conversions(value: Double, from: String, expected: Double, to: String) throws {
    let converted = try HealthQuantity(value, HealthUnit(from)).value(in: HealthUnit(to))
    #expect(abs(converted - expected) < 1e-5 * max(1, expected.magnitude))
  }

  @Test(
    "Canonical unit texts come out as they went in",
    arguments: [
      "mg/dL", "mmol<180.1558800000541>/L", "IU", "IU/hr", "g", "count/min", "count/s", "mmHg",
      "degC", "degF", "%", "count", "kcal", "m", "kg", "mcg", "dam", "kg/m.s^2",
    ])
  func canonical(text: String) throws { #expect(try HealthUnit(text).unitString == text) }

  @Test("Everything right of the slash divides, brackets or not")
  func grammar() throws {
    #expect(try HealthUnit("kg/m.s^2") == HealthUnit("kg/(m*s^2)"))
    #expect(try HealthUnit("mL/(kg·min)") == HealthUnit("mL/min.kg"))
    #expect(try HealthUnit("m.m") == HealthUnit("m^2"))
    #expect(try HealthUnit("min") != HealthUnit("mi"))
    #expect(try HealthUnit("d").isCompatible(with: .second))
    #expect(try HealthUnit("(m^3)^4").isCompatible(with: HealthUnit("m^12")))
  }

  @Test("Equal units are one key, however they are written", arguments: ["1", "m/m", "s^0"])
  func keys(text: String) throws {
    let unit = try HealthUnit(text)
    #expect(unit == .count && unit.hashValue == HealthUnit.count.hashValue)
  }

  @Test(
    "What is no unit is refused",
    arguments: [
      "", "mg/", "/dL", "mg/dL/min", "furlong", "mg..g", "mmol/L", "mmol<>/L", "mol<-3>", "µg",
      "g^", "g^99", "(g", "kmin", "mmmHg", "((((((((((g))))))))))",
      // Seconds to the power of 256 are no pure number, in eight bits or more.
      "g.((s^8)^8)^4", "(count^12)^12", "(m^12)^11/(m^12)^11",
    ])
  func refusals(text: String) {
    let error = #expect(throws: HealthUnit.SyntaxError.self) { try HealthUnit(text) }
    #expect(error?.description.contains("is not a unit") == true)
  }
}
