internal import ClosedLoop
internal import Determinism
internal import Expectations
internal import Reports
internal import RunPlans
internal import ScenarioLanguage
internal import Scenarios
internal import Simulation
internal import StructuredText

/// Makes the runs that a client begins.
struct RunReset: Sendable {
  let scenarios: ScenarioRequests
  /// The version of loopsim.
  let version: String

  /// A run that can begin.
  struct Beginning {
    var served: ServedRun
    var problems: [TextProblem]

    /// What a client is told of it.
    func message(id: String) -> [JSONValue.Member]? {
      let setup = served.run.setup
      let begin = BeginMessage.value(
        setup, parameters: served.built.controller?.parameters ?? [:], scenario: served.source.id,
        opening: [.init("run", .string(id))])
      guard case .object(var members) = begin else { return nil }
      if let body = served.built.body {
        members.append(.init("body", BeginMessage.body(setup, body)))
      }
      return members + RequestError.members(of: problems)
    }
  }

  /// The run that a request asks for.
  func beginning(_ field: JSONField) throws(RequestError) -> Beginning {
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
    var (source, siblings) = try scenarios.wanted(field, problems: problems)
    siblings.seed = seed
    guard !problems.hasErrors, let built = RunBuilder.build(source, seed: seed, problems: problems)
    else { throw RequestError(problems.sorted) }
    for expectation in built.expectations where expectation.joinsRuns && !expectation.isReference {
      problems.warning(
        at: expectation.position,
        "The expectation \"\(expectation.id)\" looks at several runs of the scenario, and is not "
          + "judged of one alone; \"judge\" judges it of all.")
    }
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
      run: run, built: built, source: source, seed: seed ?? source.seed,
      siblings: siblings, files: scenarios.files,
      writer: QuestionWriter(history: history ?? .changes),
      observation: RunObservation(run, keepsValuesBetween: false),
      transcript: seat == .loop ? nil : Transcript(header))
    if answersBody {
      var header = header
      (header.role, header.isPrivileged, header.manualBolus) = (.body, false, nil)
      served.lived = Transcript(header)
    }
    return Beginning(served: served, problems: problems.sorted)
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
    let seat = field["seat"].exists ? field["seat"].choice(of: ["controller", "algorithm"]) : nil
    guard answers.contains("decision") else {
      if seat != nil {
        field["seat"].error("Who takes a \"seat\" answers \"decision\"; here Loop decides.")
      }
      if answersBolus {
        field["answers"].error("Who answers \"bolus\" answers \"decision\" too.")
      }
      return (.loop, answersBody, false)
    }
    return (seat == "algorithm" ? .algorithm : .controller, answersBody, answersBolus)
  }

  /// The seed, a number or, as JavaScript loses digits of large ones, text.
  private func seed(of field: JSONField) throws(RequestError) -> UInt64? {
    guard field["seed"].exists else { return nil }
    if let text = field["seed"].node?.string, let seed = UInt64(digits: text) { return seed }
    if let seed = field["seed"].node?.integer, seed >= 0 { return UInt64(seed) }
    throw RequestError(
      "\"seed\" must be a whole number from 0 to \(UInt64.max), or its digits.", path: "seed")
  }
}
