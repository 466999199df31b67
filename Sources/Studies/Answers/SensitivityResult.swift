internal import Outcomes
public import RunPlans
internal import StructuredText

/// How much each setting of a sampled sweep matters to one end point.
public struct SensitivityResult: Sendable {
  /// What was estimated, in the order of the settings.
  public enum Estimates: Sendable {
    case sobol([SobolIndex])
    case morris([MorrisEffect])
    /// Nothing: the end point is the same at every point whose variance is told apart, or a run
    /// lacks it.
    case none
  }

  /// What was measured.
  public let endPoint: StudyEndPoint
  /// How many rows of points were drawn.
  private let rows: Int
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
    self.rows = sampled.sample.rows
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
    if missing > 0 {
      return "\(WordList.counted(missing, "run", "has")) no value, and every patient must "
        + "have one at every point"
    }
    // The variance is that of the points of both matrices, without those that mix them.
    return values.allSatisfy { $0 == values[0] }
      ? "it is the same at every point"
      : "it differs only at points at which one setting alone is drawn anew, and the variance is "
        + "that of the others; it takes more than \(WordList.counted(rows, "row"))"
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

  /// The paths of the settings that cannot be told from the one that matters most.
  ///
  /// Those of Sobol's indices whose interval of the total reaches that of the greatest; those of
  /// Morris's effects, which have no interval, that are of the same size.
  var rivals: [String] {
    guard let first = ranking.first else { return [] }
    let others = ranking.dropFirst()
    switch estimates {
    case .sobol(let indices):
      let lowest = indices[first].totalInterval.lowerBound
      return others.filter { indices[$0].totalInterval.upperBound >= lowest }
        .map { indices[$0].path }
    case .morris(let effects):
      // A step of half a law is that to some digits alone.
      let least = effects[first].meanSize * (1 - 1e-9)
      return others.filter { effects[$0].meanSize >= least }
        .map { effects[$0].path }
    case .none: return []
    }
  }

  /// What to think of shares of the variance that no setting can have; `nil` where all are shares.
  public var caution: String? {
    guard case .sobol(let indices) = estimates else { return nil }
    return caution(on: indices, whole: "1")
  }

  /// What to think of some shares where one of them is none, by how the whole is written: `100 %`;
  /// or where a setting explains more alone than with what it does together with others.
  func caution(on indices: [SobolIndex], whole: String) -> String? {
    let areShares = indices.allSatisfy { (0...1).contains($0.first) && (0...1).contains($0.total) }
    guard areShares else {
      return "Shares below 0 or above \(whole) are the error of a sample of \(rows) rows: it takes "
        + "more of them."
    }
    // Less than half a percent is not seen.
    guard indices.contains(where: { $0.first > $0.total + 0.005 }) else { return nil }
    return "A share alone above that with others is the error of a sample of \(rows) rows: it "
      + "takes more of them."
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
