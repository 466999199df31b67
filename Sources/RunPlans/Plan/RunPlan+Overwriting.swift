internal import ScenarioLanguage
internal import StructuredText

extension RunPlan {
  /// What sets a value in every run: an address of the sweep, or a column of the cohort's table.
  private struct Setter {
    var path: ScenarioPath
    /// The address with items of lists by their ids, so that two spellings of it are one.
    var parts: [ScenarioPath.Part]
    var position: TextPosition
    /// The column; `nil` for the sweep, and for bodies that a model generates.
    var column: String?
    /// Whether it is what makes the patients of a cohort other bodies.
    var isGenerated = false

    /// Whether nothing is left of what another one has set before.
    func covers(_ earlier: Setter) -> Bool { earlier.parts.starts(with: parts) }

    /// Whether it names no item of a list.
    var hasKeysAlone: Bool {
      path.parts.allSatisfy { if case .key = $0 { true } else { false } }
    }

    var subject: String { column.map { "The column \"\($0)\"" } ?? "The sweep's \"\(path)\"" }
    var reason: String {
      let subject =
        column.map { "the cohort's column \"\($0)\"" }
        ?? (isGenerated ? "\"cohort.generate\"" : "the sweep")
      return "\(subject) sets \"\(path)\" after it"
    }
  }

  /// Reports what is set by the sweep or the cohort and set again after that: the runs would be
  /// listed with a value that they do not have.
  func checkOverwriting(_ problems: ProblemList) {
    let setters = self.setters
    warnOfVariants(setters, problems)
    for (place, setter) in setters.enumerated() {
      let later = setters[(place + 1)...].filter { $0.covers(setter) }
      guard let first = later.first else { continue }
      let counts = later.map { ($0, patients(setBy: $0)) }
      let (most, count) = counts.max { $0.1 < $1.1 } ?? (first, 0)
      if count == patientCount {
        problems.error(
          at: setter.position,
          "\(setter.subject) has no effect: \(most.reason). Remove one of them.")
      } else if count > 0 {
        problems.warning(
          at: setter.position, code: "W-NULL",
          "\(setter.subject) has no effect for \(count) of \(patientCount) patients: "
            + "\(most.reason).")
      }
    }
  }

  /// Warns of what a variant says and the sweep or the cohort sets after that.
  private func warnOfVariants(_ setters: [Setter], _ problems: ProblemList) {
    for variant in document.tree["variants"]?.statedMembers ?? [] {
      // A list of a variant may be edits of another, whose items have other places.
      for setter in setters where setter.hasKeysAlone {
        guard let node = setter.path.value(in: variant.value) else { continue }
        let count = patients(setBy: setter)
        guard count > 0 else { continue }
        let whom = count == patientCount ? "" : " for \(count) of \(patientCount) patients"
        problems.warning(
          at: node.position, code: "W-NULL",
          "What the variant \"\(variant.key)\" says of \"\(setter.path)\" has no effect\(whom): "
            + "\(setter.reason).")
      }
    }
  }

  /// All of them in the order in which they are applied.
  private var setters: [Setter] {
    let sweep = axes.flatMap(\.paths).map {
      Setter(path: $0.path, parts: parts(of: $0.path), position: $0.position)
    }
    guard cohort != nil else { return sweep }
    if let bodies = document.tree["cohort"]?["generate"] {
      return sweep
        + ["model", "generated"].map { key in
          let path = ScenarioPath(keys: ["patient", key])
          return Setter(
            path: path, parts: path.parts, position: bodies.position, isGenerated: true)
        }
    }
    let columns = document.tree["cohort"]?["columns"]?.members ?? []
    return sweep
      + columns.compactMap { column in
        guard let path = try? ScenarioPath(column.value.string ?? "") else { return nil }
        return Setter(
          path: path, parts: parts(of: path), position: column.value.position, column: column.key)
      }
  }

  /// An address with items of lists by their ids, so that two spellings of it are one.
  func parts(of path: ScenarioPath) -> [ScenarioPath.Part] {
    var node: JSONNode? = document.tree
    return path.parts.map { part in
      switch part {
      case .key(let key): node = node?[key]
      case .item(let id): node = node?.items?.first { $0["id"]?.string == id }
      case .index(let index):
        node = node?.items.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        if let id = node?["id"]?.string { return .item(id) }
      }
      return part
    }
  }

  /// How many patients get a value from it: all of them from the sweep, and those with a cell that
  /// is not empty from a column.
  private func patients(setBy setter: Setter) -> Int {
    guard setter.column != nil, let cohort else { return patientCount }
    return cohort.members.count { $0.assignments.contains { $0.path == setter.path } }
  }
}
