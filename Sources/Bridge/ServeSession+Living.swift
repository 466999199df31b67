internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText

/// Beginning runs and living through them.
extension ServeSession {
  mutating func reset(_ field: JSONField) throws(RequestError) -> [[JSONValue.Member]] {
    let beginning = try RunReset(scenarios: scenarios, version: version).beginning(field)
    let (id, open) = try runs.keep(beginning.served)
    guard let message = beginning.message(id: id) else { return [] }
    return beginning.served.isAsked ? [message, goOn(id, open)] : [message]
  }

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
    let (id, open) = try runs.open(field)
    guard let question = open.served.run.question else {
      throw RequestError(
        open.served.finished == nil
          ? "In this run Loop decides; live on with \"advance\"."
          : "The run is over, and asks no more.", path: "run")
    }
    let isBolus = field["type"].node?.string == "boluses"
    guard question.role == role, isBolus == question.isForBolus else {
      throw RequestError(Self.asking(question), path: "type")
    }
    let read =
      role == .body
      ? AnswerReader.lived(field, number: question.number)
      : question.isForBolus
        ? AnswerReader.bolus(field, number: question.number)
        : AnswerReader.answer(
          field, seat: open.served.run.setup.controller, number: question.number)
    // A client says which question it answers, where a program need not.
    let isNumbered = field["n"].node?.integer != nil
    guard isNumbered, let answer = read else {
      if field["n"].node?.isNull ?? true { _ = field.required("n").integer() }
      throw RequestError(field)
    }
    do throws(AnswerError) {
      try open.served.answer(question, answer)
    } catch {
      throw RequestError("\(error)")
    }
    return goOn(id, open)
  }

  /// What a run asks that stands at a question, and the message that answers it.
  private static func asking(_ question: Question) -> String {
    if question.role == .body { return "The run asks its body; answer with \"lived\"." }
    return question.isForBolus
      ? "The run asks for a bolus; answer with \"boluses\"."
      : "The run asks for a decision; answer with \"act\"."
  }

  func advance(_ field: JSONField) throws(RequestError) -> [JSONValue.Member] {
    field.allowOnly(["type", "id", "run", "through"])
    let (id, open) = try runs.open(field)
    guard let text = field.required("through").text() else { throw RequestError(field) }
    guard let through = Instant(iso8601: text) else {
      throw RequestError(
        "\"through\" must be a time with its offset, such as 2026-01-15T08:00:00Z.",
        path: "through")
    }
    guard open.served.finished == nil else { return goOn(id, open) }
    if let question = open.served.run.question {
      throw RequestError(Self.asking(question), path: "run")
    }
    open.served.advance(through: through)
    if through >= open.served.run.lastInstant { return goOn(id, open) }
    return [
      .init("type", "state"), .init("run", .string(id)),
      .init("at", .time(open.served.reached ?? open.served.run.now)),
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
