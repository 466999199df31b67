/// Thins lines that are to be drawn.
public enum Simplification {
  /// The points without which a line strays further than a tolerance from the whole one.
  ///
  /// D. H. Douglas and T. K. Peucker, Cartographica 10 (1973) 112–122. Distances are measured
  /// upright, because the points of a series are one for each time.
  ///
  /// - Parameters:
  ///   - points: The points, by `x`.
  ///   - tolerance: The largest distance in the unit of `y`.
  /// - Returns: The points that are needed, the first and the last among them.
  public static func thinned(
    _ points: [(x: Double, y: Double)], tolerance: Double
  ) -> [(x: Double, y: Double)] {
    guard points.count > 2 else { return points }
    assert(tolerance >= 0, "A line is thinned to within some distance.")
    var isKept = [Bool](repeating: false, count: points.count)
    isKept[0] = true
    isKept[points.count - 1] = true
    var open = [(0, points.count - 1)]
    while let (first, last) = open.popLast() {
      let (from, to) = (points[first], points[last])
      let slope = to.x > from.x ? (to.y - from.y) / (to.x - from.x) : 0
      var farthest = first
      var distance = tolerance
      for index in stride(from: first + 1, to: last, by: 1) {
        let off = (points[index].y - from.y - slope * (points[index].x - from.x)).magnitude
        if off > distance { (farthest, distance) = (index, off) }
      }
      guard farthest != first else { continue }
      assert(first < farthest && farthest < last, "A point that is kept lies between two others.")
      isKept[farthest] = true
      open += [(first, farthest), (farthest, last)]
    }
    return points.indices.filter { isKept[$0] }.map { points[$0] }
  }
}
