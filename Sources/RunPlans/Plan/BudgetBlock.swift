internal import ScenarioLanguage
internal import StructuredText

/// The block `budget`: limits of the expansion and of the run time.
struct BudgetBlock: Sendable {
  var maximumRuns = RunPlan.defaultMaximumRuns
  /// How many seconds of real time all runs together may take.
  var maximumSeconds: Double?

  static let block = Block<Self> {
    $0.set(
      \.maximumRuns, "maxRuns", .integer(1...100_000_000), default: "10000",
      "A scenario with more runs is refused; but for a study no more than 200,000 are ever planned."
    )
    $0.set(
      optional: \.maximumSeconds, "maxSeconds", .number(0...1e9, "s"), else: "none",
      "How long all runs of the file may take; those that do not end in time have no result.")
  }

  /// Reads the block of a scenario; what is wrong with it is reported where the file is checked.
  init(of tree: JSONNode) {
    Self.block.read(Field(tree, in: .plain, problems: ProblemList())["budget"], into: &self)
  }
}
