internal import ClosedLoop
internal import Dosing
internal import Physiology
internal import Quantities
internal import Simulation
internal import StructuredText

/// Writes answers as a record keeps them: what decided, and nothing else.
enum AnswerWriter {
  /// The answer; `null` where none came.
  static func value(_ answer: Answer) -> JSONValue {
    switch answer {
    case .missing: .null
    case .lived(let answer): value(answer)
    case .bolus(.success(let units)): ["units": .number(units)]
    case .bolus(.failure(let error)): ["error": .string(error.name)]
    case .recommendation(let answer): value(answer)
    case .commands(let answer): value(answer)
    }
  }

  private static func value(_ answer: BodyAnswer) -> JSONValue {
    var members: [JSONValue.Member] = [.init("glucose", .number(answer.state.glucose.mgdL))]
    if answer.state.sensed != answer.state.glucose {
      members.append(.init("sensed", .number(answer.state.sensed.mgdL)))
    }
    if let iob = answer.state.insulinOnBoard { members.append(.init("iob", .number(iob))) }
    if !answer.unknown.isEmpty {
      members.append(.init("unknown", .array(answer.unknown.map { .string($0) })))
    }
    return .object(members)
  }

  private static func value(_ answer: AlgorithmAnswer) -> JSONValue {
    var members: [JSONValue.Member] = []
    switch answer.recommendation {
    case .failure(let error): members.append(.init("error", .string(error.name)))
    case .success(.manual): break
    case .success(.automatic(let dose)):
      var parts: [JSONValue.Member] = [
        .init(
          "basalAdjustment",
          [
            "unitsPerHour": .number(dose.basalAdjustment.unitsPerHour),
            "duration": .number(dose.basalAdjustment.duration.seconds),
          ]), .init("direction", .string(dose.direction.rawValue)),
      ]
      if let units = dose.bolusUnits { parts.append(.init("bolusUnits", .number(units))) }
      members.append(.init("recommendation", ["automatic": .object(parts)]))
    }
    if let iob = answer.insulinOnBoard { members.append(.init("activeInsulin", .number(iob))) }
    if let cob = answer.carbsOnBoard { members.append(.init("activeCarbs", .number(cob))) }
    return .object(members)
  }

  private static func value(_ answer: ControllerAnswer) -> JSONValue {
    var members: [JSONValue.Member] = []
    switch answer.tempBasal {
    case .start(let rate, let duration):
      members.append(
        .init("tempBasal", ["rate": .number(rate), "duration": .number(duration.seconds)]))
    case .cancel: members.append(.init("tempBasal", "cancel"))
    case nil: break
    }
    if let bolus = answer.bolus { members.append(.init("bolus", .number(bolus))) }
    if answer.cancelsBolus { members.append(.init("cancelBolus", true)) }
    if answer.suspends { members.append(.init("suspend", true)) }
    if answer.resumes { members.append(.init("resume", true)) }
    if let cob = answer.carbsOnBoard { members.append(.init("cob", .number(cob))) }
    if !answer.predictedGlucose.isEmpty {
      members.append(.init("prediction", .array(answer.predictedGlucose.map { .number($0) })))
    }
    if !answer.note.isEmpty { members.append(.init("note", .string(answer.note))) }
    return .object(members)
  }
}
