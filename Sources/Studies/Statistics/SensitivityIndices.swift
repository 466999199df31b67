internal import Determinism
internal import Outcomes
public import RunPlans

/// How much of the variance of an outcome each setting explains, alone and with all others.
public struct SobolIndex: Hashable, Sendable {
  /// The address of the setting.
  public let path: String
  /// The first-order index (Saltelli and others, Comput Phys Commun 181:259, 2010).
  public let first: Double
  /// The interval of the first-order index.
  public let firstInterval: ClosedRange<Double>
  /// The total index (Jansen, Comput Phys Commun 117:35, 1999).
  public let total: Double
  /// The interval of the total index.
  public let totalInterval: ClosedRange<Double>

  /// How many resamples of rows give the intervals.
  public static let resamples = 1_000

  /// Estimates the indices of all settings; `nil` without variance, or when the values are not
  /// those of the sample's points.
  public static func indices(
    of sample: SensitivitySample, values: [Double], confidence: Double = 95
  ) -> [Self]? {
    let width = sample.paths.count + 2
    guard sample.rows > 0, values.count == sample.rows * width else { return nil }
    let all = Array(0..<sample.rows)
    guard let estimates = estimates(values, rows: all, width: width) else { return nil }
    var stream = RandomStream(state: 1)
    let size = Double(sample.rows)
    let resampled = (0..<resamples).compactMap { _ in
      Self.estimates(values, rows: all.map { _ in Int(stream.unit() * size) }, width: width)
    }
    let tail = (100 - confidence) / 200
    func interval(_ values: [Double]) -> ClosedRange<Double> {
      let sorted = values.sorted()
      let lower = Statistics.quantile(sorted: sorted, tail) ?? 0
      return lower...max(lower, Statistics.quantile(sorted: sorted, 1 - tail) ?? 0)
    }
    return sample.paths.enumerated().map { column, path in
      Self(
        path: path, first: estimates[column].first,
        firstInterval: interval(resampled.map { $0[column].first }),
        total: estimates[column].total,
        totalInterval: interval(resampled.map { $0[column].total }))
    }
  }

  private static func estimates(
    _ values: [Double], rows: [Int], width: Int
  ) -> [(first: Double, total: Double)]? {
    let count = Double(rows.count)
    func a(_ row: Int) -> Double { values[row * width] }
    func b(_ row: Int) -> Double { values[row * width + width - 1] }
    let mean = rows.reduce(0) { $0 + a($1) + b($1) } / (2 * count)
    let variance =
      rows.reduce(0) {
        $0 + (a($1) - mean) * (a($1) - mean) + (b($1) - mean) * (b($1) - mean)
      } / (2 * count)
    guard variance > 0 else { return nil }
    return (1..<(width - 1)).map { column in
      func mixed(_ row: Int) -> Double { values[row * width + column] }
      let first = rows.reduce(0) { $0 + (b($1) - mean) * (mixed($1) - a($1)) } / count
      let total =
        rows.reduce(0) { $0 + (a($1) - mixed($1)) * (a($1) - mixed($1)) } / (2 * count)
      return (first / variance, total / variance)
    }
  }
}

/// How far an outcome moves with each setting (Morris, Technometrics 33:161, 1991).
public struct MorrisEffect: Hashable, Sendable {
  /// The address of the setting.
  public let path: String
  /// The mean size of the effect of the setting's whole range: of a law from one end to the other,
  /// of choices from the first to the last.
  public let meanSize: Double
  /// The standard deviation of the effect: how much it depends on the other settings.
  public let standardDeviation: Double

  /// Estimates the effects of all settings.
  ///
  /// - Parameters:
  ///   - sample: The shares that were drawn.
  ///   - choices: How many values each setting is chosen from; `nil` for one with a law.
  ///   - values: The outcome at each point.
  /// - Returns: The effects in the order of the settings; `nil` when the values are not those of
  ///   the sample.
  public static func effects(
    of sample: SensitivitySample, choices: [Int?], values: [Double]
  ) -> [Self]? {
    let width = sample.paths.count + 1
    guard sample.rows > 0, values.count == sample.rows * width, choices.count == width - 1
    else { return nil }
    let points = sample.morrisPoints
    return sample.paths.enumerated().map { column, path in
      // Half a turn is half of a law, and from one of two choices the whole way to the other.
      func place(_ share: Double) -> Double {
        guard let count = choices[column], count > 1 else { return share }
        return Double(min(Int(share * Double(count)), count - 1)) / Double(count - 1)
      }
      let effects = (0..<sample.rows).map { row in
        let (start, moved) = (row * width, row * width + column + 1)
        let step = place(points[moved][column]) - place(points[start][column])
        return (values[moved] - values[start]) / step
      }
      return Self(
        path: path, meanSize: Statistics.mean(effects.map(\.magnitude)) ?? 0,
        standardDeviation: Statistics.standardDeviation(effects) ?? 0)
    }
  }
}
