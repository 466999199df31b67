internal import Outcomes
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// Reads the block `study` of a scenario.
struct StudyReader {
  let plan: RunPlan
  let field: Field
  private var problems: ProblemList { field.problems }

  /// The most end points of one list.
  static let maximumEndPoints = 8

  init(_ plan: RunPlan, problems: ProblemList) {
    self.plan = plan
    field = Field(plan.document.tree, problems: problems)["study"]
  }

  /// The block `study`: what the runs of the scenario are to show together.
  static let form = Form<(StudyReader) -> StudyDesign?>.object { keys in
    let control = keys.optional(
      "control", .unread(.either([.text, .map(.anything)])),
      "The arm that everything else is compared with: a variant, or a point of the sweep as "
        + "`{ path: value }`. Required, but beside a sweep that is sampled, which has none.")
    let points = Form<[Field]>.list(.unread(endPoint.shape))
    let primary = keys.required(
      "primary", points,
      "One to eight end points, each with a goal; they are tested in this order. Beside a sweep "
        + "that is sampled they have none.")
    let secondary = keys.optional(
      "secondary", points, else: "[]",
      "End points whose goals are tested after all primary ones.")
    let safety = keys.optional(
      "safety", points, else: "[]",
      "End points that are estimated and listed by patient, and never tested.")
    let strata = keys.optional(
      "strata", .text, "The column of the cohort's table that says a patient's group.")
    let confidence = keys.key(
      "confidence", .number(80...99.9, "%"), default: "95",
      "The confidence of every interval; goals are read off the same interval.")
    let multiplicity = keys.key(
      "multiplicity", .choice(Multiplicity.self), default: "'sequence'",
      "How several goals share the probability of a false claim.")
    let isPaired = keys.key(
      "paired", .bool, default: "true",
      "Whether the arms share meals, noise and all other chance, here and in every command that "
        + "runs one of them.")
    let precision = keys.optional(
      "precision", .object { Self.precision(&$0) },
      "How many patients of the cohort are run, by what a pilot shows.")
    return { field in
      { reader in
        let decisive = (try? field[primary]) ?? []
        let isSampled = reader.isSampled
        if isSampled { reader.checkSampled() }
        let arm = isSampled ? (0, nil) : reader.control(field.required(control.name))
        let (first, second, third) = (
          reader.endPoints(decisive, .primary),
          reader.endPoints(field[secondary] ?? [], .secondary),
          reader.endPoints(field[safety] ?? [], .safety)
        )
        reader.checkNames(first + second + third)
        if field[primary.name].node?.items?.isEmpty == true {
          field[primary.name].error("A study needs at least one primary end point with a goal.")
        }
        // A sampled sweep that cannot be used leaves nothing to be asked.
        guard let arm, !first.isEmpty, isSampled == (reader.plan.sampled != nil) else { return nil }
        reader.warnOfUnits(field[precision], of: first[0].metric, in: field[precision.name])
        return StudyDesign(
          controlVariant: arm.variant, controlPoint: arm.point, primary: first, secondary: second,
          safety: third, strata: field[strata], confidence: field[confidence],
          multiplicity: field[multiplicity], isPaired: field[isPaired],
          precision: field[precision], sampled: reader.plan.sampled)
      }
    }
  }

  private static func precision(_ keys: inout Keys) -> Maker<StudyDesign.Precision> {
    let width = keys.required(
      "halfWidth", .number(1e-9...1e9),
      "The half width that the interval of the first primary end point should have.")
    let pilot = keys.required(
      "pilot", .integer(10...100_000),
      "How many patients are run first to say how many are needed; they are never analysed.")
    return { field throws(UnusableKey) in
      StudyDesign.Precision(halfWidth: try field[width], pilot: try field[pilot])
    }
  }

  /// The design; `nil` where the scenario has none, or something in it cannot be used.
  func design() -> StudyDesign? {
    guard field.exists, field.node?.members != nil else { return nil }
    return Self.form.read(field)?(self)
  }

