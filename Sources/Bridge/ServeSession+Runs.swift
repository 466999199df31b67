internal import ClosedLoop
internal import Determinism
internal import Quantities
internal import Reports
internal import ScenarioLanguage
internal import Scenarios
internal import Simulation
internal import StructuredText

/// Beginning runs and living through them.
extension ServeSession {
  /// The most overrides of one request.
  static let maximumOverrides = 4_096
  /// The name under which a scenario's text is read that came without one.
  static let textName = "scenario.json5"

  // MARK: - Reading scenarios

  /// The plan of the scenario that a request names or holds.
  func plan(
    _ field: JSONField, problems: ProblemList
  ) throws(RequestError) -> (plan: RunPlan?, file: String) {
    let (named, held) = (field["scenario"], field["text"])
    guard named.exists != held.exists else {
      throw RequestError("Give \"scenario\", a path, or \"text\", what the file would say.")
    }
    guard let words = named.exists ? named.text() : held.text() else { throw RequestError(field) }
    let path = named.exists ? words : Self.textName
    let source: any ScenarioFiles =
      named.exists ? files : RequestFiles(base: files, path: path, text: words)
    var reader = ScenarioReader(files: source)
    return (ScenarioCheck.plan(path, reader: &reader, problems: problems), path)
  }

  func check(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "scenario", "text"])
    try RequestError.check(field)
    let problems = ProblemList()
    let plan = try plan(field, problems: problems).plan
    let count = min(plan?.count ?? 0, ScenarioCheck.maximumRuns)
    var ids: [JSONValue] = []
    for place in 0..<count {
      guard let run = plan?.run(at: place) else { break }
      ids.append(.string(run.id))
      if !problems.hasErrors { _ = RunBuilder.build(run, problems: problems) }
    }
    return [
      .init("type", "problems"), .init("problems", .array(problems.sorted.map(RequestError.value))),
      .init("runs", .array(ids)),
    ]
  }

  // MARK: - Reset

  mutating func reset(_ field: JSONField) throws(RequestError) -> [[JSONValue.Member]] {
    field.allowOnly([
      "type", "id", "scenario", "text", "of", "overrides", "seed", "answers", "seat", "privileged",
      "history",
    ])
    let (seat, answersBody, answersBolus) = seat(of: field)
    let seed = try seed(of: field)
    let isPrivileged = field["privileged"].exists ? field["privileged"].bool() ?? false : false
    let history =
      field["history"].exists ? field["history"].choice(QuestionHistory.self) : .changes
    try RequestError.check(field)
    let problems = ProblemList()
    let (source, file) = try wanted(field, problems: problems)
    guard !problems.hasErrors, let built = RunBuilder.build(source, seed: seed, problems: problems)
    else { throw RequestError(problems.sorted) }
    var setup = built.setup
    if seat == .loop, setup.controller != .loop {
      throw RequestError(
        "The scenario is decided by a program; answer its questions with "
          + "\"answers\":[\"decision\"].", path: "answers")
    }
    guard setup.isBodyAsked == answersBody else {
      throw RequestError(
        answersBody
          ? "The body of this scenario is one of loopsim's; write patient: { model: 'external' }."
          : "The body of this scenario is a program; answer for it with \"answers\":[\"body\"].",
        path: "answers")
    }
    guard setup.hasApp || seat == .loop else {
      throw RequestError(
        "The scenario has no app (app: 'none'), whose place a client could take.", path: "answers")
    }
    setup.controller = seat
    setup.controllerRules.isPrivileged = isPrivileged
    if seat != .loop {
      if setup.controllerRules.manualBolus == .program, !answersBolus {
        throw RequestError(
          "The scenario has its boluses recommended by the program; answer for them with "
            + "\"answers\":[\"decision\",\"bolus\"].", path: "answers")
      }
      if answersBolus, setup.controllerRules.manualBolus == nil {
        setup.controllerRules.manualBolus = .program
      }
    }
    let run = Run(setup)
    let header = Transcript.Header(
      run: source.id, scenario: built.scenarioDigest, seed: setup.seed, version: version,
      program: "client", seat: seat, isPrivileged: isPrivileged,
      manualBolus: seat == .loop ? nil : setup.controllerRules.manualBolus)
    var served = ServedRun(
      run: run, built: built, source: source, file: file,
      writer: QuestionWriter(history: history ?? .changes), observation: RunObservation(run),
      transcript: seat == .loop ? nil : Transcript(header))
    if answersBody {
      var header = header
      (header.role, header.isPrivileged, header.manualBolus) = (.body, false, nil)
      served.lived = Transcript(header)
    }
    let (id, open) = try keep(served)
    let begin = BeginMessage.value(
      setup, parameters: built.controller?.parameters ?? [:], scenario: source.id,
      opening: [.init("run", .string(id))])
    guard case .object(var members) = begin else { return [] }
    if let body = built.body {
      members.append(.init("body", BeginMessage.body(setup, body)))
    }
    let warnings = problems.sorted
    if !warnings.isEmpty {
      members.append(.init("problems", .array(warnings.map(RequestError.value))))
    }
    return seat == .loop && !answersBody ? [members] : [members, goOn(id, open)]
  }

  /// The run that a request names, with its overrides.
  func wanted(
    _ field: JSONField, problems: ProblemList
  ) throws(RequestError) -> (source: ExpandedRun, file: String) {
    let (plan, file) = try plan(field, problems: problems)
    guard let plan, !problems.hasErrors else { throw RequestError(problems.sorted) }
    var source = try chosen(field, of: plan)
    let overrides = try overrides(field["overrides"])
    if !overrides.isEmpty {
      do throws(ScenarioPath.Trouble) {
        source = try source.setting(overrides)
      } catch {
        throw RequestError("\(error)", path: "overrides")
      }
      ScenarioCheck.check(source, of: plan.document, problems: problems)
    }
    return (source, file)
  }

  /// The seat that a request takes, whether it answers for the body, and for boluses to people.
  private func seat(
    of field: JSONField
  ) -> (ControllerSeat, answersBody: Bool, answersBolus: Bool) {
    var answers = ["decision"]
    if field["answers"].exists, let items = field["answers"].items() {
      answers = items.compactMap { $0.choice(of: ["decision", "bolus", "body"]) }
    }
    let (answersBody, answersBolus) = (answers.contains("body"), answers.contains("bolus"))
    guard answers.contains("decision") else {
      if answersBolus {
        field["answers"].error("Who answers \"bolus\" answers \"decision\" too.")
      }
      return (.loop, answersBody, false)
    }
    guard field["seat"].exists else { return (.controller, answersBody, answersBolus) }
    let word = field["seat"].choice(of: ["controller", "algorithm"])
    return (word == "algorithm" ? .algorithm : .controller, answersBody, answersBolus)
  }

  /// The seed, a number or, as JavaScript loses digits of large ones, text.
  private func seed(of field: JSONField) throws(RequestError) -> UInt64? {
    guard field["seed"].exists else { return nil }
    if let text = field["seed"].node?.string, let seed = UInt64(text) { return seed }
    if let seed = field["seed"].node?.integer, seed >= 0 { return UInt64(seed) }
    throw RequestError("\"seed\" must be a whole number from 0, or its digits.", path: "seed")
  }

  func chosen(_ field: JSONField, of plan: RunPlan) throws(RequestError) -> ExpandedRun {
    guard field["of"].exists else {
      guard plan.count == 1 else {
        throw RequestError(
          "The scenario has \(plan.count) runs. Say which with \"of\"; \"check\" lists them.",
          path: "of")
      }
      return plan.run(at: 0)
    }
    guard let wanted = field["of"].text() else { throw RequestError(field) }
    for place in 0..<plan.count {
      let run = plan.run(at: place)
      if run.id == wanted { return run }
    }
    throw RequestError("The scenario has no run \"\(wanted)\".", path: "of")
  }

  func overrides(
    _ field: JSONField
  ) throws(RequestError) -> [(path: ScenarioPath, value: JSONNode)] {
    guard field.exists else { return [] }
    guard let members = field.node?.members else {
      throw RequestError("\"overrides\" must be an object of paths and values.", path: "overrides")
    }
    guard members.count <= Self.maximumOverrides else {
      throw RequestError(
        "\(members.count) overrides; at most \(Self.maximumOverrides) are taken.",
        path: "overrides")
    }
    var found: [(path: ScenarioPath, value: JSONNode)] = []
    for member in members {
      do throws(ScenarioPath.Trouble) {
        found.append((try ScenarioPath(member.key), member.value))
      } catch {
        throw RequestError("\(error)", path: "overrides")
      }
    }
    return found
  }

  // MARK: - Going on

  /// Lives on to the next question or to the end, and says which.
  private func goOn(_ id: String, _ open: OpenRun) -> [JSONValue.Member] {
    let opening: [JSONValue.Member] = [.init("run", .string(id))]
    if let question = open.served.goOn(), let content = open.served.content {
      guard
        case .object(let members) = open.served.writer.message(question, content, opening: opening)
      else { return [] }
      return members
    }
    let finished = open.served.finish(version: version)
    let reason = finished.result.lethalEnd == nil ? "over" : "lethal"
    return [.init("type", "end")] + opening + [
      .init("reason", .string(reason)), .init("summary", finished.summary.json),
    ]
  }

  /// Answers the question at which a run stands, which is one to that role.
  func act(
    _ field: JSONField, _ role: ProgramRole
  ) throws(RequestError) -> [JSONValue.Member] {
    let (id, open) = try open(field)
    guard let question = open.served.run.question else {
      throw RequestError("The run stands at no question.", path: "run")
    }
    guard question.role == role else {
      throw RequestError(
        role == .body
          ? "The run asks for a decision; answer with \"act\"."
          : "The run asks its body; answer with \"lived\".", path: "type")
    }
    guard (field["type"].node?.string == "boluses") == question.isForBolus else {
      throw RequestError(
        question.isForBolus
          ? "The run asks for a bolus; answer with \"boluses\"."
          : "The run asks for a decision; answer with \"act\".", path: "type")
    }
    let read =
      role == .body
      ? AnswerReader.lived(field, number: question.number)
      : question.isForBolus
        ? AnswerReader.bolus(field, number: question.number)
        : AnswerReader.answer(
          field, seat: open.served.run.setup.controller, number: question.number)
    guard field.required("n").exists, let answer = read else {
      if !field["n"].exists { _ = field.required("n").integer() }
      throw RequestError(field)
    }
    do throws(AnswerError) {
      try open.served.answer(question, answer)
    } catch {
      throw RequestError("\(error)")
    }
    return goOn(id, open)
  }

  func advance(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "through"])
    let (id, open) = try open(field)
    guard let text = field.required("through").text() else { throw RequestError(field) }
    guard let through = Instant(iso8601: text) else {
      throw RequestError("\"through\" must be a time in ISO 8601.", path: "through")
    }
    guard !open.served.isAsked else {
      throw RequestError(
        "The run stands at a question; answer it with \"act\" or \"lived\".", path: "run")
    }
    guard open.served.finished == nil else { return goOn(id, open) }
    open.served.advance(through: through)
    if through >= open.served.run.lastInstant { return goOn(id, open) }
    return [
      .init("type", "state"), .init("run", .string(id)), .init("at", .time(open.served.run.now)),
      .init("state", open.served.run.lastRow.map(Self.state) ?? .null),
    ]
  }

  private static func state(_ row: TraceRow) -> JSONValue {
    func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
    return [
      "time": .time(row.instant), "glucose_true_mgdL": .number(row.trueGlucose.mgdL),
      "glucose_cgm_mgdL": number(row.reading?.mgdL),
      "scheduled_rate_U_per_h": .number(row.scheduledRate.unitsPerHour),
      "programmed_rate_U_per_h": .number(row.programmedRate.unitsPerHour),
      "basal_delivered_U": .number(row.basalDelivered.units),
      "bolus_delivered_U": .number(row.bolusDelivered.units),
      "carbs_eaten_g": .number(row.carbsEaten.grams),
      "carbs_entered_g": .number(row.carbsEntered.grams),
      "iob_U": number(row.insulinOnBoard), "insulin_in_body_U": number(row.bodyInsulin),
      "cob_g": number(row.carbsOnBoard), "recommendation": .string(row.recommendation),
      "mode": .string(row.mode.rawValue),
    ]
  }
}
