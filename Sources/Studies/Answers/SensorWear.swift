internal import Outcomes
internal import RunPlans

/// For how much of the time the sensors of two arms showed readings.
struct SensorWear: Hashable, Sendable {
  /// The mean over the runs under the control, in percent.
  let control: Double
  /// The mean over the runs under the treatment, in percent.
  let treatment: Double

  /// The largest difference, in points, of which nothing is told.
  private static let largest = 2.0

  /// Compares two cells of a study; `nil` where no end point is one of the sensor, and where the
  /// sensors of both showed readings for as long.
  init?(_ cells: ComparedCells, _ rows: [CaseRow], of study: StudyProtocol) {
    guard study.design.endPoints.contains(where: { $0.metric.source == .cgm }),
      let place = StandardFigure.all.firstIndex(where: { $0.name == StandardFigure.wear })
    else { return nil }
    let column = study.design.endPoints.count + place
    func mean(_ cell: Int) -> Double? {
      Statistics.mean(
        rows.filter { $0.number % study.plan.runsPerUnit == cell }.compactMap { $0.values[column] })
    }
    guard let control = mean(cells.control), let treatment = mean(cells.treatment),
      (treatment - control).magnitude > Self.largest
    else { return nil }
    (self.control, self.treatment) = (control, treatment)
  }
}