  /// Whether the sweep is to be sampled, also where it cannot be used as it stands.
  private var isSampled: Bool {
    SampledSweep.Method.key(of: plan.document.tree["sweep"]) != nil
  }

  /// Refuses what has no meaning beside a sampled sweep, whose points all count alike.
  private func checkSampled() {
    for key in ["control", "precision"] where field[key].exists {
      field[key].error("A sampled sweep compares no arms; remove \"\(key)\".")
    }
    if field["paired"].node?.bool == false {
      field["paired"].error(
        "The points of a sampled sweep share their chance, or chance would be taken for a setting; "
          + "remove \"paired\".")
    }
    for key in ["strata", "multiplicity"] {
      field[key].warnOfNoEffect("\"\(key)\" has no effect: a sampled sweep compares no arms.")
    }
    if let variants = plan.document.tree["variants"] {
      problems.error(
        at: variants.position,
        "A study of a sampled sweep has one arm; give each variant a file of its own.")
    }
  }

  // MARK: - Control

  private func control(_ control: Field) -> (variant: Int, point: Int?)? {
    guard let node = control.node else {
      control.reportUnusable(expected: "the name of a variant, or a point of the sweep")
      return nil
    }
    if let name = node.string { return controlVariant(name, control) }
    guard node.members != nil else {
      control.reportUnusable(expected: "the name of a variant, or a point of the sweep")
      return nil
    }
    guard plan.variantNames.count == 1 else {
      control.error(
        "The scenario has variants; they are the arms at each point. Name one as \"control\".")
      return nil
    }
    return controlPoint(control).map { (0, $0) }
  }

  private func controlVariant(_ name: String, _ control: Field) -> (variant: Int, point: Int?)? {
    let names = plan.variantNames.compactMap(\.self)
    guard let variant = names.firstIndex(of: name) else {
      let near = NearestName.suggestion(for: name, among: names)
      control.error(
        names.isEmpty
          ? "The scenario has no variants; name a point of its sweep as \"control\"."
          : "There is no variant \"\(name)\".\(near)")
      return nil
    }
    guard names.count > 1 else {
      control.error("A study compares arms; \"\(name)\" is the only variant. Add another.")
      return nil
    }
    return (variant, nil)
  }

  private func controlPoint(_ control: Field) -> Int? {
    let wanted = control.members() ?? []
    let paths = plan.axes.flatMap { $0.paths.map(\.path.description) }
    guard plan.pointCount > 1 else {
      control.error("A study compares arms; the scenario has neither variants nor a sweep.")
      return nil
    }
    for member in wanted where !paths.contains(member.key) {
      problems.error(
        at: member.keyPosition,
        "The sweep has no path \"\(member.key)\"."
          + NearestName.suggestion(for: member.key, among: paths))
      return nil
    }
    let point = (0..<plan.pointCount).first { point in
      let values = plan.settings(at: point)
      return wanted.allSatisfy { member in
        values.contains {
          $0.path.description == member.key && Self.isSame($0.value, member.field.node)
        }
      }
    }
    let isWhole = paths.allSatisfy { path in wanted.contains { $0.key == path } }
    guard let point, isWhole else {
      control.error(
        isWhole
          ? "The sweep has no point with these values. Take one that it has."
          : "\"control\" must name a value for each path of the sweep: "
            + "\(paths.joined(separator: ", ")).")
      return nil
    }
    return point
  }

  private static func isSame(_ value: JSONNode, _ other: JSONNode?) -> Bool {
    guard let other else { return false }
    if let number = value.double, let wanted = other.double { return number == wanted }
    return JSONValue(value) == JSONValue(other)
  }

  // MARK: - End points

  private func endPoints(_ items: [Field], _ role: StudyEndPoint.Role) -> [StudyEndPoint] {
    if items.count > Self.maximumEndPoints {
      field[role.rawValue].error("At most \(Self.maximumEndPoints) end points stand in one list.")
    }
    return items.prefix(Self.maximumEndPoints).compactMap { item in
      guard item.node?.members != nil else {
        item.reportUnusable(expected: "an end point such as { metric: 'tdd', better: 'lower' }")
        return nil
      }
      return Self.endPoint.read(item)?(self, role)
    }
  }

