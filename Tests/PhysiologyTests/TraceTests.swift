import Quantities
import TestSupport
import Testing

@testable import Physiology

@Suite("Traces of insulin")
struct TraceTests {
  @Test("After three months without insulin none is left, where a trace would never end")
  func insulinEnds() throws {
    let adult = UVAPadovaParameters.cohort[20]
    let bodies: [any Patient] = [
      try UVAPadovaPatient(adult, at: birth),
      try UVAPadovaExtendedPatient(adult, at: birth),
      try HovorkaPatient(
        HovorkaParameters(identifier: "nominal"), at: birth, glucose: .mmolL(8)),
      try BergmanPatient(.average, at: birth, glucose: .mmolL(6)),
      try KanderianPatient(KanderianParameters.cohort[0], at: birth, glucose: .mgdL(110)),
    ]
    for var body in bodies {
      body.receive(.pulse(units: 5))
      body.receive(.rate(unitsPerHour: 0))
      body.advance(to: birth + .minutes(5))
      #expect(try #require(body.insulinOnBoard) > 4)
      for hour in 1...90 * 24 { body.advance(to: birth + .hours(Int64(hour))) }
      #expect(body.insulinOnBoard == 0, "\(type(of: body))")
      #expect(body.computedGlucose.mgdL > 150)
    }
  }

  @Test("A compartment is emptied below 10⁻²⁰⁰ of its unit, and no sooner")
  func limit() {
    for (amount, left) in [(1e-201, 0), (-1e-201, 0), (1e-199, 1e-199), (2.5, 2.5)] {
      var held = amount
      clearTrace(&held)
      #expect(held == left)
    }
    var nothing = -0.0
    clearTrace(&nothing)
    #expect(nothing.sign == .minus)
  }
}
