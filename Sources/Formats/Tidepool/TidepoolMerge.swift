internal import StructuredText

/// Joins a base configuration and its override by the rules of Tidepool's simulator.
///
/// Objects merge by key; numbers, texts and whole lists replace; an object replaces what is no
/// object; and a key that the base does not have is an error unless the base object is empty.
struct TidepoolMerge {
  /// The keys that the simulator documents and that a base may lack.
  private static let known = [
    "glucose_safety_limit", "max_active_insulin_multiplier", "max_active_insulin_modifier",
    "use_mid_absorption_isf", "includePositiveVelocityAndRC", "carb_absorption_model",
    "partial_application_factor", "type", "parameters", "physical_activity_entries", "w_hr", "a",
    "tau", "n", "patient_insulin_type", "automation_control_timeline", "glucose_sensitivity_factor",
    "basal_blood_glucose", "insulin_production_rate", "minimum_autobolus", "maximum_autobolus",
    "duration", "max_physiologic_slope", "offset_applied_to_dates", "patient_class",
  ]

  let mode: ImportMode
  let problems: ProblemList

  /// The base with the override laid over it.
  func merged(_ base: JSONNode, _ override: JSONNode) -> JSONNode {
    guard let own = base.members, let changes = override.members else { return override }
    var members = own
    for change in changes {
      if let index = members.firstIndex(where: { $0.key == change.key }) {
        members[index].value = merged(members[index].value, change.value)
      } else {
        if !own.isEmpty { report(change, base: own) }
        members.append(change)
      }
    }
    return JSONNode(.object(members), at: override.position)
  }

  private func report(_ change: JSONMember, base: [JSONMember]) {
    if Self.known.contains(change.key), mode == .asIntended {
      problems.add(
        .warning, .ignored, at: change.keyPosition,
        "The base has no \"\(change.key)\", so the original program refuses this; it is used here.")
      return
    }
    problems.add(
      .error, .key, at: change.keyPosition,
      "The base has no \"\(change.key)\" to override."
        + NearestName.suggestion(for: change.key, among: base.map(\.key)))
  }
}

/// Replaces pointers to reusable parts by the parts.
struct TidepoolPointers {
  let parts: ReusableParts
  let problems: ProblemList

  /// The node with every pointer replaced, parts within parts included.
  func resolved(_ node: JSONNode, trail: [String] = []) -> JSONNode {
    switch node.value {
    case .string(let text) where text.contains("reusable"):
      return part(text, at: node, trail: trail)
    case .array(let items):
      return JSONNode(.array(items.map { resolved($0, trail: trail) }), at: node.position)
    case .object(let members):
      let resolvedMembers = members.map { member in
        JSONMember(
          key: member.key, keyPosition: member.keyPosition,
          value: isText(member.key) ? member.value : resolved(member.value, trail: trail))
      }
      return JSONNode(.object(resolvedMembers), at: node.position)
    default: return node
    }
  }

  private func part(_ pointer: String, at node: JSONNode, trail: [String]) -> JSONNode {
    guard !trail.contains(pointer), trail.count < 16 else {
      problems.add(
        .error, .pointer, at: node.position, "\"\(pointer)\" points back to itself. Break the ring."
      )
      return JSONNode(.null, at: node.position)
    }
    do {
      let part = try parts.part(pointer)
      problems.add(part.warnings)
      if let remark = part.remark {
        problems.add(.warning, remark.reason, at: node.position, remark.sentence)
      }
      return part.isPlain ? part.node : resolved(part.node, trail: trail + [pointer])
    } catch {
      problems.add(.error, .pointer, at: node.position, error.sentence)
      problems.add(error.problems)
      return JSONNode(.null, at: node.position)
    }
  }

  /// Keys whose text is free and may hold the word `reusable`.
  private func isText(_ key: String) -> Bool {
    ["risk_description", "risk-id", "risk_id", "simulation_id", "sim_id"].contains(key)
  }
}
