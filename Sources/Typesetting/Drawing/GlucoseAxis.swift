internal import Quantities

/// The upright axis of a chart of glucose, and what its points look like.
package struct GlucoseAxis {
  /// The value at the lower edge, in mg/dL.
  package let low: Double
  /// The value at the upper edge, in mg/dL.
  package let high: Double

  /// The part of the chart's height that it takes, from above.
  private let part: Double

  /// How far apart two numbers of the axis stand at least, in pixels.
  private static let leastBetweenTicks = 10.0

  /// The axis for values in mg/dL.
  ///
  /// A low below what sensors show has its place; a high that no body has would leave no room.
  ///
  /// - Parameters:
  ///   - values: The values in mg/dL.
  ///   - part: The part of the chart's height that it takes, from above.
  package init(of values: some Sequence<Double>, upTo part: Double = 1) {
    assert(part > 0 && part <= 1, "An axis lies on its chart.")
    self.part = part
    let (least, most) = values.reduce((40.0, 0.0)) { (min($0.0, $1), max($0.1, $1)) }
    low = least < 40 ? max(0, (least / 10).rounded(.down) * 10) : 40
    high = min(620, max(285, (most / 20).rounded(.up) * 20 + 15))
  }

  /// The place of a value, as a fraction of the height from above.
  package func y(_ mgdL: Double) -> Double {
    part * (high - min(high, max(low, mgdL))) / (high - low)
  }

  /// The pieces of a line that lie on the chart: it is cut where it crosses an edge, and does not
  /// run along it.
  ///
  /// - Parameter line: Its points, by `x`.
  /// - Returns: The points of each piece, two or more.
  package func pieces(of line: [(x: Double, mgdL: Double)]) -> [[(x: Double, y: Double)]] {
    var pieces: [[(x: Double, y: Double)]] = []
    var goesOn = false
    for (from, to) in zip(line, line.dropFirst()) {
      let rise = to.mgdL - from.mgdL
      var (first, last) = (0.0, 1.0)
      if rise == 0 {
        if !(low...high).contains(from.mgdL) { last = -1 }
      } else {
        let crossings = [(low - from.mgdL) / rise, (high - from.mgdL) / rise].sorted()
        (first, last) = (max(0, crossings[0]), min(1, crossings[1]))
      }
      guard first < last else {
        goesOn = false
        continue
      }
      func point(at part: Double) -> (x: Double, y: Double) {
        (from.x + part * (to.x - from.x), y(from.mgdL + part * rise))
      }
      if !goesOn || first > 0 { pieces.append([point(at: first)]) }
      pieces[pieces.count - 1].append(point(at: last))
      goesOn = last == 1
    }
    return pieces
  }

  /// The values that the axis names: the bounds of the ranges, and what is far above them.
  ///
  /// Of two that would stand on one another the one nearer to the target stays.
  package func ticks(height: Int) -> [Double] {
    var ticks: [Double] = []
    for value in [180.0, 70, 250, 54, 400, 600] where value < high {
      let isFree = ticks.allSatisfy {
        ((y($0) - y(value)) * Double(height)).magnitude >= Self.leastBetweenTicks
      }
      if isFree { ticks.append(value) }
    }
    return ticks.sorted(by: >)
  }

  /// How a reading looks, by its range.
  package static func style(_ mgdL: Double) -> ChartStyle {
    guard ConsensusLimit.isExceeded(180, by: mgdL) else {
      return mgdL < 54 ? .veryLow : mgdL < 70 ? .low : .inRange
    }
    return ConsensusLimit.isExceeded(250, by: mgdL) ? .veryHigh : .high
  }
}

extension Drawing {
  /// Draws readings, each by its range: those below target are rings.
  package mutating func addReadings(_ readings: [(x: Double, mgdL: Double)], on axis: GlucoseAxis) {
    var paths: [ChartStyle: SVGPath] = [:]
    for (x, mgdL) in readings {
      paths[GlucoseAxis.style(mgdL), default: SVGPath()].dot(at: x, axis.y(mgdL))
      if mgdL < 70 { paths[.hollow, default: SVGPath()].dot(at: x, axis.y(mgdL)) }
    }
    for style in [ChartStyle.inRange, .high, .veryHigh, .low, .veryLow, .hollow] {
      if let path = paths[style] { add(path, style) }
    }
  }
}
