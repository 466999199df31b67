public import Outcomes
import RunPlans

/// One patient under one arm, as it is drawn: the day, and the ends of what glucose does.
public struct PatientPattern: Hashable, Sendable {
  /// The id of the patient.
  public var id: String
  /// The patient's group.
  public var group: String
  /// The mean of the replicates' days.
  public var day: DailyPattern?
  /// The place in the control-variability grid: the mean of the replicates' percentiles.
  public var extremes: ControlVariability?
  /// What the pump gave a day, in U: the mean of the replicates, of which none need last a day.
  public var dailyDose: Double?

  /// Every patient's pattern in a cell of a study, in the order of the patients.
  static func all(_ rows: [CaseRow], of study: StudyProtocol, cell: Int) -> [PatientPattern] {
    let plan = study.plan
    let first = study.design.endPoints.count
    func column(_ name: String) -> Int? {
      StandardFigure.all.firstIndex { $0.name == name }.map { first + $0 }
    }
    guard let low = column(StandardFigure.lowEnd), let high = column(StandardFigure.highEnd),
      let dose = column(StandardFigure.dailyDose)
    else { return [] }
    return (0..<plan.patients).map { place in
      let patient = study.patient(plan.firstPatient + place)
      let own = (0..<plan.replicates).map { replicate in
        rows[(place * plan.replicates + replicate) * plan.runsPerUnit + cell]
      }
      let lows = own.compactMap { $0.values[low] }
      let highs = own.compactMap { $0.values[high] }
      var extremes: ControlVariability?
      if let low = Statistics.mean(lows), let high = Statistics.mean(highs) {
        extremes = ControlVariability(low: low, high: high)
      }
      return PatientPattern(
        id: patient.id, group: patient.group ?? "",
        day: DailyPattern(meanOf: own.compactMap { $0.hours.pattern }), extremes: extremes,
        dailyDose: Statistics.mean(own.compactMap { $0.values[dose] }))
    }
  }
}
