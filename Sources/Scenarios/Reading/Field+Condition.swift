import Quantities
import ScenarioLanguage
import Simulation
import StructuredText

extension Form where Value == Field {
  /// A comparison of a series with a number, such as `'glucose.cgm < 70'`.
  static var condition: Self {
    .plain("comparison", [.text], .textSchema, check: { _ = $0.condition(of: "") }, { $0 })
  }
}

extension Field {
  /// A comparison of a series with a number, such as `'glucose.cgm < 70'`, for an event's name.
  ///
  /// Glucose is in the unit of the file.
  func condition(of name: String) -> EventCondition? {
    guard let text = text() else { return nil }
    let parts = text.split(separator: " ")
    guard parts.count == 3, let series = EventCondition.Series(rawValue: String(parts[0])),
      let comparison = EventCondition.Comparison(rawValue: String(parts[1])),
      let number = Double(decimal: parts[2])
    else {
      let known = EventCondition.Series.allCases.map(\.rawValue)
      let near = parts.first.map { NearestName.suggestion(for: String($0), among: known) } ?? ""
      // One that is already an error, such as a sweep's, is not told twice.
      guard !problems.hasError(at: position) else { return nil }
      error(
        "\"\(text)\" is no comparison. Write one such as 'glucose.cgm < 70', with blanks around "
          + "<, <=, > or >=, of \(known.joined(separator: ", ")).\(near)")
      return nil
    }
    if series.isGlucose {
      warnOfLimitInOtherUnit(number, isFloor: comparison == .below || comparison == .atMost)
    }
    return EventCondition(
      name: name, series: series, comparison: comparison,
      value: series.isGlucose ? number * context.glucoseUnit.mgdL : number)
  }
}
