internal import Determinism
internal import Outcomes
internal import RunPlans
internal import StructuredText

/// How strongly the first end point follows each axis of a sweep, over patients.
struct DoseResponse: Sendable {
  /// The slopes of the patients along one axis, or along the product of two.
  struct Axis: Sendable {
    let name: String
    /// `nil` where they are too few.
    let slopes: PairedDifferences?
  }

  /// The axes of the sweep, then their product; `nil` where there is no control among the points,
  /// or where the points do not determine the slopes.
  let axes: [Axis]?
  /// How many patients have no slopes: they lack a value at too many points.
  private(set) var leftOut = 0

  /// Fits the slopes of each patient to the rows of a whole study.
  init(_ rows: [CaseRow], of study: StudyProtocol) {
    guard study.design.controlPoint != nil, let points = Self.doses(study) else {
      axes = nil
      return
    }
    let values = Self.values(rows, of: study)
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

  /// The first end point of each patient at each point: over the replicates that have a value
  /// there, whatever there is at other points.
  private static func values(_ rows: [CaseRow], of study: StudyProtocol) -> [[Double?]] {
    (0..<study.plan.patients).map { patient in
      (0..<study.plan.points).map { point in
        PairedValues.mean(rows, of: study, endPoint: 0, patient: patient, cell: point)
      }
    }
  }
}
