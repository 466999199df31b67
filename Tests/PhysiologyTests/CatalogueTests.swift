import Determinism
import Quantities
import Testing

@testable import Physiology

@Suite("Named and drawn patients")
struct CatalogueTests {
  @Test("42 patients have names of their own, and each starts at 120 mg/dL")
  func names() throws {
    let catalogue = PatientDescription.catalogue
    #expect(catalogue.count == 42)
    #expect(Set(catalogue.map(\.identifier)).count == 42)
    for description in catalogue {
      let patient = try description.patient(at: birth, glucose: .mgdL(120))
      #expect(abs(patient.glucose.mgdL - 120) < 1e-9)
      let basal = try #require(description.basalRate(holding: .mgdL(120)))
      #expect(basal > 0 && basal < 6, "\(description.identifier): \(basal)")
      #expect(description.parameters.allSatisfy { !$0.unit.isEmpty && $0.value.isFinite })
    }
    #expect(try PatientDescription.named("adult#007").model.name == "uva-padova-s2008")
  }

  @Test("each model has its patients; those of 2008 are those of 2013 too")
  func models() throws {
    let counts = PatientDescription.Model.names.map {
      PatientDescription.patients(ofModel: $0).count
    }
    #expect(counts == [30, 30, 1, 10, 1])
    for name in PatientDescription.Model.names {
      for description in PatientDescription.patients(ofModel: name) {
        #expect(description.model.name == name)
        var patient = try description.patient(at: birth, glucose: description.usualGlucose)
        let isKnown = patient.apply(.exercise(intensity: 0.5))
        #expect(isKnown == description.model.knowsExercise)
      }
    }
    #expect(PatientDescription.patients(ofModel: "nobody").isEmpty)
  }

  @Test("each parameter that the equations use can be set, and the steady state follows")
  func setting() throws {
    for name in PatientDescription.Model.names {
      let description = try #require(PatientDescription.patients(ofModel: name).first)
      for parameter in description.parameters {
        let changed = description.setting(parameter.name, to: parameter.value * 1.01)
        let isUsed = description.parameterNames.contains(parameter.name)
        #expect((changed != nil) == isUsed, "\(name): \(parameter.name)")
        let value = changed?.parameters.first { $0.name == parameter.name }?.value
        if isUsed { #expect(value == parameter.value * 1.01) }
      }
      #expect(description.setting("nobody", to: 1) == nil)
    }
    let hovorka = try PatientDescription.named("hovorka2004#nominal")
    let heavy = try #require(hovorka.setting("BW", to: 140))
    let rates = try [hovorka, heavy].map { try #require($0.basalRate(holding: .mgdL(120))) }
    #expect(abs(rates[1] / rates[0] - 2) < 1e-12)
  }

  @Test("figures of UVA/Padova that make no patient are refused by their symbol")
  func unusable() throws {
    let adult = try PatientDescription.named("adult#001")
    for (name, value) in [("b", 1.0), ("EGPb", 0.9), ("EGPb", 50), ("kd", -1), ("Vi", .nan)] {
      let changed = try #require(adult.setting(name, to: value))
      let refusal = #expect(throws: PatientError.self) {
        try changed.patient(at: birth, glucose: .mgdL(120))
      }
      #expect(refusal?.description.contains("\"\(name)\"") == true)
    }
  }

  @Test("the highest glucose that a refusal tells can be held", arguments: GlucoseUnit.allCases)
  func toldRange(unit: GlucoseUnit) throws {
    var told = 0
    for description in PatientDescription.catalogue {
      let refusal = #expect(throws: PatientError.self) {
        try description.patient(at: birth, glucose: .mgdL(1e12))
      }
      let words = try #require(refusal?.words(in: unit))
      let found = try #require(words.firstMatch(of: /between ([0-9.]+) and ([0-9.e+]+)/))
      let highest = try #require(Double(found.2)) * unit.mgdL
      // Some of the minimal model can be held at what nobody has.
      guard highest < 2_000 else { continue }
      #expect(throws: Never.self, "\(words)") {
        try description.patient(at: birth, glucose: .mgdL(highest))
      }
      told += 1
    }
    // The 30 of UVA/Padova, that of Hovorka, eight of ten of Kanderian, and that of Bergman.
    #expect(told == 40)
  }

  @Test("every published figure is well within the values that a parameter can be given")
  func ranges() throws {
    for name in PatientDescription.Model.names {
      for description in PatientDescription.patients(ofModel: name) {
        for parameter in description.parameters {
          let range = description.range(of: parameter.name)
          let isUsed = description.parameterNames.contains(parameter.name)
          #expect((range != nil) == isUsed, "\(name): \(parameter.name)")
          if let range { #expect(range.contains(parameter.value), "\(name): \(parameter.name)") }
        }
        #expect(description.range(of: "nobody") == nil)
      }
    }
    // A gut that empties a million times a minute could not be solved in ten minutes.
    let adult = try PatientDescription.named("adult#001")
    #expect(adult.range(of: "kmax") == 1e-5...100)
    #expect(adult.range(of: "kabs")?.contains(1.2323) == true)
  }

  @Test("uptake in lows has no meaning for a fasting glucose of 1 mg/dL or less")
  func tinyFastingGlucose() throws {
    let adult = try #require(PatientDescription.patients(ofModel: "uva-padova-s2013").first)
    let tiny = try #require(adult.setting("Gb", to: 0.5)?.setting("Vg", to: 400))
    let refusal = #expect(throws: PatientError.self) {
      try tiny.patient(at: birth, glucose: .mgdL(120))
    }
    #expect(refusal?.description.contains("above 1 mg/dL") == true)
  }

  @Test("a name nobody has is refused with the names there are")
  func unknown() {
    let refusal = #expect(throws: PatientError.self) {
      try PatientDescription.named("adult#011")
    }
    #expect(refusal?.description.contains("adult#010") == true)
  }

  @Test(
    "drawn patients are steady at their basal rate, and the seed decides who they are",
    arguments: HovorkaCohort.allCases)
  func cohorts(_ cohort: HovorkaCohort) throws {
    for member: UInt64 in 0..<12 {
      var stream = RandomStream(seed: 7, name: "cohort", member: member)
      var again = stream
      let drawn = try #require(cohort.draw(from: &stream, identifier: "drawn"))
      #expect(cohort.draw(from: &again, identifier: "drawn") == drawn)
      var patient = try HovorkaPatient(drawn, at: birth, glucose: .mmolL(5.5))
      #expect(patient.steadyBasalRate > 0)
      patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
      patient.advance(to: birth + .hours(8))
      #expect(abs(patient.glucose.mmolL - 5.5) < 1e-6)
    }
  }

  @Test("the log-normal cohort has the medians of its law")
  func medians() throws {
    var stream = RandomStream(seed: 1, name: "medians")
    let drawn = (0..<400).compactMap { _ in
      HovorkaCohort.logNormal.draw(from: &stream, identifier: "drawn")
    }
    #expect(drawn.count == 400)
    let insulin = drawn.map(\.tmaxI).sorted()[200]
    let volume = drawn.map(\.vg).sorted()[200]
    // The criteria do not depend on the time to peak; the standard error of its median is 0.7 min.
    #expect(abs(insulin - 55.6) < 2.5)
    #expect(abs(volume - 0.16) < 0.003)
    // The law has the same threshold for all, in mmol/L.
    #expect(drawn.allSatisfy { $0.renalThreshold == 11 })
  }
}
