internal import Outcomes
internal import RunPlans

/// For how much of the time the sensors of two arms showed readings, where that is to be told.
struct SensorWear: Hashable, Sendable {
  /// The mean over the runs under the control, in percent.
  let control: Double
  /// The mean over the runs under the treatment, in percent.
  let treatment: Double

  /// The largest difference, in points, of which nothing is told.
  private static let largest = 2.0

  /// The share of the time, in percent, that the consensus on time in ranges asks for (Battelino,
  /// Diabetes Care 2019;42:1593).
  static let enough = 70.0

  /// Whether the sensors of both did not show readings for as long.
  var differs: Bool { (treatment - control).magnitude > Self.largest }

  /// Whether readings are missing for more of the time under one of them than the consensus allows.
  var isScarce: Bool { min(control, treatment) < Self.enough }

  /// Compares two cells of a study; `nil` where no end point is one of the sensor, and where the
  /// sensors of both showed readings for long enough and for as long.
  init?(_ cells: ComparedCells, _ rows: [CaseRow], of study: StudyProtocol) {
    guard study.design.endPoints.contains(where: { $0.metric.source == .cgm }),
      let place = StandardFigure.all.firstIndex(where: { $0.name == StandardFigure.wear })
    else { return nil }
    let column = study.design.endPoints.count + place
    func mean(_ cell: Int) -> Double? {
      Statistics.mean(
        rows.filter { $0.number % study.plan.runsPerUnit == cell }.compactMap { $0.values[column] })
    }
    guard let control = mean(cells.control), let treatment = mean(cells.treatment) else {
      return nil
    }
    (self.control, self.treatment) = (control, treatment)
    guard differs || isScarce else { return nil }
  }
}

extension StudyComparison {
  /// The arms under which the sensor showed too little to answer by; empty where neither a primary
  /// end point nor a rule of harm goes by the sensor.
  var scarcelySeen: [String] {
    let isAnswer = results.contains {
      ($0.endPoint.role == .primary || $0.endPoint.harm != nil)
        && $0.endPoint.metric.source == .cgm
    }
    guard isAnswer, let wear else { return [] }
    return (wear.control < SensorWear.enough ? [control] : [])
      + (wear.treatment < SensorWear.enough ? [treatment] : [])
  }
}
