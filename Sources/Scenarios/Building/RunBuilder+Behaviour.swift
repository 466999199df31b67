internal import Determinism
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// What the person does on seeing glucose; meals and their boluses are among the events by now.
  func behaviour() -> Behaviour? {
    let field = root["behaviour"]
    guard field.exists else { return nil }
    return Behaviour(
      correction: field["correction"].exists ? correction(field["correction"]) : nil,
      rescue: field["rescue"].exists ? rescue(field["rescue"]) : nil)
  }

  private func correction(_ field: Field) -> Behaviour.Correction? {
    field.allowOnly(["above", "probability", "delay", "lockout", "minUnits"])
    guard let above = field.required("above").glucose()
    else { return nil }
    let common = reaction(field)
    return Behaviour.Correction(
      above: above, probability: common.probability, delay: common.delay, lockout: common.lockout,
      minimumUnits: field.standard("minUnits") { $0.units() }.units)
  }

  private func rescue(_ field: Field) -> Behaviour.Rescue? {
    field.allowOnly([
      "below", "sense", "probability", "delay", "grams", "absorption", "lockout", "entry",
    ])
    guard let below = field.required("below").glucose(),
      let grams = field.required("grams").law()
    else { return nil }
    let common = reaction(field)
    return Behaviour.Rescue(
      below: below, sense: field.standard("sense") { $0.choice() }, probability: common.probability,
      delay: common.delay, grams: grams,
      absorption: field.standard("absorption") { $0.durationLaw() }, lockout: common.lockout,
      isEntered: field.standard("entry") { $0.bool() })
  }

  /// What every reaction has: how likely it is, how late, and how soon there may be another.
  private func reaction(
    _ field: Field
  ) -> (probability: Double, delay: Distribution, lockout: TimeSpan) {
    (
      field.standard("probability") { $0.number() }, field.standard("delay") { $0.durationLaw() },
      field.standard("lockout") { $0.duration() }
    )
  }
}
