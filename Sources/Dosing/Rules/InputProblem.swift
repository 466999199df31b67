import Quantities

/// Something in an input that a person or a device should not have said.
///
/// The algorithm itself computes with such numbers as they stand; an app refuses them first.
public struct InputProblem: Hashable, Sendable, CustomStringConvertible {
  /// The array the problem is in, as the input's JSON names it.
  public var series: String
  /// The element's index in the array; nothing for a single number.
  public var index: Int?
  /// One sentence with the value and the limit.
  public var description: String

  init(_ series: String, _ index: Int? = nil, _ description: String) {
    self.series = series
    self.index = index
    self.description = description
  }
}

extension AlgorithmInput {
  /// What an app would refuse in this input, in the order of its fields; nothing when all is well.
  ///
  /// Limits are the app's: entries of carbohydrate up to 250 g, 30 min to 8 h, at most 12 h back
  /// and 1 h ahead; glucose typed by a person from 10 to 600 mg/dL.
  public func problems() -> [InputProblem] {
    var problems: [InputProblem] = []
    checkGlucose(&problems)
    checkDoses(&problems)
    checkCarbs(&problems)
    check(basal, "basal", "A basal rate", minimum: 0, isMinimumAllowed: true, &problems)
    check(sensitivity, "sensitivity", "An ISF", minimum: 0, isMinimumAllowed: false, &problems)
    check(carbRatio, "carbRatio", "A carb ratio", minimum: 0, isMinimumAllowed: false, &problems)
    checkTargets(&problems)
    checkCoverage(&problems)
    for (name, value) in [("maxBolus", maximumBolus), ("maxBasalRate", maximumBasalRate)]
    where !(value.isFinite && value >= 0) {
      problems.append(.init(name, nil, "A limit of \(value) is not a number from zero on."))
    }
    return problems
  }

  private func checkGlucose(_ problems: inout [InputProblem]) {
    for (index, sample) in glucoseHistory.enumerated() {
      let value = sample.quantity.mgdL
      if !(value.isFinite && value >= 0) {
        problems.append(.init("glucoseHistory", index, "\(value) mg/dL is no concentration."))
      } else if sample.wasUserEntered, !(10...600).contains(value) {
        problems.append(
          .init("glucoseHistory", index, "\(value) mg/dL is outside 10 to 600 for a typed value."))
      }
      if index > 0, sample.date < glucoseHistory[index - 1].date {
        problems.append(
          .init("glucoseHistory", index, "\(sample.date) comes before the sample ahead of it."))
      }
    }
  }

  private func checkDoses(_ problems: inout [InputProblem]) {
    for (index, dose) in doses.enumerated() {
      if !(dose.volume.isFinite && dose.volume >= 0) {
        problems.append(.init("doses", index, "\(dose.volume) U cannot be delivered."))
      }
      if dose.endDate < dose.startDate {
        problems.append(
          .init("doses", index, "The dose of \(dose.startDate) ends before it starts."))
      }
      if index > 0, dose.startDate < doses[index - 1].startDate {
        problems.append(
          .init("doses", index, "\(dose.startDate) comes before the dose ahead of it."))
      }
    }
  }

  private func checkCarbs(_ problems: inout [InputProblem]) {
    for (index, entry) in carbEntries.enumerated() {
      let grams = entry.quantity.grams
      if !(grams > 0 && grams <= 250) {
        problems.append(.init("carbEntries", index, "\(grams) g is not above 0 and up to 250 g."))
      }
      if let time = entry.absorptionTime, time < .minutes(30) || time > .hours(8) {
        problems.append(.init("carbEntries", index, "\(time) is outside 30 min to 8 h."))
      }
      if entry.date < predictionStart - .hours(12) || entry.date > predictionStart + .hours(1) {
        problems.append(
          .init("carbEntries", index, "\(entry.date) is not within 12 h back and 1 h ahead."))
      }
      if index > 0, entry.date < carbEntries[index - 1].date {
        problems.append(
          .init("carbEntries", index, "\(entry.date) comes before the entry ahead of it."))
      }
    }
  }

  private func check(
    _ entries: [ScheduleEntry], _ series: String, _ name: String, minimum: Double,
    isMinimumAllowed: Bool, _ problems: inout [InputProblem]
  ) {
    for (index, entry) in entries.enumerated() {
      let isHighEnough = isMinimumAllowed ? entry.value >= minimum : entry.value > minimum
      if !(entry.value.isFinite && isHighEnough) {
        problems.append(.init(series, index, "\(name) of \(entry.value) cannot be."))
      }
      checkDates(entry.startDate, entry.endDate, series, index, &problems)
      if index > 0, entry.startDate < entries[index - 1].endDate {
        problems.append(
          .init(series, index, "\(entry.startDate) overlaps the entry ahead of it."))
      }
    }
  }

  private func checkTargets(_ problems: inout [InputProblem]) {
    for (index, entry) in target.enumerated() {
      if !(entry.lowerBound <= entry.upperBound) {
        problems.append(
          .init(
            "target", index,
            "\(entry.lowerBound.mgdL) to \(entry.upperBound.mgdL) mg/dL is no range."))
      }
      checkDates(entry.startDate, entry.endDate, "target", index, &problems)
    }
  }

  private func checkDates(
    _ start: Instant, _ end: Instant, _ series: String, _ index: Int,
    _ problems: inout [InputProblem]
  ) {
    guard end < start else { return }
    problems.append(.init(series, index, "The entry of \(start) ends before it starts."))
  }

  private func checkCoverage(_ problems: inout [InputProblem]) {
    let first = min(doses.first?.startDate ?? predictionStart, predictionStart)
    if !(basal.first.map { $0.startDate <= first } ?? false) {
      problems.append(.init("basal", nil, "No basal rate is in force at \(first)."))
    }
    if !target.contains(where: { $0.startDate <= predictionStart }) {
      problems.append(.init("target", nil, "No range is in force at \(predictionStart)."))
    }
    for (name, entries) in [("sensitivity", sensitivity), ("carbRatio", carbRatio)] {
      for entry in carbEntries where !entries.contains(where: { $0.startDate <= entry.date }) {
        problems.append(.init(name, nil, "Nothing is in force at the carbs of \(entry.date)."))
      }
    }
  }
}
