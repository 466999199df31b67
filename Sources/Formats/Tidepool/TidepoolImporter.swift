internal import Interchange
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// Reads the scenario configurations of Tidepool's data-science-simulator (JSON, "v2").
///
/// One file becomes one scenario, and each element of its `override_config` a variant. The format,
/// its merging and its pointers are those of github.com/tidepool-org/data-science-simulator.
public struct TidepoolImporter {
  private let parts: ReusableParts
  private let mode: ImportMode

  /// Creates an importer with the parts that files point to.
  public init(parts: ReusableParts, mode: ImportMode = .asIntended) {
    self.parts = parts
    self.mode = mode
  }

  /// Imports one file; whatever its bytes, the outcome says what could not be carried and where.
  public func importing(_ bytes: [UInt8], file: String) -> ImportOutcome {
    let problems = ProblemList(limit: 200)
    let name = ImportText.slug(ImportText.stem(of: file))
    func failed() -> ImportOutcome {
      ImportOutcome(scenario: nil, id: name, runs: 0, problems: problems.sorted)
    }
    guard let root = read(bytes, file: file, problems) else { return failed() }
    let pointers = TidepoolPointers(parts: parts, problems: problems)
    guard let baseNode = root["base_config"] else {
      problems.add(
        .error, .key, at: root.position,
        "\"base_config\" is missing; a scenario of Tidepool's simulator has one."
          + OtherJSON.remedy(for: root))
      return failed()
    }
    let base = pointers.resolved(baseNode)
    guard !problems.hasErrors else { return failed() }
    TidepoolKeys(problems: problems).report(file: root)
    let metadata = metadata(root, problems)
    let overrides = overrides(of: root, problems)
    let variants = variants(overrides, base: base, problems)
    let lost = overrides.count - variants.count
    guard !variants.isEmpty else {
      return ImportOutcome(
        scenario: nil, id: name, runs: 0, lostRuns: lost, problems: problems.sorted)
    }
    let id = metadata.id.map { ImportText.slug($0, fallback: name) } ?? name
    let scenario = document(id: id, metadata: metadata, variants: variants.map(\.named))
    var account = ImportAccount()
    for variant in variants { account.add(variant.account) }
    return ImportOutcome(
      scenario: scenario, id: id, runs: variants.count, lostRuns: lost, problems: problems.sorted,
      account: account)
  }

  // MARK: - Reading

  private func read(_ bytes: [UInt8], file: String, _ problems: ProblemList) -> JSONNode? {
    let top = TextPosition(file: file, line: 1, column: 1)
    if bytes.allSatisfy({ [0x20, 0x09, 0x0a, 0x0d].contains($0) }) {
      problems.add(
        .error, .syntax, at: top, "The file is empty; it holds no scenario to import.")
      return nil
    }
    guard let root = OtherJSON.read(bytes, file: file, problems) else { return nil }
    guard root.members != nil else {
      problems.add(
        .error, .value, at: root.position,
        "A scenario must be an object, not \(root.kind)." + OtherJSON.remedy(for: root))
      return nil
    }
    return root
  }

  private func overrides(of root: JSONNode, _ problems: ProblemList) -> [JSONNode] {
    guard let node = root["override_config"] else {
      return [JSONNode(.object([]), at: root.position)]
    }
    guard let items = node.items, !items.isEmpty else {
      problems.add(
        .error, .value, at: node.position,
        "\"override_config\" must be a list with at least one simulation, not \(node.quoted).")
      return []
    }
    return items
  }

  /// What the file says about itself.
  private struct Metadata {
    var id: String?
    var risk: String?
    var title: String?
    var carried: [JSONValue.Member]
  }

  private func metadata(_ root: JSONNode, _ problems: ProblemList) -> Metadata {
    let node = root["metadata"]
    for key in ["duration_hours", "offset_applied_to_dates"] {
      if let value = node?[key] {
        problems.add(
          .warning, .ignored, at: value.position, "\"\(key)\" among the metadata has no effect.")
      }
    }
    if let value = root["t2_config"] {
      problems.add(.warning, .ignored, at: value.position, "\"t2_config\" has no effect.")
    }
    return Metadata(
      id: node?["simulation_id"]?.string, risk: (node?["risk-id"] ?? node?["risk_id"])?.string,
      title: node?["risk_description"]?.string,
      carried: (node?.members ?? []).map { JSONValue.Member($0.key, JSONValue($0.value)) })
  }

  /// A simulation that was carried over.
  private struct Variant {
    /// What the file calls it.
    var stated: String
    var named: (name: String, scenario: JSONValue)
    var account: ImportAccount
  }

