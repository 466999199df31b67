internal import Outcomes
public import Scenarios
internal import StructuredText

/// How much each setting of a sampled sweep matters to one end point.
public struct SensitivityResult: Sendable {
  /// What was estimated, in the order of the settings.
  public enum Estimates: Sendable {
    case sobol([SobolIndex])
    case morris([MorrisEffect])
    /// Nothing: the end point is the same at every point, or a run lacks it.
    case none
  }

  /// What was measured.
  public let endPoint: StudyEndPoint
  /// How many runs have no value of it; with any of them nothing can be told.
  public let missing: Int
  /// The mean over the patients at each point; empty where runs lack a value.
  public let values: [Double]
  /// How much each setting matters.
  public let estimates: Estimates

  /// The mean over the points.
  public var mean: Double? { Statistics.mean(values) }
  /// The standard deviation over the points.
  public var deviation: Double? { Statistics.standardDeviation(values) }

  /// Why there is nothing to tell; `nil` where there is.
  public var obstacle: String? {
    guard case .none = estimates else { return nil }
    return missing > 0
      ? "\(missing) \(missing == 1 ? "run has" : "runs have") no value, and every patient must "
        + "have one at every point"
      : "it is the same at every point"
  }
}

extension StudyAnalysis {
  /// How much the settings of a sampled sweep matter; empty where the study compares arms.
  static func sensitivity(_ rows: [CaseRow], _ study: StudyProtocol) -> [SensitivityResult] {
    guard let sampled = study.design.sampled else { return [] }
    return study.design.endPoints.indices.map { index in
      let values = pointValues(rows, study, endPoint: index)
      let found = values.contains { $0 == nil } ? [] : values.compactMap(\.self)
      return SensitivityResult(
        endPoint: study.design.endPoints[index], missing: rows.count { $0.values[index] == nil },
        values: found,
        estimates: estimates(found, sampled, confidence: study.design.confidence))
    }
  }

  private static func estimates(
    _ values: [Double], _ sampled: SampledSweep, confidence: Double
  ) -> SensitivityResult.Estimates {
    guard let first = values.first, values.contains(where: { $0 != first }) else { return .none }
    switch sampled.method {
    case .sobol:
      return SobolIndex.indices(of: sampled.sample, values: values, confidence: confidence)
        .map { .sobol($0) } ?? .none
    case .morris:
      return MorrisEffect.effects(of: sampled.sample, values: values).map { .morris($0) } ?? .none
    }
  }

  /// The mean of an end point over the patients at each point, replicates first; `nil` where a run
  /// has no value.
  private static func pointValues(
    _ rows: [CaseRow], _ study: StudyProtocol, endPoint index: Int
  ) -> [Double?] {
    let plan = study.plan
    let rate = study.design.endPoints[index].rate
    return (0..<plan.points).map { point in
      var sum = 0.0
      for patient in 0..<plan.patients {
        var value = 0.0
        var days = 0.0
        for replicate in 0..<plan.replicates {
          let row = rows[(patient * plan.replicates + replicate) * plan.runsPerUnit + point]
          guard let own = row.values[index] else { return nil }
          value += own
          days += row.days
        }
        sum +=
          rate.map { days > 0 ? value / days * $0.days : 0 } ?? value / Double(plan.replicates)
      }
      return sum / Double(plan.patients)
    }
  }

  /// One row for each point of a sampled sweep: its settings, and the mean of every end point.
  ///
  /// It is all that other programs need to estimate indices of their own.
  var pointsTable: [UInt8] {
    let paths = study.sweptPaths
    var writer = CSVWriter(header: ["point"] + paths + sensitivity.map(\.endPoint.id))
    for point in 0..<study.plan.points {
      let settings = study.settings(at: point)
      let values = sensitivity.map { $0.values.isEmpty ? "" : CaseRow.text($0.values[point]) }
      writer.append(row: ["\(point)"] + settings.map { StudyNumber.setting($0.value) } + values)
    }
    return writer.bytes
  }

  /// One row for each end point and setting of a sampled sweep; `nil` without one.
  public var sensitivityTable: [UInt8]? {
    guard let sampled = study.design.sampled else { return nil }
    let columns =
      sampled.method == .sobol
      ? ["first", "first_lower", "first_upper", "total", "total_lower", "total_upper"]
      : ["mean_size", "sd"]
    var writer = CSVWriter(header: ["endpoint", "setting", "law"] + columns)
    for result in sensitivity {
      for (place, figures) in result.figures.enumerated() {
        writer.append(
          row: [result.endPoint.id, sampled.sample.paths[place], sampled.laws[place]]
            + figures.map(CaseRow.text))
      }
    }
    return writer.bytes
  }
}

extension SensitivityResult {
  /// The estimates of each setting as numbers, in the order of the columns of the table.
  var figures: [[Double]] {
    switch estimates {
    case .sobol(let indices):
      indices.map {
        [
          $0.first, $0.firstInterval.lowerBound, $0.firstInterval.upperBound, $0.total,
          $0.totalInterval.lowerBound, $0.totalInterval.upperBound,
        ]
      }
    case .morris(let effects): effects.map { [$0.meanSize, $0.standardDeviation] }
    case .none: []
    }
  }

  /// The places of the settings, those that matter most first.
  public var ranking: [Int] {
    let sizes: [Double] =
      switch estimates {
      case .sobol(let indices): indices.map(\.total)
      case .morris(let effects): effects.map(\.meanSize)
      case .none: []
      }
    return sizes.indices.sorted { sizes[$0] == sizes[$1] ? $0 < $1 : sizes[$0] > sizes[$1] }
  }
}
