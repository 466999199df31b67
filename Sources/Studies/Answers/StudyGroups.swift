internal import Determinism
internal import Outcomes
internal import Scenarios
internal import StructuredText

/// One end point in one group of patients.
public struct GroupResult: Sendable {
  /// What the group is called.
  public let name: String
  /// How many patients it has.
  public let count: Int
  /// The mean under the control.
  public let control: Double
  /// The mean under the treatment.
  public let treatment: Double
  /// The mean difference.
  public let difference: Double
  /// The interval of the mean difference; `nil` below ten patients.
  public let interval: IntervalOfMean?
  /// How many patients are harmed under the treatment alone.
  public let newlyHarmed: Int
}

extension EndPointResult {
  /// Fewer patients than this have numbers, and no interval.
  private static let fewestForInterval = 10

  /// The groups in the order in which the patients bring them.
  public var groups: [GroupResult] {
    var names: [String] = []
    for patient in patients where !names.contains(patient.group) { names.append(patient.group) }
    return names.compactMap { name in
      let own = patients.filter { $0.group == name }
      guard let differences = PairedDifferences(own.map(\.difference)),
        let control = Statistics.mean(own.map(\.control)),
        let treatment = Statistics.mean(own.map(\.treatment))
      else { return nil }
      return GroupResult(
        name: name, count: own.count, control: control, treatment: treatment,
        difference: differences.mean,
        interval: own.count < Self.fewestForInterval
          ? nil : ResampledMean(differences).interval(confidence: confidence),
        newlyHarmed: own.count { $0.harmed == .newly })
    }
  }
}

extension StudyAnalysis {
  /// How strongly the first end point follows each axis of a sweep, over patients.
  var slopesJSON: JSONValue {
    guard study.design.controlPoint != nil, let points = dosePoints else { return .null }
    let names = study.sweptPaths
    let table = doseTable
    let found = table.compactMap { DoseSlopes.coefficients($0, at: points) }
    guard found.count == table.count, let width = found.first?.count else { return .null }
    return .array(
      (1..<width).map { column in
        let name =
          column <= names.count ? names[column - 1] : names.joined(separator: " × ")
        guard let slopes = PairedDifferences(found.map { $0[column] }) else { return .null }
        let resampled = ResampledMean(slopes)
        let confidence = study.design.confidence
        return .object([
          .init("axis", .string(name)), .init("mean", .number(slopes.mean)),
          .init("se", Self.number(slopes.standardError)),
          .init("interval", Self.json(of: resampled.interval(confidence: confidence))),
          .init(
            "studentised", Self.json(of: resampled.studentisedInterval(confidence: confidence))),
        ])
      })
  }

  /// The doses at each point, in logarithms of 2 where all of an axis are above zero.
  private var dosePoints: [[Double]]? {
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

  /// The first end point of each patient at each point, control included.
  private var doseTable: [[Double?]] {
    guard let control = study.design.controlPoint,
      let patients = comparisons.first?.results.first?.patients
    else { return [] }
    return patients.map { patient in
      (0..<study.plan.points).map { point in
        if point == control { return patient.control }
        let other = comparisons.first { $0.point == point }?.results.first
        return other?.patients.first { $0.id == patient.id }?.treatment
      }
    }
  }
}