  /// The simulations that can be run; what is wrong with one loses no other.
  private func variants(
    _ overrides: [JSONNode], base: JSONNode, _ problems: ProblemList
  ) -> [Variant] {
    var variants: [Variant] = []
    for (index, override) in overrides.enumerated() {
      let own = ProblemList(limit: 200)
      let place = "simulation-\(index + 1)"
      let stated = override["sim_id"]?.string ?? base["sim_id"]?.string ?? place
      let known = variants
      if let variant = variant(override, base, stated: stated, place: place, known, own) {
        variants.append(variant)
      } else if !own.problems.contains(where: {
        $0.severity == .error && $0.position.file == override.position.file
      }) {
        own.add(
          .error, .value, at: override.position,
          "The simulation \"\(stated)\" cannot be carried over, because of what is wrong with the "
            + "parts that it points to.")
      }
      problems.add(own.problems.map { $0.filed(under: .value) })
    }
    return variants
  }

  private func variant(
    _ override: JSONNode, _ base: JSONNode, stated: String, place: String, _ known: [Variant],
    _ problems: ProblemList
  ) -> Variant? {
    guard override.members != nil else {
      problems.add(
        .error, .value, at: override.position,
        "A simulation must be an object, not \(override.kind).")
      return nil
    }
    let resolved = TidepoolPointers(parts: parts, problems: problems).resolved(override)
    let merged = TidepoolMerge(mode: mode, problems: problems).merged(base, resolved)
    guard !problems.hasErrors,
      let simulation = TidepoolSimulationReader(problems: problems, parts: parts).simulation(
        merged, name: stated, position: override.position)
    else { return nil }
    TidepoolKeys(problems: problems).report(merged)
    checkStage(simulation, problems)
    let journal = ImportJournal()
    let scenario = TidepoolScenarioWriter(mode: mode, problems: problems, journal: journal)
      .scenario(simulation)
    guard !problems.hasErrors else { return nil }
    let name = unused(
      stated.isEmpty ? place : stated, beside: known, at: override.position, problems)
    let whole = document(
      id: "imported", metadata: Metadata(carried: []), variants: [(name, scenario)])
    let obstacles = ImportCheck.obstacles(whole)
    for obstacle in obstacles {
      problems.add(
        .error, .refused, at: override.position,
        "The simulation \"\(stated)\" cannot be run here: \(obstacle)")
    }
    return obstacles.isEmpty
      ? Variant(stated: stated, named: (name, scenario), account: journal.account) : nil
  }

  private func checkStage(_ simulation: TidepoolSimulation, _ problems: ProblemList) {
    let tag = TidepoolStage(simulation.name).tag
    guard let tag, (tag == "noLoop") == simulation.hasApp else { return }
    problems.add(
      .warning, .stage, at: simulation.position,
      "\"\(simulation.name)\" is named for the stage \(tag), but "
        + (simulation.hasApp ? "a loop" : "no loop") + " runs in it.")
  }

  /// The name of a variant, with a number where another has it already.
  private func unused(
    _ stated: String, beside known: [Variant], at position: TextPosition, _ problems: ProblemList
  ) -> String {
    let names = known.map(\.named.name)
    let safe = RunName.safe(stated)
    // A name such as `x-one` would be that of a remark; a number may follow it.
    let base = String((JSONField.isCarried(safe) ? "sim-\(safe)" : safe).prefix(60))
    guard names.contains(base) else { return base }
    var number = 2
    while names.contains("\(base)#\(number)") { number += 1 }
    let name = "\(base)#\(number)"
    let isTwice = known.contains { $0.stated == stated }
    problems.add(
      .warning, .duplicate, at: position,
      isTwice
        ? "The name \"\(stated)\" is used twice, and the original program keeps one of the two "
          + "simulations; both are kept here."
        : "The simulation \"\(stated)\" is called \"\(name)\" here: names are short, of letters, "
          + "digits and few marks, and another one is \"\(base)\" already.")
    return name
  }

  // MARK: - Writing

  private func document(
    id: String, metadata: Metadata, variants: [(name: String, scenario: JSONValue)]
  ) -> JSONValue {
    let divided = ImportedVariants.divided(variants.map(\.scenario))
    var members: [JSONValue.Member] = [.init("format", "loopsim/1"), .init("id", .string(id))]
    if let title = metadata.title { members.append(.init("title", .string(title))) }
    if let risk = metadata.risk { members.append(.init("references", .array([.string(risk)]))) }
    if !metadata.carried.isEmpty {
      members.append(.init("x-tidepool", .object(metadata.carried)))
    }
    if case .object(let shared) = divided.shared { members += shared }
    let overlays = zip(variants, divided.overlays).map { variant, overlay in
      JSONValue.Member(variant.name, overlay)
    }
    members.append(.init("variants", .object(overlays)))
    return .object(members)
  }
}
