internal import Outcomes
internal import ScenarioLanguage
internal import StructuredText

/// Rules that join the block `study` with the rest of a scenario.
struct StudyRules {
  let plan: RunPlan
  let design: StudyDesign
  /// The keys of events by which people give insulin or change what is given.
  let insulinEvents: [String]
  let problems: ProblemList

  /// Fewer patients than this make a table that hardly stands for others.
  static let fewPatients = 30
  /// What belongs to the study as a whole; an arm that changed it would be paired with nothing.
  private static let shared = [
    "clock", "random", "cohort", "glucoseUnit", "output", "study",
  ]
  /// What is no treatment.
  private static let surroundings = ["patient", "behaviour", "cgm", "events", "faults"]

  private var tree: JSONNode { plan.document.tree }
  private var field: Field { Field(tree, problems: problems)["study"] }

  func check() {
    checkArms()
    checkPatients()
    checkPrecision()
    checkChance()
    checkGroups()
    checkEndPoints()
    checkApps()
    checkBudget()
  }

  /// A study has no clock: its shards are carried out at any time, and on any machine.
  private func checkBudget() {
    guard let limit = tree["budget"]?["maxSeconds"], !limit.isNull else { return }
    problems.warning(
      at: limit.position, code: "W-BUDGET",
      "\"budget.maxSeconds\" has no effect on a study; only loopsim run keeps to it.")
  }

  /// What only an app has is no end point where an arm has none.
  private func checkApps() {
    for variant in 0..<plan.variantNames.count
    where trees(ofVariant: variant).contains(where: { !Field($0, problems: problems).hasApp }) {
      let arm = plan.variantNames[variant].map { "the arm \"\($0)\"" } ?? "an arm"
      for point in design.endPoints {
        guard let need = point.metric.name.needOfApp else { continue }
        problems.error(
          at: point.position, "\(need) needs an app, and \(arm) has none (app: '\(Field.noApp)').")
      }
      return
    }
  }

  // MARK: - Arms

  /// The most points of a sweep that are looked at.
  private static let mostPoints = 100

  /// The scenarios of a variant at each point, of the first patient.
  private func trees(ofVariant variant: Int) -> some Sequence<JSONNode> {
    (0..<min(plan.pointCount, Self.mostPoints)).lazy.map {
      plan.run(variant: variant, point: $0, patient: 0, replicate: 0).tree
    }
  }

  private struct Change {
    let path: String
    let position: TextPosition
    /// Whether the sweep makes the change: then the scenario asks for the effect of just that.
    var isSwept = false
  }

  /// What the variants and the sweep set.
  private var changes: [Change] {
    var changes: [Change] = []
    for variant in tree["variants"]?.statedMembers ?? [] {
      changes += (variant.value.members ?? []).map {
        Change(path: $0.key, position: $0.keyPosition)
      }
    }
    for axis in plan.axes {
      changes += axis.paths.map {
        Change(path: $0.path.description, position: $0.position, isSwept: true)
      }
    }
    return changes
  }

  private func checkArms() {
    for change in changes {
      let key = Self.first(change.path)
      guard Self.shared.contains(key) else { continue }
      problems.error(
        at: change.position,
        "An arm must not change \"\(key)\": nothing would be compared with its like. Set it for "
          + "all arms.")
    }
    let others = changes.filter {
      Self.surroundings.contains(Self.first($0.path)) && ($0.isSwept || isOfSomeArms($0))
        && !isTreatmentAlone($0)
    }
    warnOfSurroundings(others.filter { !$0.isSwept })
    if design.sampled == nil, let first = others.first(where: \.isSwept) {
      problems.note(
        at: first.position,
        "The points of the sweep differ in more than treatment: "
          + "\(Self.names(others.filter(\.isSwept))).")
    }
    warnOfEqualArms()
  }

  /// Warns of arms that are the same, all of them or some.
  private func warnOfEqualArms() {
    let arms = (0..<plan.variantNames.count).map(scenarios(ofVariant:))
    let all = arms.flatMap(\.self)
    if all.allSatisfy({ $0 == all[0] }) {
      field["control"].warning(
        code: "W-NULL", "All arms are the same; this study can only show chance.")
      return
    }
    let variants = Field(tree, problems: problems)["variants"]
    for later in arms.indices {
      guard let first = arms[..<later].firstIndex(of: arms[later]),
        let (name, former) = plan.variantNames[later].flatMap({ name in
          plan.variantNames[first].map { (name, $0) }
        })
      else { continue }
      variants[name].warning(
        code: "W-NULL",
        "The arms \"\(former)\" and \"\(name)\" are the same; between them is nothing but chance.")
    }
  }

