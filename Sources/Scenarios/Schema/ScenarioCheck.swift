public import RunPlans
public import ScenarioLanguage
public import StructuredText

/// Checks scenario files: everything that can be known before a run begins.
public enum ScenarioCheck {
  /// The most runs of one file that are checked one by one.
  ///
  /// Every variant, every value of a sweep and every patient is checked once, not every
  /// combination; in larger plans the others are checked when their turn to run comes.
  public static let maximumRuns = 2_000

  /// Reads a file, checks it, and works out its runs.
  ///
  /// All problems are reported in one go. Returns nothing when there are no runs to be had; where
  /// problems were errors, the plan is only good for looking at.
  public static func plan(
    _ path: String, reader: inout ScenarioReader, problems: ProblemList
  ) -> RunPlan? {
    let merging = ProblemList(limit: problems.limit)
    guard let document = reader.read(path, problems: merging) else {
      problems.add(merging.problems)
      return nil
    }
    checkExpansionKeys(of: document, problems: merging)
    let made = RunPlan(document, reader: reader, problems: merging)
    problems.add(
      RemovedKeys.correcting(merging.problems, in: document.own, ScenarioSchema.root))
    guard let plan = made else {
      // The runs cannot be told; what the file itself says can still be checked.
      let root = ScenarioSchema.root
      let keys = root.keys.map { key in
        var key = key
        key.isRequired = false
        return key
      }
      let shape = ObjectShape(keys, kinds: root.kinds, noun: root.noun)
      check(withGeneratedModel(document.tree), shape, of: document, problems: problems)
      return nil
    }
    let warnings = PlanWarnings(of: plan)
    for place in plan.representatives.prefix(maximumRuns) {
      let run = plan.run(at: place)
      problems.add(where: { warnings.holds($0, of: run) }) {
        check(run, of: document, problems: problems)
      }
    }
    PresetRules(document: document, problems: problems).check()
    UnusedRules(document: document, problems: problems).check()
    return plan
  }

  /// The tree with the model that a cohort's runs would have been given, so that nothing is said
  /// to be missing that belongs to the cohort.
  private static func withGeneratedModel(_ tree: JSONNode) -> JSONNode {
    guard let bodies = tree["cohort"]?["generate"], tree["patient"]?.members != nil else {
      return tree
    }
    let model = JSONNode(.string("hovorka"), at: bodies.position)
    let path = ScenarioPath(keys: ["patient", "model"])
    return (try? path.setting(model, in: tree)) ?? tree
  }

  /// Checks the tree of one run.
  public static func check(
    _ run: ExpandedRun, of document: ScenarioDocument, problems: ProblemList
  ) {
    check(run.tree, ScenarioSchema.root, of: document, problems: problems)
  }

  /// Builds runs for what only that finds, also where their file has errors: everything that is
  /// wrong is told in one go.
  ///
  /// Building finds again, in other words, what the check of the file found; of a place that has an
  /// error nothing more is told.
  ///
  /// - Parameters:
  ///   - runs: The runs.
  ///   - plan: Whose runs they are.
  ///   - problems: Where what is wrong is reported.
  public static func build(
    _ runs: some Sequence<ExpandedRun>, of plan: RunPlan, problems: ProblemList
  ) {
    let found = ProblemList(limit: problems.limit)
    let warnings = PlanWarnings(of: plan)
    for run in runs {
      found.add(where: { warnings.holds($0, of: run) }) {
        _ = RunBuilder.build(run, problems: found)
      }
    }
    let broken = Set(problems.problems.lazy.filter { $0.severity == .error }.map(\.position))
    problems.add(found.problems.filter { !broken.contains($0.position) })
  }

  private static func check(
    _ tree: JSONNode, _ shape: ObjectShape, of document: ScenarioDocument, problems: ProblemList
  ) {
    let variants = document.tree["variants"]?.statedMembers?.map(\.key) ?? []
    let swept = Set((document.tree["sweep"]?.descendants ?? []).map(\.position))
    let root = Field(tree, problems: problems)
    SchemaCheck(problems: problems).check(root, .object(shape.leavingFormat(of: document)))
    ScenarioRules(
      root: root, variants: variants, swept: swept, otherFaults: document.faultsOfVariants
    ).check()
    PumpRules(root: root).check()
    RefusalRules(root: root).check()
  }

  /// Checks the keys that a single run does not have any more.
  private static func checkExpansionKeys(of document: ScenarioDocument, problems: ProblemList) {
    let keys = RunPlan.expansionKeys
    var tree = document.tree
    tree.value = .object((tree.members ?? []).filter { keys.contains($0.key) })
    let shape = ObjectShape(ScenarioSchema.root.keys.filter { keys.contains($0.name) })
    let root = Field(JSONField(tree, problems: problems), in: .standard)
    SchemaCheck(problems: problems).check(root, .object(shape))
  }
}

extension ObjectShape {
  /// The shape for a file whose `format` is missing or wrong, which its reading has told already:
  /// there nothing more is asked of it.
  fileprivate func leavingFormat(of document: ScenarioDocument) -> ObjectShape {
    guard document.tree["format"]?.string != ScenarioDocument.format else { return self }
    let keys = keys.map { key in
      guard key.name == "format" else { return key }
      return SchemaKey(key.name, .anything, key.meaning)
    }
    return ObjectShape(keys, kinds: kinds, noun: noun)
  }
}

extension RunPlan {
  /// Places of runs that together show every variant, every value of the sweep and every patient.
  var representatives: [Int] {
    let patients = cohort?.members.count ?? 1
    let points = axes.reduce(1) { $0 * $1.points.count }
    let perVariant = points * patients * replicates
    var places = (0..<variants.count).map { $0 * perVariant }
    var stride = patients * replicates
    for axis in axes.reversed() {
      places += (1..<max(1, axis.points.count)).map { $0 * stride }
      stride *= axis.points.count
    }
    places += (1..<max(1, min(patients, ScenarioCheck.maximumRuns))).map { $0 * replicates }
    return places
  }
}

extension JSONNode {
  /// The node with all that stands in it.
  fileprivate var descendants: [JSONNode] {
    [self] + (items ?? []).flatMap(\.descendants)
      + (members ?? []).flatMap(\.value.descendants)
  }
}
