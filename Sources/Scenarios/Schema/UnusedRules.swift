import ScenarioLanguage
import StructuredText

/// What a file states and nothing in any of its runs makes use of.
struct UnusedRules {
  let document: ScenarioDocument
  let problems: ProblemList

  /// Warns of what stands in the file itself; files that it extends may serve others.
  func check() {
    let (tree, own) = (document.tree, document.own)
    // What a table sets may be exercise.
    if let heart = own["patient"]?["heartRate"], tree["cohort"] == nil,
      !tree.hasKey("exercise"), !(tree["sweep"]?.members ?? []).contains(where: isOfExercise)
    {
      warn(at: heart, "\"patient.heartRate\" has no effect: no event is exercise.")
    }
    let compared = tree.texts(under: ["other"]).union(tree["sweep"]?.texts ?? [])
    if let observed = own["history"]?["observed"], !compared.contains("observed") {
      warn(
        at: observed,
        "\"history.observed\" has no effect: no expectation compares with it (other: 'observed').")
    }
  }

  private func isOfExercise(_ axis: JSONMember) -> Bool { axis.key.contains("exercise") }

  private func warn(at node: JSONNode, _ sentence: String) {
    problems.warning(at: node.position, code: PlanWarnings.code, sentence)
  }
}