  /// What names a scenario and changes nothing of its runs.
  private static let names = ["title", "note", "tags", "references"]

  /// The scenarios of a variant at each point, without what only names them.
  private func scenarios(ofVariant variant: Int) -> [JSONValue] {
    trees(ofVariant: variant).map { tree in
      guard let members = tree.members else { return JSONValue(tree) }
      return .object(
        members.filter {
          !Self.names.contains($0.key) && !JSONField.isCarried($0.key) && !Self.isEmpty($0.value)
        }.map { .init($0.key, JSONValue($0.value)) })
    }
  }

  /// Whether a whole block or list has nothing in it, which is as if it were not there.
  private static func isEmpty(_ node: JSONNode) -> Bool {
    node.members?.isEmpty ?? node.items?.isEmpty ?? false
  }

  /// Whether what a variant changes is in some arms other than in the rest.
  private func isOfSomeArms(_ change: Change) -> Bool {
    let key = Self.first(change.path)
    let values = (0..<plan.variantNames.count).map { variant -> JSONValue? in
      let node = plan.run(variant: variant, point: 0, patient: 0, replicate: 0).tree[key]
      guard let node, !Self.isEmpty(node) else { return Optional.none }
      return JSONValue(node)
    }
    return values.contains { $0 != values[0] }
  }

  /// Whether a variant changes the events, and in them only what people give themselves of insulin.
  private func isTreatmentAlone(_ change: Change) -> Bool {
    guard change.path == "events", !change.isSwept else { return false }
    let lists = (0..<plan.variantNames.count).map { variant in
      let events = plan.run(variant: variant, point: 0, patient: 0, replicate: 0).tree["events"]
      return (events?.items ?? []).filter { event in !insulinEvents.contains { event[$0] != nil } }
        .map { JSONValue($0) }
    }
    return lists.allSatisfy { $0 == lists[0] }
  }

  private func warnOfSurroundings(_ changes: [Change]) {
    guard let first = changes.first else { return }
    problems.warning(
      at: first.position, code: "W-ARMS",
      "The arms differ in more than treatment: \(Self.names(changes)).")
  }

  /// The paths of changes, each once.
  private static func names(_ changes: [Change]) -> String {
    var names: [String] = []
    for change in changes where !names.contains(change.path) { names.append(change.path) }
    return names.joined(separator: ", ")
  }

  private static func first(_ path: String) -> String {
    String(path.prefix { $0 != "." && $0 != "[" })
  }

  // MARK: - Patients

  private var patients: Int { plan.cohort?.members.count ?? 1 }

  private func checkPatients() {
    if tree["random"]?["patients"]?.string == "same" {
      Field(tree, problems: problems)["random"]["patients"].error(
        "Patients of a study live days of their own; remove random.patients: 'same'.")
    }
    // Of a table that cannot be read nothing follows about the patients.
    if tree["cohort"] != nil, plan.cohort == nil { return }
    // Beside a sampled sweep goals are refused, whoever takes part.
    let hasGoal = design.sampled == nil && design.endPoints.contains { $0.goal != nil }
    let isForPrecision = design.precision != nil
    if !isForPrecision, hasGoal, patients < Goal.fewestPatients {
      field.error(
        "A goal needs at least \(WordList.counted(Goal.fewestPatients, "patient")); this study has "
          + "\(patients). Add a cohort, or enlarge it.")
    } else if !isForPrecision, patients < Self.fewPatients, design.sampled == nil,
      tree["cohort"]?["from"] != nil
    {
      field.note(
        "The study has \(WordList.counted(patients, "patient")): its intervals treat them as drawn "
          + "from a population that they hardly show.")
    }
    if design.strata != nil, plan.cohort?.members.contains(where: { $0.group != nil }) != true {
      let isTable = plan.document.tree["cohort"]?["generate"] == nil
      field["strata"].error(
        isTable
          ? "The cohort's table has no column \"\(design.strata ?? "")\" with a group for each "
            + "patient."
          : "Groups are a column of a table, and bodies that a model generates have none.")
    }
  }

