import Expectations
import Quantities
import ScenarioLanguage

extension ScenarioSchema {
  /// One or more times: a time, a list, or every day.
  static let occurrence = Shape.either([
    .timeInRun, .list(.timeInRun),
    DailyTime.form.shape,
  ])

  static let expectation = ObjectShape(noun: "an expectation") {
    (ExpectationKeys.shared.all, kinds: ExpectationKind.all.map { $0.schema })
  }

  static let event = ObjectShape(noun: "an event") {
    (EventKeys.shared.all, kinds: EventKind.all.map { $0.schema })
  }
}
