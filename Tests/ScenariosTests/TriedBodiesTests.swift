import Physiology
import Quantities
import TestSupport
import Testing

@testable import Scenarios

@Suite("What bodies were found to need")
struct TriedBodiesTests {
  private let bodies = PatientDescription.patients(ofModel: "uva-padova-s2008")
    .prefix(Extent.of(2, whole: 3))

  @Test("They are those of trying the body out, whatever was asked before and is kept")
  func same() throws {
    var careful = PatientOptions()
    careful.integration = .fixed(step: .seconds(30), whileEating: .milliseconds(7_500))
    let tried = TriedBodies(limit: 2)
    let cases = bodies.flatMap { body in
      [PatientOptions(), careful].map { options in
        (body, options, plain: body.measuredNeeds(at: body.usualGlucose, options: options))
      }
    }
    for _ in 0..<2 {
      for (body, options, plain) in cases {
        let needs = try #require(tried.needs(of: body, options))
        #expect(needs == plain)
      }
    }
  }

  @Test("Options of a body that change its needs are told apart")
  func options() throws {
    let body = try #require(bodies.first)
    var coarse = PatientOptions()
    coarse.integration = .fixed(step: .minutes(5), whileEating: .minutes(5))
    let tried = TriedBodies()
    #expect(tried.needs(of: body, PatientOptions()) != tried.needs(of: body, coarse))
  }
}
