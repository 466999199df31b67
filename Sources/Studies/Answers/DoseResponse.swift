internal import Determinism
internal import Outcomes
internal import RunPlans
internal import StructuredText

/// How strongly the first end point follows each axis of a sweep, over patients.
struct DoseResponse {
  /// The slopes of the patients along one axis, or along the product of two.
  struct Axis {
    let name: String
    /// `nil` where they are too few.
    let slopes: PairedDifferences?
  }

  /// The axes of the sweep, then their product; `nil` where there is no control among the points,
  /// or where the points do not determine the slopes.
  let axes: [Axis]?
  /// How many patients have no slopes: they lack a value at too many points.
  private(set) var leftOut = 0

  /// Fits the slopes of each patient.
  init(_ analysis: StudyAnalysis) {
    let study = analysis.study
    guard let control = study.design.controlPoint, let points = Self.doses(study) else {
      axes = nil
      return
    }
    let values = Self.values(analysis, control: control)
    let found = values.compactMap { DoseSlopes.coefficients($0, at: points) }
    guard let width = found.first?.count else {
      axes = nil
      return
    }
    leftOut = study.plan.patients - found.count
    let names = study.sweptPaths
    // The constant comes first.
    axes = (1..<width).map { column in
      Axis(
        name: column <= names.count ? names[column - 1] : names.joined(separator: " × "),
        slopes: PairedDifferences(found.map { $0[column] }))
    }
  }

  /// The doses at each point, in logarithms of 2 where all of an axis are above zero.
  private static func doses(_ study: StudyProtocol) -> [[Double]]? {
    let count = study.plan.points
    var columns: [[Double]] = []
    for axis in study.sweptPaths.indices {
      let doses = (0..<count).compactMap { study.settings(at: $0)[axis].value.double }
      guard doses.count == count else { return nil }
      columns.append(
        DoseSlopes.scaled(doses) { PortableMath.log($0) / PortableMath.log(2) })
    }
    return (0..<count).map { point in columns.map { $0[point] } }
  }

  /// The first end point of each patient at each point, control included; of a patient who has none
  /// at some points those of the others.
  private static func values(_ analysis: StudyAnalysis, control: Int) -> [[Double?]] {
    let points = analysis.study.plan.points
    var values: [String: [Double?]] = [:]
    for comparison in analysis.comparisons {
      for patient in comparison.results.first?.patients ?? [] {
        values[patient.id, default: Array(repeating: nil, count: points)][control] =
          patient.control
        values[patient.id]?[comparison.point] = patient.treatment
      }
    }
    return (0..<analysis.study.plan.patients).compactMap { values[analysis.study.patient($0).id] }
  }
}
