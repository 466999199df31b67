internal import Physiology
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// An insulin that a person takes; Humalog when none is named.
  func insulin(_ field: Field) -> InsulinFormulation? {
    guard field.exists else { return .humalog }
    return field.choice(of: Vocabulary.injectedInsulins).flatMap { .named($0) }
  }

  /// The insulin in the pump, as it truly acts.
  func pumpInsulin(isContinuous: Bool) -> InsulinAbsorption {
    let field = root["patient"]["insulinType"]
    let word = field.choice(of: Vocabulary.pumpedInsulins)
    let absorption = word.flatMap { InsulinFormulation.named($0) }?.absorption ?? .rapid
    if isContinuous, absorption != .rapid {
      field.warning(
        code: "W-NOEFFECT",
        "\"patient.insulinType\" has no effect on the basal of the pump 'continuous'.")
    }
    return absorption
  }
}
