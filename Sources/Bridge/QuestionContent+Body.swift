internal import Physiology
internal import Quantities
internal import Simulation
internal import StructuredText

/// What the keeper of a body is told: what has entered it, row by row.
extension QuestionContent {
  /// The tables of a question to a body, in the order of the message.
  static func tables(of asked: BodyQuestion) -> [Table] {
    [
      Table(name: "insulin", rows: asked.intake.insulin.map(row)),
      Table(name: "carbs", rows: asked.intake.meals.map(row)),
      Table(name: "conditions", rows: asked.intake.conditions.compactMap(row)),
    ]
  }

  /// A pulse or an injection, or another rate of a continuous inflow.
  private static func row(_ row: ExternalIntake.Row<InsulinInput>) -> Row {
    var members: [JSONValue.Member] = [.init("at", .time(row.instant))]
    switch row.what.course {
    case .rate(let unitsPerHour): members.append(.init("rate", .number(unitsPerHour)))
    case .pulse(let units):
      members.append(.init("units", .number(units)))
      switch row.what.absorption {
      case .rapid: members.append(.init("kind", "rapid"))
      case .ultraRapid: members.append(.init("kind", "ultraRapid"))
      case .inhaled: members.append(.init("kind", "inhaled"))
      case .depot(let release):
        members.append(.init("kind", "depot"))
        members.append(
          .init("release", .array(release.corners.map { .number($0.seconds) })))
      }
    }
    return Row(id: "", value: .object(members))
  }

  private static func row(_ row: ExternalIntake.Row<MealInput>) -> Row {
    let meal = row.what
    let seconds: Double =
      switch meal.pace {
      case .gramsPerMinute(let pace): pace > 0 ? meal.grams / pace * 60 : 0
      case .over(let span): span.seconds
      }
    return Row(
      id: "",
      value: [
        "at": .time(row.instant), "grams": .number(meal.grams), "over": .number(seconds),
        "absorption": meal.absorption.map { .number($0.seconds) } ?? .null,
      ])
  }

  private static func row(_ row: ExternalIntake.Row<BodyCondition>) -> Row? {
    guard let figure = row.what.figure else { return nil }
    return Row(
      id: "",
      value: [
        "at": .time(row.instant), "kind": .string(figure.word), "value": .number(figure.value),
      ])
  }
}
