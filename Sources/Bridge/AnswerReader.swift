internal import ClosedLoop
internal import Dosing
internal import Interchange
internal import Physiology
internal import Quantities
public import Simulation
public import StructuredText

/// Reads the answers of programs.
public enum AnswerReader {
  /// The longest words of a program for the timeline, in bytes.
  static let longestNote = 500
  /// The most values of a prediction.
  static let longestPrediction = 1_000
  /// The values of a prediction, in mg/dL: a line that is drawn on from a trend goes below 0, and
  /// so does Loop's own.
  static let predicted = -1e6...1e6
  /// What may be said of carbohydrates on board, in grams.
  static let carbsOnBoard = 0.0...10_000.0

  private static let common = ["type", "id", "run", "n"]
  private static let commandKeys = [
    "tempBasal", "bolus", "cancelBolus", "suspend", "resume", "cob", "prediction", "note",
  ]

  /// Reads the answer of a message; what is wrong is reported to the field's problems.
  ///
  /// - Parameters:
  ///   - field: The message.
  ///   - seat: The seat of the program.
  ///   - number: The number of the question; `nil` where the message need not have it.
  /// - Returns: The answer; `nil` where something was wrong.
  public static func answer(
    _ field: JSONField, seat: ControllerSeat, number: Int?
  ) -> Answer? {
    read(field, number: number) {
      seat == .algorithm
        ? recommendation(field).map { .recommendation($0) } : .commands(commands(field))
    }
  }

  /// Reads what a program recommends to a person as a bolus; what is wrong is reported to the
  /// field's problems.
  ///
  /// It says `units`, or, as LoopAlgorithm's runner does, a `recommendation` or an `error`.
  ///
  /// - Parameters:
  ///   - field: The message.
  ///   - number: The number of the question; `nil` where the message need not have it.
  /// - Returns: The answer; `nil` where something was wrong.
  public static func bolus(_ field: JSONField, number: Int?) -> Answer? {
    read(field, number: number) {
      field.allowOnly(common + runnerKeys + ["units"])
      refuseSeveral(["units", "recommendation", "error"], of: field)
      refuseSeveral(["manual", "automatic"], of: field["recommendation"])
      if field["error"].exists { return error(field["error"]).map { .bolus(.failure($0)) } }
      let said = field["recommendation"]
      said.allowOnly(recommendationKeys)
      said["manual"].allowOnly(["amount", "notice"])
      let amount =
        said.exists ? said.required("manual").required("amount") : field.required("units")
      return amount.number(in: -1e6...1e6, unit: "U").map { .bolus(.success($0)) }
    }
  }

  /// Reads what the keeper of a body says; what is wrong is reported to the field's problems.
  ///
  /// - Parameters:
  ///   - field: The message.
  ///   - number: The number of the question; `nil` where the message need not have it.
  /// - Returns: The answer; `nil` where something was wrong.
  public static func lived(_ field: JSONField, number: Int?) -> Answer? {
    read(field, number: number) { body(field).map { .lived($0) } }
  }

  private static func read(
    _ field: JSONField, number: Int?, _ answer: () -> Answer?
  ) -> Answer? {
    let before = field.problems.problems.count
    let isNumbered = field["n"].exists && !isNull(field["n"])
    if let number, isNumbered, field["n"].integer() != Int64(number) {
      field["n"].error("\"n\" must be \(number), the number of the question that was asked.")
    }
    let answer = answer()
    let failed = field.problems.problems.dropFirst(before).contains { $0.severity == .error }
    return failed ? nil : answer
  }

  private static func body(_ field: JSONField) -> BodyAnswer? {
    field.allowOnly(common + ["glucose", "sensed", "iob", "unknown"])
    func glucose(_ field: JSONField) -> GlucoseConcentration? {
      field.number(in: BodyAnswer.glucose, unit: "mg/dL").map { .mgdL($0) }
    }
    guard let plasma = glucose(field.required("glucose")) else { return nil }
    var state = ExternalPatient.State(glucose: plasma)
    if field["sensed"].exists, !isNull(field["sensed"]) {
      state.sensed = glucose(field["sensed"]) ?? plasma
    }
    if field["iob"].exists, !isNull(field["iob"]) {
      state.insulinOnBoard = field["iob"].number(in: -1e6...1e6, unit: "U")
    }
    var unknown: [String] = []
    if field["unknown"].exists {
      unknown = (field["unknown"].items() ?? []).compactMap { $0.choice(of: BodyCondition.words) }
    }
    return BodyAnswer(state, unknown: unknown)
  }

