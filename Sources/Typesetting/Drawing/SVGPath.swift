/// The data of an SVG path on a whole-number grid, with relative commands.
///
/// A chart is 10,000 units wide and 1,000 high and stretches to its place; a unit is then at most
/// an eighth of a pixel wide, so that whole numbers are exact enough and short.
public struct SVGPath: Hashable, Sendable {
  /// The width and the height of every chart in units.
  public static let width = 10_000.0
  /// The height of a chart in the units of its paths.
  public static let height = 1_000.0

  /// The value of the attribute `d`.
  public private(set) var data = ""
  private var x = 0
  private var y = 0

  /// Creates an empty path.
  public init() {}

  /// Whether nothing is drawn.
  public var isEmpty: Bool { data.isEmpty }

  /// Goes to a point without drawing; places are fractions of the chart from its left upper corner.
  public mutating func move(to x: Double, _ y: Double) {
    let (nextX, nextY) = Self.grid(x, y)
    data += data.isEmpty ? "M\(nextX) \(nextY)" : "m" + Self.pair(nextX - self.x, nextY - self.y)
    (self.x, self.y) = (nextX, nextY)
  }

  /// Draws a straight line to a point.
  public mutating func line(to x: Double, _ y: Double) {
    let (nextX, nextY) = Self.grid(x, y)
    let (dx, dy) = (nextX - self.x, nextY - self.y)
    if dx == 0, dy == 0 { return }
    data += dy == 0 ? "h\(dx)" : dx == 0 ? "v\(dy)" : "l" + Self.pair(dx, dy)
    (self.x, self.y) = (nextX, nextY)
  }

  /// A dot: a line of a single unit, which its caps make visible.
  ///
  /// PDF paints nothing where a line of no length has square caps.
  public mutating func dot(at x: Double, _ y: Double) {
    move(to: x, y)
    data += "h1"
    self.x += 1
  }

  /// An upright line, drawn from the end that is at the height of the line before, if one is:
  /// many such lines side by side are then short.
  public mutating func upright(at x: Double, from top: Double, to bottom: Double) {
    let isUpwards = !isEmpty && Self.grid(x, bottom).y == y
    move(to: x, isUpwards ? bottom : top)
    line(to: x, isUpwards ? top : bottom)
  }

  /// A level line.
  public mutating func level(at y: Double, from left: Double, to right: Double) {
    assert(y.isFinite && left.isFinite && right.isFinite, "A line has two ends.")
    move(to: left, y)
    line(to: right, y)
  }

  /// A rectangle; one of no height or width is left out.
  public mutating func rectangle(left: Double, top: Double, right: Double, bottom: Double) {
    assert(!left.isNaN && !right.isNaN && !top.isNaN && !bottom.isNaN, "A box has four sides.")
    let (from, to) = (Self.grid(left, top), Self.grid(right, bottom))
    guard to.x > from.x, to.y > from.y else { return }
    move(to: left, top)
    data += "h\(to.x - from.x)v\(to.y - from.y)h\(from.x - to.x)z"
  }

  /// Boxes of one height side by side, earliest first: those that touch become one rectangle with
  /// upright lines in it, which looks the same and is half as long.
  public mutating func boxes(
    _ spans: [(left: Double, right: Double)], top: Double, bottom: Double
  ) {
    var index = 0
    while index < spans.count {
      var last = index
      while last + 1 < spans.count,
        Self.grid(spans[last].right, 0).x == Self.grid(spans[last + 1].left, 0).x,
        spans[last + 1].right > spans[last + 1].left
      {
        last += 1
      }
      rectangle(left: spans[index].left, top: top, right: spans[last].right, bottom: bottom)
      for span in spans[index..<last] { upright(at: span.right, from: top, to: bottom) }
      index = last + 1
    }
  }

  /// Areas of different heights on one ground, earliest first: those that touch become one outline.
  public mutating func columns(
    _ columns: [(left: Double, right: Double, top: Double)], ground: Double
  ) {
    var index = 0
    while index < columns.count {
      var last = index
      while last + 1 < columns.count,
        Self.grid(columns[last].right, 0).x == Self.grid(columns[last + 1].left, 0).x
      {
        last += 1
      }
      area(
        columns[index...last].flatMap { [($0.left, $0.top), ($0.right, $0.top)] }, downTo: ground)
      index = last + 1
    }
  }

  /// A line through points; a new stretch begins where the point before is missing.
  public mutating func polyline(_ points: [(x: Double, y: Double)]) {
    for (index, point) in points.enumerated() {
      if index == 0 { move(to: point.x, point.y) } else { line(to: point.x, point.y) }
    }
  }

  /// The area between points and a level.
  public mutating func area(_ points: [(x: Double, y: Double)], downTo base: Double) {
    guard let first = points.first, let last = points.last, points.count > 1 else { return }
    move(to: first.x, base)
    for point in points { line(to: point.x, point.y) }
    line(to: last.x, base)
    data += "z"
    // After closing, the point is where the stretch began.
    assert(points.count > 1, "An area has two points or more.")
    (x, y) = Self.grid(first.x, base)
  }

  private static func grid(_ x: Double, _ y: Double) -> (x: Int, y: Int) {
    (whole(x * width, limit: 10 * width), whole(y * height, limit: 10 * height))
  }

  private static func whole(_ value: Double, limit: Double) -> Int {
    value.isFinite ? Int(min(limit, max(-limit, value)).rounded()) : 0
  }

  private static func pair(_ x: Int, _ y: Int) -> String { y < 0 ? "\(x)\(y)" : "\(x) \(y)" }
}
