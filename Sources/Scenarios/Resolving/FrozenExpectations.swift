internal import Expectations
internal import RunPlans
internal import StructuredText

/// The expectations of a scenario that its frozen copy keeps: those that one run can be held to.
struct FrozenExpectations {
  let run: ExpandedRun
  let paths: FrozenPaths
  /// The names of the faults of the copy, which those that did not come are no part of.
  let faults: KnownNames
  /// What is left out, as warnings.
  var omissions: [TextProblem] = []

  /// The list `expect` of the frozen copy.
  mutating func kept(of list: JSONNode) -> JSONNode {
    var items: [JSONNode] = []
    for item in list.items ?? [] where concernsRun(item) {
      if let item = kept(item) { items.append(item.removing(["variants"])) }
    }
    return JSONNode(.array(items), at: list.position)
  }

  private func concernsRun(_ item: JSONNode) -> Bool {
    if let chosen = item["compare"]?["this"]?.string, chosen != run.variant { return false }
    guard let names = item["variants"] else { return true }
    let variants = (names.items ?? [names]).compactMap(\.string)
    return run.variant.map(variants.contains) ?? false
  }

  /// An expectation as this run alone can be held to it; nothing where it cannot.
  private mutating func kept(_ item: JSONNode) -> JSONNode? {
    var item = item
    if let across = item["across"]?.string {
      guard ["each", "all"].contains(across) else {
        leaveOut(item, "looks at several runs together (across: '\(across)')")
        return nil
      }
      item = item.removing(["across"])
    }
    if let compare = item["compare"], let other = compare["other"]?.string {
      guard !CompareCheck.Other.isVariant(other) else {
        leaveOut(item, "compares with the run of the variant \"\(other)\"")
        return nil
      }
      if let path = compare["other"], other != "observed" {
        item = item.setting("compare", to: compare.setting("other", to: paths.rewritten(path)))
      }
      if let compare = item["compare"] {
        item = item.setting("compare", to: compare.removing(["this"]))
      }
    }
    if let golden = item["golden"], let pattern = golden.string,
      case .success(let name) = GoldenCheck.path(of: pattern, for: run.place)
    {
      let path = paths.rewritten(name, namedIn: golden.position.file)
      item = item.setting("golden", to: .string(path))
    }
    if let outside = item["outside"], let names = outside.items {
      let rest = names.filter { $0.nameOfFault.map(faults.contains) ?? true }
      item =
        rest.isEmpty
        ? item.removing(["outside"])
        : item.setting("outside", to: JSONNode(.array(rest), at: outside.position))
    }
    if let table = item["matches"] {
      // Its rows were read from there, and are read from there again.
      item = item.removing(["rows"]).setting("matches", to: paths.rewritten(table))
    }
    return item
  }

  private mutating func leaveOut(_ item: JSONNode, _ reason: String) {
    let name = item["id"]?.string.map { " \"\($0)\"" } ?? ""
    omissions.append(
      TextProblem(
        .warning, at: item.position, "the expectation\(name) \(reason), and is left out."))
  }
}