  /// Refuses several of what an answer can say one of: nobody knows what it wants.
  ///
  /// What is `null` is not said.
  private static func refuseSeveral(_ keys: [String], of field: JSONField) {
    let said = keys.filter { field[$0].exists && !isNull(field[$0]) }
    guard said.count > 1 else { return }
    field[said[1]].error(
      "\"\(said[0])\" and \"\(said[1])\" are both there; an answer can say one of them alone.")
  }

  // MARK: - Seat of the controller

  private static func commands(_ field: JSONField) -> ControllerAnswer {
    field.allowOnly(common + commandKeys)
    var answer = ControllerAnswer()
    answer.tempBasal = tempBasal(field["tempBasal"])
    func isSaid(_ key: String) -> Bool { field[key].exists && !isNull(field[key]) }
    if isSaid("bolus") { answer.bolus = field["bolus"].number(in: -1e6...1e6, unit: "U") }
    func flag(_ key: String) -> Bool { isSaid(key) ? field[key].bool() ?? false : false }
    answer.cancelsBolus = flag("cancelBolus")
    answer.suspends = flag("suspend")
    answer.resumes = flag("resume")
    if answer.suspends, answer.resumes {
      field["suspend"].error(
        "\"suspend\" and \"resume\" are both true; an answer can ask for one of them alone.")
    }
    if isSaid("cob") {
      answer.carbsOnBoard = field["cob"].number(in: carbsOnBoard, unit: "g")
    }
    if isSaid("prediction"), let items = field["prediction"].items() {
      if items.count > longestPrediction {
        field["prediction"].error(
          "\"prediction\" has \(items.count) values; at most \(longestPrediction) are read.")
      } else {
        answer.predictedGlucose = items.compactMap { $0.number(in: predicted, unit: "mg/dL") }
      }
    }
    if isSaid("note"), let note = field["note"].text() {
      if note.utf8.count > longestNote {
        field["note"].error("\"note\" has more than \(longestNote) bytes.")
      }
      answer.note = note
    }
    return answer
  }

  private static func tempBasal(_ field: JSONField) -> ControllerAnswer.TempBasal? {
    guard field.exists, !isNull(field) else { return nil }
    if field.node?.string == "cancel" { return .cancel }
    guard field.node?.members != nil else {
      field.reportUnusable(
        expected: "\"cancel\", or an object such as {\"rate\":1.2,\"duration\":1800}")
      return nil
    }
    field.allowOnly(["rate", "duration"])
    let rate = field.required("rate").number(in: -1e6...1e6, unit: "U/h")
    var duration = TimeSpan.minutes(30)
    if field["duration"].exists, !isNull(field["duration"]) {
      guard let seconds = field["duration"].number(in: 1...86_400, unit: "s") else { return nil }
      duration = .milliseconds(Int64((seconds * 1_000).rounded()))
    }
    return rate.map { .start(unitsPerHour: $0, duration: duration) }
  }

  private static func isNull(_ field: JSONField) -> Bool { field.node?.isNull ?? false }

  // MARK: - Seat of the algorithm

  /// What the runner of LoopAlgorithm prints, of which the recommendation, the insulin and
  /// carbohydrates on board and the prediction are used.
  private static let runnerKeys = [
    "recommendation", "error", "predictedGlucose", "activeInsulin", "activeCarbs", "effects",
    "dosesRelativeToBasal",
  ]
  /// What a recommendation is for: a cycle of the loop, or a person.
  private static let recommendationKeys = ["automatic", "manual"]

