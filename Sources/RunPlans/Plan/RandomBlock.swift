package import ScenarioLanguage
internal import StructuredText

/// The block `random`: seed and repetitions.
package struct RandomBlock: Sendable {
  var seed = 0
  var replicates = 1
  /// Which of the repetitions a single run is.
  var replicate: Int?
  /// Whether all patients of a cohort live the same day.
  var isShared = false
  /// Whose chance a single run has.
  var patient: String?

  package static let block = Block<Self> {
    $0.set(
      \.seed, "seed", .integer(0...Int.max), default: "0",
      "The seed from which every component's own stream is named.")
    $0.set(
      \.replicates, "replicates", .integer(1...1_000_000), default: "1",
      "How often each run is repeated with other random numbers.")
    $0.set(
      optional: \.replicate, "replicate", .integer(0...999_999), else: "0",
      "Which of the repetitions a single run is; `loopsim freeze` writes it.")
    $0.set(
      \.isShared, "patients", .words([("own", false), ("same", true)]), default: "'own'",
      "Whether each patient of a cohort has chance of its own: meals, sensor, faults and all else. "
        + "With `same` all of them live the same day, so that they count as one draw of chance.")
    $0.set(
      optional: \.patient, "patient", .text, else: "the cohort's",
      "Which patient's chance a single run has, with the arm after a slash where arms do not share "
        + "it; `loopsim freeze` writes it.")
  }

  /// Reads the block of a scenario; what is wrong with it is reported where the file is checked.
  init(of tree: JSONNode) {
    Self.block.read(Field(tree, in: .plain, problems: ProblemList())["random"], into: &self)
  }
}
