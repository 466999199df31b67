internal import Determinism
internal import Devices
internal import Physiology
internal import Quantities
internal import StructuredText

extension RunBuilder {
  /// The member of a population of bodies, drawn from a stream of its own.
  func generated(_ field: Field) -> PatientDescription? {
    field.allowOnly(["law", "seed", "member"])
    let law = field.standard("law") { $0.choice(HovorkaCohort.self) }
    let seed = UInt64(clamping: field["seed"].integer() ?? 0)
    guard let member = field.required("member").integer() else {
      return nil
    }
    if root["patient"]["name"].exists {
      root["patient"]["name"].error("A generated body has no name of its own. Remove the name.")
    }
    var stream = RandomStream(seed: seed, name: "cohort", member: UInt64(member))
    guard let drawn = law.draw(from: &stream, identifier: "hovorka#\(member)") else {
      field.error("The law \(law.rawValue) made no body in \(HovorkaCohort.drawLimit) draws.")
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
    guard field.choice(of: ["table"]) != nil else { return nil }
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
    let pump = PumpProfile(reading: root["pump"].reporting(to: ProblemList())) ?? .generic50
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