  private static func recommendation(_ field: JSONField) -> AlgorithmAnswer? {
    field.allowOnly(common + runnerKeys)
    refuseSeveral(["recommendation", "error"], of: field)
    let result: Result<Recommendation, AlgorithmError>
    if field["error"].exists {
      guard let error = error(field["error"]) else { return nil }
      result = .failure(error)
    } else {
      guard let found = automatic(field.required("recommendation")) else { return nil }
      result = .success(.automatic(found))
    }
    func number(_ key: String) -> Double? {
      field[key].exists && !isNull(field[key]) ? field[key].number(in: -1e9...1e9) : nil
    }
    return AlgorithmAnswer(
      recommendation: result, insulinOnBoard: number("activeInsulin"),
      carbsOnBoard: number("activeCarbs"), predictedGlucose: prediction(field["predictedGlucose"]))
  }

  private static func error(_ field: JSONField) -> AlgorithmError? {
    guard let name = field.text() else { return nil }
    let error = AlgorithmError(name: name)
    if error == nil { field.error("\"\(name)\" is no error of LoopAlgorithm.") }
    return error
  }

  private static func automatic(_ field: JSONField) -> AutomaticDoseRecommendation? {
    guard field.node?.members != nil else {
      field.reportUnusable(expected: "an object with \"automatic\"")
      return nil
    }
    if field["manual"].exists {
      field["manual"].error("A cycle of the loop asks for an \"automatic\" recommendation.")
      return nil
    }
    field.allowOnly(recommendationKeys)
    let automatic = field.required("automatic")
    automatic.allowOnly(["basalAdjustment", "direction", "bolusUnits"])
    let basal = automatic.required("basalAdjustment")
    basal.allowOnly(["unitsPerHour", "duration"])
    guard let rate = basal.required("unitsPerHour").number(in: -1e6...1e6, unit: "U/h"),
      let seconds = basal.required("duration").number(in: 0...86_400, unit: "s")
    else { return nil }
    let word = automatic["direction"].exists ? automatic["direction"].text() : "neutral"
    guard let direction = word.flatMap(AutomaticDoseRecommendation.Direction.init) else {
      automatic["direction"].error("\"direction\" is decrease, neutral or increase.")
      return nil
    }
    var units: Double?
    if automatic["bolusUnits"].exists, !isNull(automatic["bolusUnits"]) {
      units = automatic["bolusUnits"].number(in: -1e6...1e6, unit: "U")
    }
    return AutomaticDoseRecommendation(
      basalAdjustment: TempBasalRecommendation(
        unitsPerHour: rate, duration: .milliseconds(Int64((seconds * 1_000).rounded()))),
      direction: direction, bolusUnits: units)
  }

  private static func prediction(_ field: JSONField) -> [PredictedGlucose] {
    guard field.exists, !isNull(field), let items = field.items() else { return [] }
    let values: [PredictedGlucose] = items.compactMap { item in
      guard let date = item.required("startDate").instant(),
        let value = item.required("quantity").number(in: -1e6...1e6, unit: "mg/dL")
      else { return nil }
      return PredictedGlucose(startDate: date, quantity: .mgdL(value))
    }
    guard values.count == items.count else { return [] }
    let spans = zip(values.dropFirst(), values).map { $0.startDate - $1.startDate }
    for (place, span) in spans.enumerated() {
      let date = items[place + 1].required("startDate")
      if span <= .zero {
        date.error("\"\(date.path)\" must be later than that of the value before it.")
        return []
      }
      // The first value is that of the reading, and the last may be appended to the grid.
      if place > 1, place < spans.count - 1, span != spans[1] {
        date.error(
          "\"\(date.path)\" is \(span) after that of the value before it, and must be "
            + "\(spans[1]) after it, as the ones before are apart.")
        return []
      }
    }
    return values
  }
}

extension AlgorithmError {
  /// The error that the original's output names.
  ///
  /// What some of them say about a place is not in the output; such an error stands for the input
  /// as a whole.
  init?(name: String) {
    let plain: [AlgorithmError] = [
      .missingGlucose, .glucoseTooOld, .futureBasalNotAllowed, .sensitivityTimelineStartsTooLate,
      .sensitivityTimelineEndsTooEarly, .basalTimelineIncomplete, .missingSuspendThreshold,
      .targetTimelineIncomplete, .sensitivityMissingAtStart, .predictionTooShort, .notFinite,
    ]
    guard let error = plain.first(where: { $0.name == name }) else { return nil }
    self = error
  }
}
