import Expectations
import Quantities
import ScenarioLanguage

extension ScenarioSchema {
  /// One or more times: a time, a list, or every day.
  static let occurrence = Shape.either([
    .timeInRun, .list(.timeInRun),
    DailyTime.form.shape,
  ])

  static let expectation = ObjectShape(
    ExpectationKeys.shared.all, kinds: ExpectationKind.all.map(\.schema), noun: "an expectation")

  static let event = ObjectShape(
    EventKeys.shared.all, kinds: EventKind.all.map(\.schema), noun: "an event")
}
