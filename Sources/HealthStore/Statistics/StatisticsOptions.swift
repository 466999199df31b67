/// Which figures to work out.
///
/// HealthKit: `HKStatisticsOptions`.
public struct StatisticsOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The sum, for cumulative types.
  public static let cumulativeSum = Self(rawValue: 1)
  /// The mean, for discrete types.
  public static let discreteAverage = Self(rawValue: 2)
  /// The least value.
  public static let discreteMinimum = Self(rawValue: 4)
  /// The greatest value.
  public static let discreteMaximum = Self(rawValue: 8)
  /// The value that ends last, for discrete types.
  public static let mostRecent = Self(rawValue: 16)
  /// How long samples last together, each moment once.
  public static let duration = Self(rawValue: 32)
  /// Also the figures of each source by itself, without removing what several sources recorded.
  public static let separateBySource = Self(rawValue: 64)

  static let discrete: Self = [.discreteAverage, .discreteMinimum, .discreteMaximum, .mostRecent]

  /// The name of an option that does not fit a type, if there is one.
  func unfit(for type: ObjectType) -> String? {
    switch type.aggregation {
    case .cumulative: isDisjoint(with: Self.discrete) ? nil : "of discrete types"
    case .discrete, .temporallyWeighted: contains(.cumulativeSum) ? "cumulativeSum" : nil
    case .none: "of quantities"
    }
  }
}
