internal import Physiology
internal import Quantities
internal import Simulation
internal import StructuredText

/// A body that is a program outside.
extension RunBuilder {
  /// The values of the parameters of a model.
  static let parameterValues = 1e-12...1e6

  /// Reads a patient whose glucose a program says.
  ///
  /// What such a body needs cannot be tried out, as that takes some 40 lives of it.
  func external(
    _ field: Field, needs: Person.Needs?, glucose: GlucoseConcentration?, modulators: [Modulator]
  ) -> Person? {
    guard field["needs"].node?.members != nil else {
      if field["needs"].node?.string != nil {
        field["needs"].error(
          "A published table is one of our patients'. Write what this body needs: "
            + "{ basal, sensitivity, carbRatio }.")
      } else {
        _ = field.required("needs").object(allowed: [])
      }
      return nil
    }
    if field["name"].exists {
      field["name"].warning(
        code: "W-NOEFFECT",
        "\"patient.name\" has no effect: the program is told its parameters alone.")
    }
    var program = program(field, .body, such: "['python3', 'body.py']")
    program.initialGlucose = glucose
    guard let needs else { return nil }
    return Person(
      model: .external(program), needs: needs, glucose: glucose ?? .mgdL(120),
      modulators: modulators, hasVaryingEvents: hasVaryingEvents, clock: root.context.wallClock)
  }
}
