internal import Quantities
public import RunPlans
internal import ScenarioLanguage
public import Simulation
public import StructuredText

/// A run written down as a scenario in which nothing is left to chance but devices and body.
///
/// What was drawn before the run stands as it was drawn; what the person did on seeing glucose
/// stands among the events. The seed stays, so that sensor and body vary as they did: the frozen
/// scenario runs to the same rows and records.
public struct FrozenScenario: Sendable {
  /// The scenario as a file, with a comment above whatever chance made.
  public let text: String
  /// Warnings of what could not be kept: expectations that look at other runs.
  public let omissions: [TextProblem]

  /// Writes a run down.
  ///
  /// - Parameters:
  ///   - run: The run as it was expanded.
  ///   - built: What it was built into.
  ///   - result: What came of it.
  ///   - seed: The seed that replaced the scenario's own, if one did: that from which the run's is
  ///     drawn, as `RunBuilder.build` takes it.
  ///   - folder: Where the file will stand, for the paths in it; as seen from the working folder.
  ///   - working: The working folder, from which the scenario's files were named.
  ///   - answers: Where the answers of programs are kept, which the scenario takes in their place,
  ///     as seen from where the file will stand. A record that the scenario names itself stays.
  public init(
    _ run: ExpandedRun, built: BuiltRun, result: RunResult, seed: UInt64? = nil,
    in folder: String = "", from working: String = "", answers: [FrozenAnswers] = []
  ) {
    var tree = Self.withSeed(seed ?? run.seed, of: run, in: built.resolved.tree)
    var origins = built.resolved.origins
    let context = Field(tree, problems: ProblemList()).context
    Self.add(result.reactions, to: &tree, &origins, of: run, in: context)
    tree = Self.withoutIdleAbsorption(tree)
    Self.removeAbsentFaults(from: &tree, &origins)
    let paths = FrozenPaths(folder: folder, working: working)
    tree = paths.rewritten(tree: tree)
    let named = built.programs.compactMap { FrozenAnswers($0, seenFrom: paths) }
    for answers in named + answers { tree = answers.named(in: tree) }
    let faults = KnownNames.faults(of: Field(tree, problems: ProblemList()))
    var expectations = FrozenExpectations(run: run, paths: paths, faults: faults)
    if let list = tree["expect"] { tree = tree.setting("expect", to: expectations.kept(of: list)) }
    tree = UnusedRules.removingUnused(from: tree)
    let id = JSONNode(.string(Self.identity(of: run)), at: tree.position)
    tree = Self.ordered(tree.removing(["behaviour", "id", "extends"]), id: id)
    var writer = JSONWriter(style: .json5)
    writer.joinsWhatFits = true
    writer.remarks = origins.mapValues { "Drawn by chance: \($0)." }
    text = writer.text(
      JSONValue(tree),
      header: [
        "The run \(run.id) of \(run.file) with seed \(seed ?? run.seed), written down by",
        "loopsim freeze: what was left to chance stands here as it came.",
      ])
    omissions = expectations.omissions
  }

  /// The frozen scenario's own name, made of the run's.
  static func identity(of run: ExpandedRun) -> String {
    let ending = "-frozen"
    let name = run.id.lowercased().map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
    }
    return String(name.prefix(RunName.maximumLength - ending.count)) + ending
  }

  private static func withSeed(
    _ seed: UInt64, of run: ExpandedRun, in tree: JSONNode
  ) -> JSONNode {
    var members: [(key: String, value: JSONNode.Value)] = [
      ("seed", .integer(Int64(clamping: seed)))
    ]
    if run.replicate > 0 { members.append(("replicate", .integer(Int64(run.replicate)))) }
    if let patient = run.chanceOf { members.append(("patient", .string(patient))) }
    return tree.setting("random", to: JSONNode(members, at: tree.position))
  }

  /// The format and the name first, everything else in its order.
  private static func ordered(_ tree: JSONNode, id: JSONNode) -> JSONNode {
    let members = tree.members ?? []
    var ordered = members.filter { $0.key == "format" }
    ordered.append(JSONMember(key: "id", keyPosition: id.position, value: id))
    ordered += members.filter { $0.key != "format" }
    return JSONNode(.object(ordered), at: tree.position)
  }

  // MARK: - Reactions

  /// What the person did, in the order in which it was decided, after all other events.
  private static func add(
    _ reactions: [Reaction], to tree: inout JSONNode, _ origins: inout [String: String],
    of run: ExpandedRun, in context: ReadingContext
  ) {
    guard !reactions.isEmpty else { return }
    let position = tree["events"]?.position ?? tree.position
    var events = tree["events"]?.items ?? []
    for reaction in reactions {
      let part = OccurrenceName.id(of: reaction.name)
      let place = run.tree["behaviour"]?[part]?.position ?? position
      origins["events[\(events.count)]"] = "behaviour.\(part), \(place)"
      events.append(node(of: reaction, at: position, in: context))
    }
    tree = tree.setting("events", to: JSONNode(.array(events), at: position))
  }

  private static func node(
    of reaction: Reaction, at position: TextPosition, in context: ReadingContext
  ) -> JSONNode {
    let node = JSONNode(
      [
        ("id", .string(reaction.name)),
        ("at", .string(TimeText.text(of: reaction.instant, in: context))),
      ], at: position)
    switch reaction.action {
    case .correction(let minimumUnits):
      let bolus = JSONNode(
        [("take", .string("recommended")), ("minUnits", .written(minimumUnits))], at: position)
      return node.setting("bolus", to: bolus)
    case .rescue(let grams, let absorption, let isEntered):
      let food = JSONNode(
        [("grams", .written(grams)), ("absorption", .string("\(absorption)"))], at: position)
      let meal = node.setting("meal", to: food)
      return isEntered ? meal : meal.setting("entry", to: .bool(false))
    case .none(let sentence): return node.setting("remark", to: .string(sentence))
    }
  }
}
