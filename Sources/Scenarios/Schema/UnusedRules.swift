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
    if let heart = own["patient"]?["heartRate"], tree["cohort"] == nil, !Self.hasExercise(tree) {
      warn(at: heart, "\"patient.heartRate\" has no effect: no event is exercise.")
    }
    if let observed = own["history"]?["observed"], !Self.comparesWithObserved(tree) {
      warn(
        at: observed,
        "\"history.observed\" has no effect: no expectation compares with it (other: 'observed').")
    }
  }

  private func warn(at node: JSONNode, _ sentence: String) {
    problems.warning(at: node.position, code: PlanWarnings.code, sentence)
  }

  /// Whether there may be exercise in a run of a file.
  private static func hasExercise(_ tree: JSONNode) -> Bool {
    tree.hasKey("exercise")
      || (tree["sweep"]?.members ?? []).contains { $0.key.contains("exercise") }
  }

  /// Whether a run of a file may be compared with what was observed.
  private static func comparesWithObserved(_ tree: JSONNode) -> Bool {
    tree.texts(under: ["other"]).union(tree["sweep"]?.texts ?? []).contains("observed")
  }

  /// The scenario of a single run without what it makes no use of, though others may.
  static func removingUnused(from tree: JSONNode) -> JSONNode {
    var tree = tree
    if let patient = tree["patient"], patient["heartRate"] != nil, !hasExercise(tree) {
      tree = tree.setting("patient", to: patient.removing(["heartRate"]))
    }
    let idle = PresetRules.Idle(in: tree)
    if let therapy = tree["therapy"], !idle.names.isEmpty || !idle.targets.isEmpty {
      var rest = therapy.removing(Set(idle.targets))
      if let presets = therapy["presets"]?.removing(idle.names) {
        let isEmpty = presets.statedMembers?.isEmpty ?? true
        rest = isEmpty ? rest.removing(["presets"]) : rest.setting("presets", to: presets)
      }
      tree = tree.setting("therapy", to: rest)
    }
    if let history = tree["history"], history["observed"] != nil, !comparesWithObserved(tree) {
      let rest = history.removing(["observed"])
      let isEmpty = rest.members?.isEmpty ?? true
      tree = isEmpty ? tree.removing(["history"]) : tree.setting("history", to: rest)
    }
    return tree
  }
}
