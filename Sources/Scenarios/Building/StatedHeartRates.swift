internal import Physiology
internal import ScenarioLanguage
internal import StructuredText

/// Heart rates that a scenario states in place of the body's own.
struct StatedHeartRates: Sendable {
  var resting: Double?
  var maximum: Double?

  /// The body's own rates with what is stated in their place.
  ///
  /// - Parameters:
  ///   - own: The body's own.
  ///   - patient: The block `patient`.
  /// - Returns: The rates, or nothing where none are stated or the stated ones contradict another.
  func replacing(_ own: HeartRates, of patient: Field) -> HeartRates? {
    let block = patient["heartRate"]
    let resting = resting ?? own.resting
    let maximum = maximum ?? own.maximum
    guard resting < maximum else {
      (block.exists ? block : patient["parameters"]).error(
        "The heart rate at rest must be below the highest one.")
      return nil
    }
    guard block.exists else { return nil }
    for (key, parameter) in [("resting", "HRrest"), ("maximum", "HRmax")] where block[key].exists {
      patient["parameters"][parameter].warnOfNoEffect(
        "\"\(parameter)\" has no effect beside \"heartRate.\(key)\".")
    }
    return HeartRates(resting: resting, maximum: maximum)
  }
}

extension HeartRates {
  /// The heart rates at rest and at most of a scenario's body; `nil` where it knows no exercise.
  ///
  /// What is wrong with the block is reported by those who read the body itself.
  static func ofBody(in root: Field) -> HeartRates? {
    let root = root.reporting(to: ProblemList())
    let block = PatientBlock.reading(root)
    func stated(or own: HeartRates) -> HeartRates {
      block.heartRates.replacing(own, of: root["patient"]) ?? own
    }
    if block.model == Vocabulary.external {
      return stated(or: HeartRates(resting: 60, maximum: 180))
    }
    let model = block.model ?? ""
    let known = PatientDescription.patients(ofModel: model)
    guard let published = known.first(where: { $0.identifier == block.name }) ?? known.first,
      published.model.knowsExercise
    else { return nil }
    // Heart rates can be stated among the parameters too.
    let body = ModelledBody(root["patient"], block, model: model).withParameters(published)
    return stated(or: (body ?? published).heartRates)
  }
}
