internal import Outcomes
internal import Quantities
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

  /// The design; `nil` where the scenario has none, or something in it cannot be used.
  func design() -> StudyDesign? {
    guard field.exists, field.node?.members != nil else { return nil }
    let isSampled = plan.sampled != nil
    if isSampled { checkSampled() }
    let control = isSampled ? (variant: 0, point: nil) : control()
    let primary = endPoints(field.required("primary"), .primary)
    let secondary = endPoints(field["secondary"], .secondary)
    let safety = endPoints(field["safety"], .safety)
    checkNames(primary + secondary + safety)
    if let node = field["primary"].node, node.items?.isEmpty == true {
      field["primary"].error("A study needs at least one primary end point with a goal.")
    }
    guard let control, !primary.isEmpty else { return nil }
    let precision = field["precision"]
    var design = StudyDesign(
      controlVariant: control.variant, controlPoint: control.point, primary: primary,
      secondary: secondary, safety: safety, strata: field["strata"].node?.string,
      confidence: field.standard("confidence") { $0.number(in: 80...99.9, unit: "%") },
      multiplicity: field.standard("multiplicity") { $0.choice(Multiplicity.self) },
      isPaired: field.standard("paired") { $0.bool() })
    design.sampled = plan.sampled
    if precision.exists, let width = precision.required("halfWidth").number(in: 1e-9...1e9),
      let pilot = precision.required("pilot").integer(in: 10...100_000)
    {
      design.precision = .init(halfWidth: width, pilot: Int(pilot))
    }
    return design
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
    for key in ["strata", "multiplicity"] where field[key].exists {
      field[key].warning(
        code: "W-NOEFFECT", "\"\(key)\" has no effect: a sampled sweep compares no arms.")
    }
    if let variants = plan.document.tree["variants"] {
      problems.error(
        at: variants.position,
        "A study of a sampled sweep has one arm; give each variant a file of its own.")
    }
  }

  // MARK: - Control

  private func control() -> (variant: Int, point: Int?)? {
    let control = field.required("control")
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

  private func endPoints(_ list: Field, _ role: StudyEndPoint.Role) -> [StudyEndPoint] {
    guard list.exists || role == .primary, let items = list.items() else { return [] }
    if items.count > Self.maximumEndPoints {
      list.error("At most \(Self.maximumEndPoints) end points stand in one list.")
    }
    return items.prefix(Self.maximumEndPoints).compactMap { endPoint($0, role) }
  }

  private func endPoint(_ item: Field, _ role: StudyEndPoint.Role) -> StudyEndPoint? {
    guard item.node?.members != nil else {
      item.reportUnusable(expected: "an end point such as { metric: 'tdd', better: 'lower' }")
      return nil
    }
    guard let metric = metric(item.required("metric")),
      let better = item.required("better").choice(BetterDirection.self)
    else { return nil }
    let goal = goal(of: item)
    if plan.sampled != nil {
      checkSampled(item, goal)
    } else if role == .primary, goal == nil, !problems.hasError(at: item.position) {
      item.error(
        "A primary end point needs a goal: \"superior\", \"noninferior\" or \"equivalent\".")
    }
    if role == .safety, goal != nil {
      item.error("A safety end point is never tested; move it to \"secondary\" to give it a goal.")
    }
    let id = item["id"].node?.string ?? Self.slug(metric, daily: item["daily"].exists)
    if !RunName.isSlug(id) {
      item["id"].error(
        "\"id\" consists of lower-case letters, digits and hyphens, and begins with none.")
    }
    return StudyEndPoint(
      id: id, metric: metric, role: role, better: better, goal: goal,
      daily: daily(item["daily"], metric), rate: rate(item["per"], metric),
      harm: harm(item["harm"]), position: item.position)
  }

  private func checkSampled(_ item: Field, _ goal: Goal?) {
    if let goal {
      item[goal.word].error(
        "A sampled sweep compares no arms, so that there is no goal to meet; remove "
          + "\"\(goal.word)\".")
    }
    if item["harm"].exists {
      item["harm"].warning(
        code: "W-NOEFFECT", "\"harm\" has no effect: a sampled sweep compares no arms.")
    }
  }

  private func metric(_ field: Field) -> Metric? {
    guard let text = field.text() else { return nil }
    do throws(MetricProblem) {
      let isMolar = self.field.context.glucoseUnit == .millimolesPerLitre
      let metric = try Metric.parse(text, isMolar: isMolar)
      checkLength(of: metric, field)
      return metric
    } catch {
      var position = field.position
      position.column += error.column
      problems.error(at: position, error.description)
      return nil
    }
  }

  /// Metrics that compare days need two of them.
  private func checkLength(of metric: Metric, _ field: Field) {
    let lag: TimeSpan =
      switch metric.name {
      case .modd: .days(1)
      case .conga: .hours(Int64(metric.arguments.first ?? 1))
      default: .zero
      }
    let length = self.field.context.end - self.field.context.start
    if lag > .zero, length <= max(lag, .hours(24)) {
      field.error(
        "\(metric) compares one day with another, and the run lasts \(length). Make clock.duration "
          + "at least '2d', or take another metric.")
    }
  }

  private func goal(of item: Field) -> Goal? {
    let keys = ["superior", "noninferior", "equivalent"].filter { item[$0].exists }
    guard let key = keys.first else { return nil }
    guard keys.count == 1 else {
      item[keys[1]].error("An end point has one goal; remove \"\(keys[1])\" or \"\(key)\".")
      return nil
    }
    let field = item[key]
    if key == "superior", field.node?.bool == true { return .superior(by: 0) }
    guard let margin = field.node?.double, margin >= 0, margin <= 1e9,
      key == "superior" || margin > 0
    else {
      field.reportUnusable(
        expected: key == "superior"
          ? "true, or the least benefit as a number of at least 0"
          : "a margin above 0, in the metric's unit")
      return nil
    }
    switch key {
    case "superior": return .superior(by: margin)
    case "noninferior": return .noninferior(margin: margin)
    default: return .equivalent(margin: margin)
    }
  }

  private func daily(_ field: Field, _ metric: Metric) -> DailyWindow? {
    guard field.exists else { return nil }
    guard metric.name.isShareOrMean else {
      field.error(
        "\"daily\" is for shares of time, means and risk indices of glucose; \(metric) is none.")
      return nil
    }
    guard field.node?.items?.count == 2, let start = field[0].timeOfDay(),
      let end = field[1].timeOfDay(), start != end
    else {
      field.reportUnusable(expected: "two times of day such as ['00:00', '06:00']")
      return nil
    }
    return DailyWindow(from: start, to: end)
  }

  private func rate(_ field: Field, _ metric: Metric) -> StudyEndPoint.Rate? {
    guard field.exists else { return nil }
    guard metric.name.isCountOfEvents else {
      field.error("\"per\" makes a rate of a count of events; \(metric) is none.")
      return nil
    }
    guard let text = field.text() else { return nil }
    let years: [String: Double] = [
      "day": 1, "week": 7, "year": 365.25, "100 years": 36_525,
    ]
    if let days = years[text] { return .init(name: text, days: days) }
    guard let span = field.duration(in: .hours(1)...(.days(36_525))) else { return nil }
    return .init(name: text, days: span.hours / 24)
  }

  private func harm(_ field: Field) -> StudyEndPoint.Harm? {
    guard field.exists else { return nil }
    let keys = ["above", "below", "more"].filter { field[$0].exists }
    guard keys.count == 1, let value = field[keys[0]].number(in: -1e9...1e9) else {
      if keys.count != 1 {
        field.reportUnusable(expected: "{ above: x }, { below: x } or { more: n }")
      }
      return nil
    }
    switch keys[0] {
    case "above": return .above(value)
    case "below": return .below(value)
    default: return .more(value)
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

  /// A name made from a metric: `below-54-true`, `tir-70-180-cgm`, `tdd`.
  static func slug(_ metric: Metric, daily: Bool) -> String {
    var text = ""
    for character in metric.description.lowercased() {
      if character.isLetter && character.isASCII || character.isNumber {
        text.append(character)
      } else if text.last != "-" {
        text.append("-")
      }
    }
    while text.last == "-" { text.removeLast() }
    return daily ? "\(text)-daily" : text
  }
}
