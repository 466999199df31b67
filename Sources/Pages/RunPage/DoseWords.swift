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
  /// How it looks, where that is not as the other words of its row.
  var style: ChartStyle?
}

/// The words of doses in a row of a lane, or in two: beside one another, and those without room
/// where a zoom gives it.
struct DoseWords {
  let words: [DoseWord]
  /// The heights of the rows' middles, as fractions of the lane, the better row first.
  let rows: [Double]
  let style: ChartStyle
  /// How far a word stands from its dose, as a fraction of the plot.
  let shift: Double
  /// The places of the marks that reach into the row of words, none of which a word covers.
  let bars: [Double]

  init(
    _ words: [DoseWord], y rows: Double..., style: ChartStyle, shift: Double = 0.007,
    bars: [Double] = []
  ) {
    self.words = words
    self.rows = rows
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
  /// - Returns: The words that do not show without a zoom.
  @discardableResult
  func draw(in drawing: inout Drawing) -> [DoseWord] {
    var hidden: [DoseWord] = []
    var taken = Self.zooms.map {
      LabelRows(count: rows.count, plotWidth: LabelRows.leastWidth * Double($0))
    }
    for word in words.sorted(by: { ($0.x, $0.plain) < ($1.x, $1.plain) }) {
      guard let place = place(word, in: taken) else {
        hidden.append(word)
        continue
      }
      if place.level > 0 { hidden.append(word) }
      for level in place.level..<taken.count {
        taken[level].take(word.plain, at: place.x, place.anchor, row: place.row)
      }
      drawing.word(
        word.text, at: place.x, rows[place.row], place.anchor, word.style ?? style,
        zoom: Self.zooms[place.level])
    }
    return hidden
  }

  /// Where a word stands, and from which zoom on.
  private struct Place {
    var level: Int
    var row: Int
    var x: Double
    var anchor: Drawing.Anchor
  }

  /// The first zoom at which a word has room, and its place there; `nil` where it has none.
  ///
  /// What is shown at a zoom is shown at all higher ones, and has room there too.
  private func place(_ word: DoseWord, in taken: [LabelRows]) -> Place? {
    let width = LabelRows.width(of: word.plain) / LabelRows.leastWidth
    for level in taken.indices {
      for anchor in anchors(of: word, width: width) {
        // At the left edge lie the lanes' names, which would cover what stands before it.
        let x = anchor == .end ? word.x - shift : max(0, word.x + shift)
        let room = width / Double(Self.zooms[level]) + Self.besideBar
        let (left, right) = anchor == .end ? (x - room, x) : (x, x + room)
        guard !bars.contains(where: { $0 != word.x && left < $0 && $0 < right }) else { continue }
        let row = rows.indices.first { row in
          taken[level...].allSatisfy { $0.hasRoom(for: word.plain, at: x, anchor, row: row) }
        }
        if let row { return Place(level: level, row: row, x: x, anchor: anchor) }
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
