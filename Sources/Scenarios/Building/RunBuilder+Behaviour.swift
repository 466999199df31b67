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
    guard let above = field.required("above").glucose(in: 60...600),
      let common = reaction(field, lockout: .hours(1))
    else { return nil }
    return Behaviour.Correction(
      above: above, probability: common.probability, delay: common.delay, lockout: common.lockout,
      minimumUnits: field["minUnits"].units(in: 0...30)?.units ?? 0.05)
  }

  private func rescue(_ field: Field) -> Behaviour.Rescue? {
    field.allowOnly([
      "below", "sense", "probability", "delay", "grams", "absorption", "lockout", "entry",
    ])
    let absorption =
      field["absorption"].exists
      ? field["absorption"].durationLaw(in: .minutes(10)...(.hours(12))) : .constant(1_800_000)
    guard let below = field.required("below").glucose(in: 30...200),
      let grams = field.required("grams").law(in: 0.1...200, unit: "g"), let absorption,
      let common = reaction(field, lockout: .minutes(15))
    else { return nil }
    return Behaviour.Rescue(
      below: below, sense: field["sense"].choice() ?? .cgm, probability: common.probability,
      delay: common.delay, grams: grams, absorption: absorption, lockout: common.lockout,
      isEntered: field["entry"].bool() ?? false)
  }

  /// What every reaction has: how likely it is, how late, and how soon there may be another.
  private func reaction(
    _ field: Field, lockout: TimeSpan
  ) -> (probability: Double, delay: NumberLaw, lockout: TimeSpan)? {
    let probability = field["probability"].exists ? field["probability"].number(in: 0...1) : 1
    let delay =
      field["delay"].exists ? field["delay"].durationLaw(in: .zero...(.hours(12))) : .constant(0)
    let lockout =
      field["lockout"].exists
      ? field["lockout"].duration(in: .minutes(1)...(.days(7))) : lockout
    guard let probability, let delay, let lockout else { return nil }
    return (probability, delay, lockout)
  }
}
