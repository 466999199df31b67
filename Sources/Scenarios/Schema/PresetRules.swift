internal import ScenarioLanguage
internal import StructuredText

/// Presets that a file describes and that nothing in any of its runs starts.
struct PresetRules {
  let document: ScenarioDocument
  let problems: ProblemList

  /// Warns of presets that stand in the file itself; files that it extends may serve others.
  ///
  /// A name that nothing has is told elsewhere, and one of these may have been meant.
  func check() {
    let idle = Idle(in: document.tree)
    let therapy = document.own["therapy"]
    for member in therapy?["presets"]?.members ?? [] where idle.names.contains(member.key) {
      warn(at: member.keyPosition, "The preset \"\(member.key)\"")
    }
    for key in idle.targets {
      guard let target = therapy?[key] else { continue }
      warn(at: target.position, "\"therapy.\(key)\"")
    }
  }

  /// What of the presets of a scenario nothing in it starts.
  ///
  /// Where a table of patients says what happens, or a program decides, any may be started.
  struct Idle {
    /// The names of presets.
    var names: Set<String> = []
    /// The keys of the therapy that say the range of a preset of the app's own.
    var targets: [String] = []

    /// Looks at a scenario, or at one run of it.
    init(in tree: JSONNode) {
      guard tree["cohort"] == nil, !tree.hasKey("controller") else { return }
      let named = tree.texts(under: ["preset", "override"])
      let therapy = tree["therapy"]
      let own = ["preMeal", "workout"]
      let known = (therapy?["presets"]?.statedMembers ?? []).map(\.key)
      guard named.isSubset(of: known + own) else { return }
      let started = named.union(tree["sweep"]?.texts ?? [])
      names = Set(known).subtracting(started)
      targets = own.filter { !started.contains($0) }.map { "\($0)Target" }
        .filter { therapy?[$0] != nil }
    }
  }

  private func warn(at position: TextPosition, _ what: String) {
    problems.warning(
      at: position, code: "W-NOEFFECT", "\(what) has no effect: no event starts the preset.")
  }
}

extension JSONNode {
  /// The nodes that stand in it, remarks left out.
  private var parts: [(key: String?, node: JSONNode)] {
    (items ?? []).map { (nil, $0) } + (statedMembers ?? []).map { ($0.key, $0.value) }
  }

  /// Whether a key stands in it at any depth.
  func hasKey(_ key: String) -> Bool {
    parts.contains { $0.key == key || $0.node.hasKey(key) }
  }

  /// All texts in it.
  var texts: Set<String> {
    parts.reduce(into: Set([string].compactMap(\.self))) { $0.formUnion($1.node.texts) }
  }

  /// All texts that stand under keys of some names, at any depth.
  func texts(under keys: Set<String>) -> Set<String> {
    parts.reduce(into: []) { found, part in
      let isMeant = part.key.map { keys.contains($0) } ?? false
      found.formUnion(isMeant ? part.node.texts : part.node.texts(under: keys))
    }
  }
}