  private static let endPoint = Form<(StudyReader, StudyEndPoint.Role) -> StudyEndPoint?>.object {
    let metric = $0.required(
      "metric", .text, "A figure as in `expect`, such as `'tir(70,180)@cgm'`.")
    let id = $0.optional(
      "id", .text, else: "made from the metric", "The end point's name in all results.")
    let better = $0.required(
      "better", .choice(BetterDirection.self), "The direction that is good.")
    let goal = Self.goal(&$0)
    let daily = $0.optional(
      "daily", Self.daily, else: "all day",
      "The part of each day that is measured, such as `['00:00', '06:00']`; it may pass midnight.")
    let rate = $0.optional(
      "per", Self.rate, else: "the run",
      "Makes a count a rate over observed time: `'week'`, `'year'`, `'100 years'` or a span.")
    let harm = $0.optional("harm", Self.harm, "When a patient counts as harmed.")
    return { item throws(UnusableKey) in
      let (text, better) = (try item[metric], try item[better])
      return { reader, role in
        guard let metric = reader.metric(text, item[metric.name]) else { return nil }
        let goal = goal(item)
        reader.check(goal, of: item, role)
        reader.warnOfUnits(goal, item[harm], of: metric, in: item)
        reader.warnOfHarm(item[harm], of: metric, where: better, in: item)
        reader.warnOfShares(goal, item[harm], of: metric, in: item)
        let name = item[id] ?? slug(metric, daily: item[daily.name].exists)
        if !RunName.isSlug(name) {
          item[id.name].reportUnusable(expected: RunName.slugWords)
        }
        var point = StudyEndPoint(
          id: name, metric: metric, role: role, better: better, goal: goal, harm: item[harm],
          position: item.position)
        if item[daily.name].exists, !metric.name.isShareOrMean {
          item[daily.name].error(
            "\"daily\" is for shares of time, means and risk indices of glucose; \(metric) is "
              + "none.")
        } else {
          point.daily = item[daily]
        }
        if item[rate.name].exists, !metric.name.isCountOfEvents {
          item[rate.name].error("\"per\" makes a rate of a count of events; \(metric) is none.")
        } else {
          point.rate = item[rate]
        }
        return point
      }
    }
  }

  /// Whether an end point has the goal that its role asks for.
  private func check(_ goal: Goal?, of item: Field, _ role: StudyEndPoint.Role) {
    if isSampled {
      checkSampled(item, goal)
    } else if role == .primary, !Self.goals.contains(where: { item[$0].exists }),
      !problems.hasError(at: item.position)
    {
      let words = Self.goals.map { "\"\($0)\"" }
      item.error(
        "A primary end point needs a goal: \(words.dropLast().joined(separator: ", ")) or "
          + "\(words.last ?? "").")
    }
    if role == .safety, goal != nil {
      item.error("A safety end point is never tested; move it to \"secondary\" to give it a goal.")
    }
  }

  /// The keys that give an end point its goal.
  private static let goals = Goal.Kind.allCases.map(\.rawValue)

  private func checkSampled(_ item: Field, _ goal: Goal?) {
    if let goal {
      item[goal.word].error(
        "A sampled sweep compares no arms, so that there is no goal to meet; remove "
          + "\"\(goal.word)\".")
    }
    item["harm"].warnOfNoEffect("\"harm\" has no effect: a sampled sweep compares no arms.")
  }

  private func metric(_ text: String, _ field: Field) -> Metric? {
    do throws(MetricProblem) {
      let isMolar = self.field.context.glucoseUnit == .millimolesPerLitre
      let metric = try Metric.parse(text, isMolar: isMolar)
      checkLength(of: metric, field)
      for (written, _) in metric.limitsInOtherUnit { field.warnOfLimitInOtherUnit(written) }
      return metric
    } catch {
      var position = field.position
      position.column += error.column
      problems.error(at: position, error.description)
      return nil
    }
  }

