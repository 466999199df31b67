internal import Outcomes
public import RunPlans

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
  let missing: Int
  /// The mean over the patients at each point; empty where runs lack a value.
  let values: [Double]
  /// How much each setting matters.
  public let estimates: Estimates

  /// Estimates how much the settings of a sampled sweep matter to one end point.
  private init(
    _ rows: [CaseRow], of study: StudyProtocol, sampled: SampledSweep, endPoint index: Int
  ) {
    endPoint = study.design.endPoints[index]
    missing = rows.count { $0.values[index] == nil }
    let means = Self.pointValues(rows, study, endPoint: index)
    values = means.contains { $0 == nil } ? [] : means.compactMap(\.self)
    estimates = Self.estimates(values, sampled, confidence: study.design.confidence)
  }

  /// One for each end point of a sampled sweep; none where the study compares arms.
  static func all(_ rows: [CaseRow], of study: StudyProtocol) -> [SensitivityResult] {
    guard let sampled = study.design.sampled else { return [] }
    return study.design.endPoints.indices.map {
      SensitivityResult(rows, of: study, sampled: sampled, endPoint: $0)
    }
  }

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

  private static func estimates(
    _ values: [Double], _ sampled: SampledSweep, confidence: Double
  ) -> Estimates {
    guard let first = values.first, values.contains(where: { $0 != first }) else { return .none }
    switch sampled.method {
    case .sobol:
      return SobolIndex.indices(of: sampled.sample, values: values, confidence: confidence)
        .map { .sobol($0) } ?? .none
    case .morris:
      return MorrisEffect.effects(
        of: sampled.sample, choices: sampled.choices, values: values
      ).map { .morris($0) } ?? .none
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
}
