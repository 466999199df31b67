internal import Determinism
internal import Physiology
internal import RunPlans
internal import ScenarioLanguage

/// A member of a population of bodies.
struct GeneratedBody: Sendable {
  var law = HovorkaCohort.logNormal
  var seed = 0
  var member = 0

  static let form = Form<Self>.object {
    let population = BodyPopulation(&$0, "The published law from which the parameters are drawn.")
    let member = $0.required("member", .integer(0...1_000_000), "The number of the body.")
    return { field throws(UnusableKey) in
      Self(law: field[population.law], seed: field[population.seed], member: try field[member])
    }
  }

  /// The member of its population, drawn from a stream of its own; `nil` where the law makes none.
  func description(in patient: Field) -> PatientDescription? {
    if patient["name"].exists {
      patient["name"].error("A generated body has no name of its own. Remove the name.")
    }
    var stream = RandomStream(seed: UInt64(seed), name: "cohort", member: UInt64(member))
    guard let drawn = law.draw(from: &stream, identifier: "hovorka#\(member)") else {
      patient["generated"].error(
        "The law \(law.rawValue) made no body in \(HovorkaCohort.drawLimit) draws.")
      return nil
    }
    return PatientDescription(.hovorka(drawn))
  }
}
