internal import Typesetting

/// What stands at a dose.
struct DoseWord {
  var text: Markup
  /// What the text is as wide as.
  var plain: String
  /// The place of the dose, as a fraction of the plot.
  var x: Double
  /// Whether it stands before its dose, as what was not given does: another dose may follow.
  var isBefore = false
}

/// The words of doses in one row of a lane: beside one another, and those without room where a
/// zoom gives it.
struct DoseWords {
  let words: [DoseWord]
  /// The height of their middle, as a fraction of the lane.
  let y: Double
  let style: ChartStyle
  /// How far a word stands from its dose, as a fraction of the plot.
  let shift: Double
  /// The places of the marks that reach into the row of words, none of which a word covers.
  let bars: [Double]

  init(
    _ words: [DoseWord], y: Double, style: ChartStyle, shift: Double = 0.007, bars: [Double] = []
  ) {
    self.words = words
    self.y = y
    self.style = style
    self.shift = shift
    self.bars = bars
  }

  /// What stays free between a word and the next bar, as a part of the plot.
  private static let besideBar = 0.005

  /// How many times wider the plot is at each zoom.
  private static let zooms = [1, 2, 4, 8]

  /// Draws the words.
  ///
  /// - Returns: The places of the words that do not show without a zoom.
  @discardableResult
  func draw(in drawing: inout Drawing) -> [Double] {
    var hidden: [Double] = []
    var rows = Self.zooms.map {
      LabelRows(count: 1, plotWidth: LabelRows.leastWidth * Double($0))
    }
    for word in words.sorted(by: { $0.x < $1.x }) {
      guard let (level, x, anchor) = place(word, in: &rows) else {
        hidden.append(word.x)
        continue
      }
      if level > 0 { hidden.append(word.x) }
      // What is shown at a zoom is shown at all higher ones.
      for higher in rows.indices where higher > level {
        _ = rows[higher].place(word.plain, at: x, anchor)
      }
      drawing.word(word.text, at: x, y, anchor, style, zoom: Self.zooms[level])
    }
    return hidden
  }

  /// The first zoom at which a word has room, and its place there; `nil` where it has none.
  private func place(
    _ word: DoseWord, in rows: inout [LabelRows]
  ) -> (level: Int, x: Double, anchor: Drawing.Anchor)? {
    let width = LabelRows.width(of: word.plain) / LabelRows.leastWidth
    for level in rows.indices {
      for anchor in anchors(of: word, width: width) {
        // At the left edge lie the lanes' names, which would cover what stands before it.
        let x = anchor == .end ? word.x - shift : max(0, word.x + shift)
        let room = width / Double(Self.zooms[level]) + Self.besideBar
        let (left, right) = anchor == .end ? (x - room, x) : (x, x + room)
        guard !bars.contains(where: { $0 != word.x && left < $0 && $0 < right }) else { continue }
        if rows[level].place(word.plain, at: x, anchor) != nil { return (level, x, anchor) }
      }
    }
    return nil
  }

  /// On which sides of its dose a word may stand, the better first.
  private func anchors(of word: DoseWord, width: Double) -> [Drawing.Anchor] {
    // A word that would go beyond the border ends there.
    if word.x > 0.93 || word.x + shift + width > 1 { return [.end] }
    // What stands before its place stands after it where there is room only there.
    if word.isBefore && word.x > width { return [.end, .start] }
    return bars.isEmpty || word.x < width ? [.start] : [.start, .end]
  }
}
