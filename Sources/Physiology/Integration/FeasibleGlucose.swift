/// The range of glucose that basal insulin can hold.
enum FeasibleGlucose {
  /// The lowest and highest feasible concentration, in the unit of `inside`, which is feasible.
  ///
  /// Feasibility is taken to hold without a gap; the bounds are found by bisection between nothing
  /// and a thousand times `inside`.
  static func bounds(inside: Double, _ isFeasible: (Double) -> Bool)
    -> (lowest: Double, highest: Double)
  {
    (
      edge(from: inside, towards: 0, isFeasible),
      edge(from: inside, towards: inside * 1_000, isFeasible)
    )
  }

  private static func edge(from inside: Double, towards end: Double, _ isFeasible: (Double) -> Bool)
    -> Double
  {
    guard isFeasible(inside) else { return .nan }
    assert(inside > 0, "A glucose that can be held is above nothing.")
    var good = inside
    var bad = end
    for _ in 0..<60 {
      let middle = (good + bad) / 2
      if isFeasible(middle) { good = middle } else { bad = middle }
    }
    assert(isFeasible(good), "The edge of what can be held can be held.")
    return good
  }
}
