/// Puts words that stand side by side into rows, so that none covers another.
public struct LabelRows: Sendable {
  /// How wide the plot of a page is at least, in pixels; what fits there fits wherever it is wider.
  public static let leastWidth = 900.0

  private let plotWidth: Double
  private let gap: Double
  private var ends: [Double]

  /// Creates empty rows.
  ///
  /// - Parameters:
  ///   - count: How many rows there are.
  ///   - plotWidth: The width of the plot in pixels at its narrowest.
  ///   - gap: What stays free between two words, in pixels.
  public init(count: Int, plotWidth: Double = Self.leastWidth, gap: Double = 6) {
    assert(plotWidth > 0, "Words are placed over some width.")
    precondition(count >= 0, "There are no fewer than no rows.")
    self.plotWidth = plotWidth
    self.gap = gap
    ends = [Double](repeating: -.infinity, count: count)
  }

  /// The row for the next word, from left to right; `nil` where there is room in none.
  ///
  /// - Parameters:
  ///   - text: The word.
  ///   - x: Its place as a fraction of the plot.
  ///   - anchor: Where it stands relative to its place.
  ///   - size: The height of its letters in pixels.
  /// - Returns: The row, from 0.
  public mutating func place(
    _ text: String, at x: Double, _ anchor: Drawing.Anchor = .middle, size: Double = 11
  ) -> Int? {
    let (left, right) = edges(of: text, at: x, anchor, size: size)
    guard let row = ends.firstIndex(where: { $0 + gap <= left }) else { return nil }
    ends[row] = right
    return row
  }

  /// Whether a row has room for the next word, from left to right.
  ///
  /// - Parameters:
  ///   - text: The word.
  ///   - x: Its place as a fraction of the plot.
  ///   - anchor: Where it stands relative to its place.
  ///   - row: The row, from 0.
  /// - Returns: Whether the word covers none that is there.
  public func hasRoom(
    for text: String, at x: Double, _ anchor: Drawing.Anchor, row: Int
  ) -> Bool {
    ends[row] + gap <= edges(of: text, at: x, anchor, size: 11).left
  }

  /// Takes the room of the next word in a row.
  ///
  /// - Parameters:
  ///   - text: The word.
  ///   - x: Its place as a fraction of the plot.
  ///   - anchor: Where it stands relative to its place.
  ///   - row: The row, from 0.
  public mutating func take(_ text: String, at x: Double, _ anchor: Drawing.Anchor, row: Int) {
    ends[row] = edges(of: text, at: x, anchor, size: 11).right
  }

  private func edges(
    of text: String, at x: Double, _ anchor: Drawing.Anchor, size: Double
  ) -> (left: Double, right: Double) {
    let width = Self.width(of: text, size: size)
    let left =
      switch anchor {
      case .start: x * plotWidth
      case .middle: x * plotWidth - width / 2
      case .end: x * plotWidth - width
      }
    assert(width >= 0, "A word is no narrower than nothing.")
    return (left, left + width)
  }

  /// The width of a word in pixels in a wide font (DejaVu Sans), so that no other clips it.
  public static func width(of text: String, size: Double = 11) -> Double {
    text.unicodeScalars.reduce(0) { $0 + Self.advance(of: $1) * size }
  }

  /// The advance of a character in ems, by classes of DejaVu Sans.
  private static func advance(of scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", " ", "|", "!": 0.34
    case "f", "t", "r", "-", "(", ")", "/": 0.42
    case "m", "w", "M", "W", "%", "@": 0.98
    case "A"..."Z": 0.72
    case "0"..."9", "a"..."z": 0.63
    default: 0.86
    }
  }

  /// The zoom from which a word fits into a stretch of the plot: 1, 2, 4 or 8; `nil` when none
  /// does.
  public static func zoom(
    for text: String, within width: Double, size: Double = 10, plotWidth: Double = Self.leastWidth
  ) -> Int? {
    [1, 2, 4, 8].first { width * plotWidth * Double($0) >= Self.width(of: text, size: size) + 3 }
  }
}
