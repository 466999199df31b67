import Testing

@Suite("What the bodies that a model generates are set to, and what is said of them before")
struct OverwritingTests {
  private static let cohort = "cohort: { generate: { model: 'hovorka', n: 2 } }, patient: {},"

  @Test("A model that the sweep sets before the cohort does has no effect")
  func sweptModel() {
    let told = Read("\(Self.cohort) sweep: { 'patient.model': ['ivp'] }").sentences
    #expect(told.count == 1, "\(told)")
    #expect(
      told.first?.contains(
        "error: The sweep's \"patient.model\" has no effect: \"cohort.generate\" sets "
          + "\"patient.model\" after it.") == true, "\(told)")
  }

  @Test("A variant of another model has the generated bodies all the same")
  func variantOfAnotherModel() {
    let told = Read(
      "\(Self.cohort) variants: { a: { patient: { model: 'ivp' } }, b: { patient: { x: 1 } } }"
    ).sentences
    #expect(told.count == 1, "\(told)")
    #expect(
      told.first?.contains(
        "warning: What the variant \"a\" says of \"patient.model\" has no effect: "
          + "\"cohort.generate\" sets \"patient.model\" after it. [W-NULL]") == true, "\(told)")
  }
}
