internal import Quantities

extension GlucoseSeries {
  /// Readings that are written as a limit of the consensus.
  public struct ReadingsAtLimit: Hashable, Sendable {
    /// The limit in mg/dL.
    public let mgdL: Double
    /// The same limit as the consensus writes it in mmol/L.
    public let mmolL: Double
    /// How many readings there are.
    public let count: Int
  }

  /// The readings that count as an upper limit of the consensus, as they are written so in mmol/L,
  /// and converted would lie above it; see `ConsensusLimit.isExceeded(_:by:)`.
  public var readingsAtLimits: [ReadingsAtLimit] {
    ConsensusLimit.inBothUnits.compactMap { limit in
      let count = points.count {
        $0.mgdL > limit.mgdL && ConsensusLimit.isWritten(limit.mgdL, as: $0.mgdL)
      }
      // At 54 and 70 nothing is counted otherwise than it would be.
      guard count > 0, limit.mgdL > 70 else { return nil }
      return ReadingsAtLimit(mgdL: limit.mgdL, mmolL: limit.mmolL, count: count)
    }
  }
}