  /// Groups within which nothing can be drawn, or that are none.
  private func checkGroups() {
    guard design.sampled == nil,
      // Those of a pilot are never analysed.
      let members = plan.cohort?.members.dropFirst(design.precision?.pilot ?? 0), members.count > 1
    else { return }
    let counts = members.reduce(into: [:]) { $0[$1.group ?? "", default: 0] += 1 }
    // A column that is not there is refused.
    guard let column = design.strata, members.contains(where: { $0.group != nil }) else { return }
    if counts.count == 1 {
      field["strata"].warnOfNoEffect(
        "\"strata\" has no effect: the column \"\(column)\" puts all \(members.count) patients "
          + "into one group.")
    } else if let single = counts.filter({ $0.value == 1 }).map(\.key).min() {
      let isEach = counts.count == members.count
      let groups =
        isEach
        ? "each of the \(members.count) patients is a group of its own"
        : "the group \"\(single)\" has a single patient"
      field["strata"].warning(
        code: "W-NOEFFECT",
        "\"strata\" has no effect on intervals: \(groups), within which nobody varies. Take a "
          + "column with two patients or more in each group.")
    }
  }

  // MARK: - End points

  private func checkEndPoints() {
    let points = design.endPoints
    for (place, later) in points.enumerated() {
      guard let first = points[..<place].first(where: { $0.asks(thatOf: later) }) else { continue }
      problems.warning(
        at: later.position, code: "W-NULL",
        "The end point \"\(later.id)\" asks what \"\(first.id)\" asks, and its answer is the same. "
          + "Remove one of them.")
    }
    let goals = design.secondary.count { $0.goal != nil }
    if design.sampled == nil, design.multiplicity == .holm, goals < 2 {
      field["multiplicity"].warnOfNoEffect(
        "\"multiplicity: 'holm'\" has nothing to share out: Holm's method is for two goals or more "
          + "in \"secondary\", and there is \(goals == 0 ? "none" : "one").")
    }
  }

  // MARK: - Precision and chance

  private func checkPrecision() {
    guard let precision = design.precision else { return }
    let needed = precision.pilot + Self.fewPatients
    if patients < needed {
      field["precision"].error(
        "A pilot of \(precision.pilot) patients and at least \(Self.fewPatients) after it need "
          + "\(needed); the cohort has \(patients).")
    }
  }

  private func checkChance() {
    let trees = (0..<plan.variantNames.count).lazy.flatMap(trees(ofVariant:))
    if trees.allSatisfy({ $0["patient"]?["floor"] == nil }) {
      field.note("The patients have no \"floor\": nobody can die in this study.")
    }
    if plan.replicates == 1, !trees.contains(where: Self.hasChance) {
      field.note(
        "Nothing in this scenario is left to chance: differences are exact, and intervals speak "
          + "of the patients alone.")
    }
  }

  /// Whether something in a run is drawn by chance: what a sensor shows, the body, people's acts or
  /// what happens.
  private static func hasChance(_ tree: JSONNode) -> Bool {
    let isNoisy = !["ideal", nil].contains(tree["cgm"]?["model"]?.string)
    return isNoisy || tree["patient"]?["variability"] != nil || tree["behaviour"] != nil
      || isDrawn(tree)
  }

  /// What of a scenario is no part of what happens.
  private static let expectations = "expect"
  /// The keys of what chance draws, wherever they stand.
  private static let drawnKeys = [
    "probability", "jitter", "loopJitter", "noise", "uniform", "normal", "lognormal",
  ]

  /// Whether something in a node is drawn by chance when its run is made.
  private static func isDrawn(_ node: JSONNode, ofFaults: Bool = false) -> Bool {
    if let items = node.items { return items.contains { isDrawn($0, ofFaults: ofFaults) } }
    return (node.members ?? []).contains { member in
      let key = member.key
      if JSONField.isCarried(key) || key == expectations { return false }
      if key == "probability", member.value.double == 1 { return false }
      if drawnKeys.contains(key) { return true }
      // Faults come at random that come every so often, and last as long as is drawn between two.
      if ofFaults, key == "every" || key == "duration" && member.value.items != nil { return true }
      return isDrawn(member.value, ofFaults: ofFaults || key == "faults")
    }
  }
}

extension StudyEndPoint {
  /// Whether another end point is the same but for its name and its place.
  fileprivate func asks(thatOf other: StudyEndPoint) -> Bool {
    metric == other.metric && better == other.better && goal == other.goal && harm == other.harm
      && daily == other.daily && rate?.days == other.rate?.days
  }
}
