internal import Quantities

extension GlucoseSeries {
  /// Readings that stand for a limit of the consensus.
  public struct ReadingsAtLimit: Hashable, Sendable {
    /// The limit in mg/dL, and as the consensus writes it in mmol/L.
    public let mgdL: Double
    /// The same limit in mmol/L.
    public let mmolL: Double
    /// How many readings there are.
    public let count: Int
  }

  /// Glucose in mg/dL nearer than this is the same but for arithmetic.
  private static let smallestDifference = 1e-3

  /// Whether the readings were written in tenths of a mmol/L.
  ///
  /// Of readings in mg/dL none lies on a tenth of a mmol/L but by chance; what a sensor reports as
  /// LOW or HIGH need not lie on one.
  public var isInTenthsOfMillimoles: Bool {
    let onTenths = points.count { point in
      let tenths = (point.mgdL / GlucoseConcentration.mgdLPerMmolL * 10).rounded() / 10
      return Self.isSame(point.mgdL, GlucoseConcentration.mmolL(tenths).mgdL)
    }
    return 10 * onTenths > 9 * points.count
  }

  /// The readings of a record in mmol/L, of which those that are written as an upper limit of the
  /// consensus are at that limit, and how many they are.
  ///
  /// 10.0 mmol/L is in range, as the consensus has it; converted it would be 180.16 mg/dL, which is
  /// above 180. At the lower limits nothing changes: 3.9 mmol/L is not below 70 mg/dL.
  public func atConsensusLimits() -> (series: GlucoseSeries, moved: [ReadingsAtLimit]) {
    var points = self.points
    let moved = ConsensusLimit.inBothUnits.compactMap { limit -> ReadingsAtLimit? in
      let written = GlucoseConcentration.mmolL(limit.mmolL).mgdL
      guard limit.mgdL > ConsensusLimit.lowerLimits.upperBound, written > limit.mgdL else {
        return nil
      }
      let places = points.indices.filter { Self.isSame(points[$0].mgdL, written) }
      for place in places { points[place].mgdL = limit.mgdL }
      return places.isEmpty
        ? nil : ReadingsAtLimit(mgdL: limit.mgdL, mmolL: limit.mmolL, count: places.count)
    }
    return (with(points), moved)
  }

  private static func isSame(_ first: Double, _ second: Double) -> Bool {
    (first - second).magnitude < smallestDifference
  }
}
