internal import Typesetting

/// A line over the hours of a day, from one figure for each.
enum HourlyLine {
  /// The line in pieces, from 0 at midnight to 1 at the next.
  ///
  /// Over an hour without a figure it would state one. A figure is drawn at half past its hour, and
  /// that of an hour alone is a short level.
  static func pieces(_ figures: [Double?]) -> [[(x: Double, y: Double)]] {
    assert(figures.count == 24, "A day has 24 hours.")
    var pieces: [[(hour: Int, y: Double)]] = []
    for (hour, figure) in figures.enumerated() {
      guard let figure else { continue }
      if pieces.last?.last?.hour != hour - 1 { pieces.append([]) }
      pieces[pieces.count - 1].append((hour, figure))
    }
    return pieces.map { piece in
      let points = piece.map { (x: (Double($0.hour) + 0.5) / 24, y: $0.y) }
      guard points.count == 1, let point = points.first else { return points }
      return [(point.x - 0.25 / 24, point.y), (point.x + 0.25 / 24, point.y)]
    }
  }

  /// The pieces of a line that goes on over midnight, where both hours beside it have a figure.
  static func piecesOverMidnight(_ figures: [Double?]) -> [[(x: Double, y: Double)]] {
    var pieces = pieces(figures)
    guard let first = figures.first ?? nil, let last = figures.last ?? nil else { return pieces }
    let edge = (first + last) / 2
    pieces[0].insert((0, edge), at: 0)
    pieces[pieces.count - 1].append((1, edge))
    return pieces
  }

  /// Adds the area between two lines that have pieces over the same hours.
  static func addBand(
    between lower: [[(x: Double, y: Double)]], and upper: [[(x: Double, y: Double)]],
    to path: inout SVGPath
  ) {
    for (low, high) in zip(lower, upper) { path.polyline(low + high.reversed()) }
  }
}
