internal import Determinism
internal import Devices
internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// A member of a population of bodies.
struct GeneratedBody: Sendable {
  var law = HovorkaCohort.logNormal
  var seed = 0
  var member = 0

  static let form = Form<Self>.object {
    let population = Population(&$0, "The published law from which the parameters are drawn.")
    let member = $0.required("member", .integer(0...1_000_000), "The number of the body.")
    return { field throws(UnusableKey) in
      Self(law: field[population.law], seed: field[population.seed], member: try field[member])
    }
  }

  /// The keys that say which population of bodies it is.
  struct Population: Sendable {
    let law: Key<HovorkaCohort>
    let seed: Key<Int>

    init(_ keys: inout Keys, _ meaning: String) {
      law = keys.key("law", .choice(), default: "'logNormal'", meaning)
      seed = keys.key("seed", .integer(0...Int.max), default: "0", "The seed of the population.")
    }
  }
}

extension RunBuilder {
  /// The member of a population of bodies, drawn from a stream of its own.
  func generated(_ body: GeneratedBody, _ field: Field) -> PatientDescription? {
    if root["patient"]["name"].exists {
      root["patient"]["name"].error("A generated body has no name of its own. Remove the name.")
    }
    var stream = RandomStream(seed: UInt64(body.seed), name: "cohort", member: UInt64(body.member))
    guard let drawn = body.law.draw(from: &stream, identifier: "hovorka#\(body.member)") else {
      field.error("The law \(body.law.rawValue) made no body in \(HovorkaCohort.drawLimit) draws.")
      return nil
    }
    return PatientDescription(.hovorka(drawn))
  }

  /// The needs of a body, tried out where the therapy leaves something to them.
  func measuredNeeds(
    of description: PatientDescription, _ options: PatientOptions
  ) -> Person.Needs? {
    let therapy = root["therapy"]
    guard ["basal", "sensitivity", "carbRatio"].contains(where: { !therapy[$0].exists }),
      let found = TriedBodies.shared.needs(of: description, options)
    else { return nil }
    return programmed(found)
  }

  /// The needs that the table of a published patient states: `needs: 'table'`.
  func tableNeeds(
    _ field: Field, of description: PatientDescription, _ options: PatientOptions
  ) -> Person.Needs? {
    guard let found = description.publishedNeeds(options: options) else {
      reportMissingTable(field, description.model.name)
      return nil
    }
    return programmed(found)
  }

  func reportMissingTable(_ field: Field, _ model: String) {
    field.error("The model \(model) publishes no table of needs. State them in its place.")
  }

  /// Needs rounded as a person would program them: the basal rate to what the pump can do, the
  /// sensitivity and the carb ratio to a tenth.
  private func programmed(_ found: MeasuredNeeds) -> Person.Needs {
    let pump = PumpChoice.profile(of: root) ?? .generic50
    let rates = pump.basalRates
    let exact = Int64((found.basalRate * 1_000).rounded())
    let rate = max(rates.floor(exact + rates.step(at: exact) / 2), rates.smallest)
    func tenths(_ value: Double) -> Double { max(0.1, (value * 10).rounded() / 10) }
    return Person.Needs(
      basal: DailySchedule(always: InsulinRate(milliunitsPerHour: rate)),
      sensitivity: DailySchedule(
        always: InsulinSensitivity(mgdLPerUnit: max(1, tenths(found.sensitivity)))),
      carbRatio: DailySchedule(
        always: CarbohydrateRatio(gramsPerUnit: tenths(found.carbRatio))))
  }
}
