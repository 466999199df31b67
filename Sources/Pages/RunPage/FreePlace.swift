internal import Typesetting

/// Finds a place on a chart where a word covers neither a line nor another word.
struct FreePlace {
  /// A part of the chart that is not free, as fractions of its width and height.
  private struct Field {
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double
  }

  /// Half of what a word takes of the chart's height.
  let half: Double
  private var fields: [Field] = []

  /// Begins with a chart that is free, for words of a height in pixels.
  init(height: Int, size: Double = 11) {
    assert(height > 0, "A chart is higher than nothing.")
    half = (size / 2 + 1) / Double(height)
  }

  /// Takes what a line crosses.
  mutating func take(_ line: [(x: Double, y: Double)]) {
    for (from, to) in zip(line, line.dropFirst()) {
      fields.append(
        Field(
          left: min(from.x, to.x), right: max(from.x, to.x), top: min(from.y, to.y),
          bottom: max(from.y, to.y)))
    }
  }

  /// Takes what a word covers.
  mutating func take(_ word: String, at x: Double, _ y: Double, _ anchor: Drawing.Anchor) {
    fields.append(field(of: word, at: x, y, anchor))
  }

  /// Takes what the words of a drawing cover.
  mutating func take(wordsOf drawing: Drawing) {
    // Blanks keep both words apart.
    for word in drawing.words {
      take("  \(word.text.withoutElements.text)  ", at: word.x, word.y, word.anchor)
    }
  }

  /// Whether a word would cover nothing at a place.
  func isFree(_ word: String, at x: Double, _ y: Double, _ anchor: Drawing.Anchor) -> Bool {
    isFree(field(of: word, at: x, y, anchor))
  }

  private func field(
    of word: String, at x: Double, _ y: Double, _ anchor: Drawing.Anchor
  ) -> Field {
    let width = Self.width(of: word)
    let left = anchor == .start ? x : anchor == .middle ? x - width / 2 : x - width
    return Field(left: left, right: left + width, top: y - half, bottom: y + half)
  }

  private func isFree(_ own: Field) -> Bool {
    !fields.contains {
      $0.left < own.right && $0.right > own.left && $0.top < own.bottom && $0.bottom > own.top
    }
  }

  /// The free place nearest to a wanted one.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - x: Where it should start, as a fraction of the width.
  ///   - heights: The heights of its middle that may be, the better first.
  /// - Returns: Where it starts and the height of its middle; `nil` where nothing is free.
  func place(
    for word: String, near x: Double, heights: [Double]
  ) -> (x: Double, y: Double)? {
    let width = Self.width(of: word)
    let places = stride(from: 0, through: max(0, 1 - width), by: 0.01)
      .sorted { ($0 - x).magnitude < ($1 - x).magnitude }
    for place in places {
      let height = heights.first { isFree(word, at: place, $0, .start) }
      if let height { return (place, height) }
    }
    return nil
  }

  private static func width(of word: String) -> Double {
    LabelRows.width(of: word) / LabelRows.leastWidth
  }
}
