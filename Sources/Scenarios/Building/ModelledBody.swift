internal import Physiology
internal import ScenarioLanguage
internal import StructuredText

/// The body of a model with equations: a patient of the catalogue, or one that its model generates,
/// with the weight and the parameters that the scenario states.
struct ModelledBody {
  private let patient: Field
  private let block: PatientBlock
  private let model: String

  /// The body of a block `patient`, as it was read, whose model is that one.
  init(_ patient: Field, _ block: PatientBlock, model: String) {
    self.patient = patient
    self.block = block
    self.model = model
  }

  /// The body; nothing when there is none such, which is reported.
  func description() -> PatientDescription? {
    let isGenerated = patient["generated"].exists && model == "hovorka"
    let published =
      isGenerated ? block.generated.flatMap { $0.description(in: patient) } : catalogued
    return published.flatMap(withParameters)
  }

  /// A patient of the catalogue; the nominal one of its model where only one has a name.
  private var catalogued: PatientDescription? {
    let known = PatientDescription.patients(ofModel: model)
    if known.count == 1, block.name == nil, !patient["name"].exists { return known.first }
    let name = patient.required("name").choice(of: known.map(\.identifier))
    return known.first { $0.identifier == name }
  }

  /// The patient with the weight and the parameters that the scenario states; nothing when there is
  /// none such, which is reported.
  func withParameters(_ published: PatientDescription) -> PatientDescription? {
    var description = published
    if let weight = block.weight {
      if let heavier = description.setting("BW", to: weight) {
        description = heavier
      } else {
        patient["weight"].warnOfNoEffect(
          "\"patient.weight\" has no effect: the equations of this model do not use it.")
      }
    }
    for member in block.parameters?.members() ?? [] {
      guard let range = description.range(of: member.key) else {
        let names = description.parameterNames
        patient.problems.error(
          at: member.keyPosition,
          """
          The model \(description.model.name) has no parameter "\(member.key)" in its equations.\
          \(NearestName.suggestion(for: member.key, among: names)) There are: \
          \(names.joined(separator: ", ")).
          """)
        return nil
      }
      guard let value = Form.number(range).read(member.field),
        let changed = description.setting(member.key, to: value)
      else { return nil }
      description = changed
    }
    return description
  }
}