  /// Metrics that compare one time with a later one need both.
  private func checkLength(of metric: Metric, _ field: Field) {
    let lag: TimeSpan =
      switch metric.name {
      case .modd: .days(1)
      case .conga: TimeSpan(roundingSeconds: 3_600 * (metric.arguments.first ?? 1)) ?? .zero
      default: .zero
      }
    let length = self.field.context.end - self.field.context.start
    guard lag > .zero, length <= lag else { return }
    field.error(
      lag == .days(1)
        ? "\(metric) compares one day with another, and the run lasts \(length). Make "
          + "clock.duration at least '2d', or take another metric."
        : "\(metric) compares glucose with that of \(lag) before, and the run lasts \(length). "
          + "Make clock.duration longer, or take another metric.")
  }

  /// Describes the goals, and returns how the one of an end point is read.
  private static func goal(_ keys: inout Keys) -> @Sendable (Field) -> Goal? {
    let margin = Form.number(0...1e9)
    let superior = keys.optional(
      Goal.Kind.superior.rawValue, .either(Form.only(true).map { _, _ in 0 }, margin),
      "The goal to be better by more than an amount; `true` is by more than nothing.")
    let noninferior = keys.optional(
      Goal.Kind.noninferior.rawValue, margin, "The goal not to be worse by a margin.")
    let equivalent = keys.optional(
      Goal.Kind.equivalent.rawValue, margin, "The goal to be neither better nor worse by a margin.")
    return { item in
      guard item.refuseSecond(of: goals, "An end point has one goal").count < 2 else { return nil }
      let goal =
        item[superior].map { Goal.superior(by: $0) }
        ?? item[noninferior].map { Goal.noninferior(margin: $0) }
        ?? item[equivalent].map { Goal.equivalent(margin: $0) }
      guard let goal, goal.margin == 0, goal.kind != .superior else { return goal }
      item[goal.word].reportUnusable(expected: "a margin above 0, in the metric's unit")
      return nil
    }
  }

  private static let daily = Form<DailyWindow>.pair(
    of: .timeOfDay, "a list of two times of day, such as ['00:00', '06:00']"
  ) { field in
    guard let start = field[0].timeOfDay(), let end = field[1].timeOfDay() else { return nil }
    guard start != end else {
      field.error(
        "The part of a day from \(start.hoursAndMinutes) to \(end.hoursAndMinutes) is empty. Leave "
          + "out \"daily\" for all day.")
      return nil
    }
    return DailyWindow(from: start, to: end)
  }

  private static let rate = Form<StudyEndPoint.Rate>(.text) { field in
    guard let text = field.text() else { return nil }
    let units: [String: Double] = ["day": 1, "week": 7, "year": 365.25, "100 years": 36_525]
    if let days = units[text] { return .init(name: text, days: days) }
    return field.duration(in: .hours(1)...(.days(36_525))).map {
      .init(name: text, days: $0.hours / 24)
    }
  }

  private static let harm = Form<StudyEndPoint.Harm>.object {
    let above = $0.optional("above", .anyNumber, "A patient with more is harmed.")
    let below = $0.optional("below", .anyNumber, "A patient with less is harmed.")
    let more = $0.optional(
      "more", .anyNumber,
      "A patient with so many more than under control is harmed; in a run, whatever `per` says. "
        + "Of events, a run that dies early counts with what it has more alone.")
    return { field in
      let count = [above.name, below.name, more.name].count { field[$0].exists }
      if count != 1 { field.reportUnusable(expected: "{ above: x }, { below: x } or { more: n }") }
      return field[above].map { .above($0) } ?? field[below].map { .below($0) }
        ?? field[more].map { .more($0) }
    }
  }

  private func checkNames(_ points: [StudyEndPoint]) {
    var seen: Set<String> = []
    for point in points where !seen.insert(point.id).inserted {
      problems.error(
        at: point.position,
        "The end point \"\(point.id)\" is there twice. Give this one an \"id\" of its own.")
    }
  }
}
