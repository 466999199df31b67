internal import StructuredText

/// Several drawings under one another as one figure in a file.
public struct SVGFigure: Sendable {
  /// One row of the figure.
  public struct Row: Sendable {
    /// What stands at the left of the chart.
    public var name: String
    /// The chart of the row.
    public var drawing: Drawing
    /// The values at the left edge, each at a fraction of the height.
    public var ticks: [(y: Double, text: String)]
    /// What stands at the right of the chart, such as its figures.
    public var note = ""
    /// What stays free below the row for words under its chart, in pixels.
    public var below = 0

    /// Creates a `Row` from its parts; see the properties.
    public init(name: String, drawing: Drawing, ticks: [(y: Double, text: String)] = []) {
      self.name = name
      self.drawing = drawing
      self.ticks = ticks
    }
  }

  /// What the figure shows, for those who do not see it.
  public var title: String
  /// The rows, from top to bottom.
  public var rows: [Row]
  /// The width of the charts in pixels.
  public var width = 900
  /// What stays free below the last row, in pixels.
  public var bottom = 6

  /// Creates a `SVGFigure` from its parts; see the properties.
  public init(title: String, rows: [Row]) {
    self.title = title
    self.rows = rows
  }

  /// What stands at the left of the charts has this much room, in pixels: the widest name, and
  /// beside it the values of the axis.
  private var margin: Int {
    let values = rows.contains { !$0.ticks.isEmpty } ? 46.0 : 10
    let names = rows.map { LabelRows.width(of: $0.name, size: 11.5) }
    return max(160, Int((names.max() ?? 0) + values))
  }

  /// The room at the right of the charts, in pixels.
  private var right: Int {
    let notes = rows.map { $0.note.isEmpty ? 0 : LabelRows.width(of: $0.note) + 8 }
    return 20 + Int(notes.max() ?? 0)
  }

  /// The file: colours are values, words are text in the reader's fonts, and nothing is fetched.
  public var text: String {
    let height = rows.reduce(bottom) { $0 + $1.drawing.height + $1.below + Self.gap }
    let whole = margin + width + right
    var result: Markup = """
      <svg xmlns="http://www.w3.org/2000/svg" class="fig" width="\(whole)" \
      height="\(height)" viewBox="0 0 \(whole) \(height)" role="img">
      <title>\(title)</title>
      <style>\(Markup(trusted: Self.sheet))</style>
      \(Self.patterns)
      <rect width="100%" height="100%" fill="#fff"/>

      """
    var top = Self.gap
    for row in rows {
      result += markup(of: row, top: top)
      top += row.drawing.height + row.below + Self.gap
    }
    return (result + "</svg>\n").text
  }

  private static let gap = 6
  private static let sheet =
    PageColours.resolved(ChartStyle.sheet) + ChartSheet.figureWords
  private static let patterns: Markup = """
    <defs><pattern id="gp" width="6" height="6" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(45)"><path d="M0 0V6" style="stroke:#d9dfe7;stroke-width:3"/>\
    </pattern>\
    <pattern id="su" width="5" height="5" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(-45)"><path d="M0 0V5" style="stroke:#7a0c1e;stroke-width:1"/>\
    </pattern>\
    </defs>
    """

  private func markup(of row: Row, top: Int) -> Markup {
    let (drawing, height) = (row.drawing, Double(row.drawing.height))
    var result: Markup = "<g transform=\"translate(0 \(top))\">"
    result += "<text x=\"0\" y=\"12\" class=\"b\">\(row.name)</text>"
    for tick in row.ticks {
      result += """
        <text x="\(margin - 6)" y="\(number(tick.y * height + 4))" text-anchor="end" class="ax">\
        \(tick.text)</text>
        """
    }
    if !row.note.isEmpty {
      result += """
        <text x="\(margin + width + 8)" y="\(number(height / 2 + 4))">\(row.note)</text>
        """
    }
    for box in drawing.boxes { result += markup(of: box, height: height) }
    result += """
      <svg x="\(margin)" width="\(width)" height="\(drawing.height)" viewBox="0 0 10000 1000" \
      preserveAspectRatio="none" overflow="visible">
      """
    for shape in drawing.shapes {
      result += "<path class=\"\(shape.style.rawValue)\" d=\"\(shape.path.data)\"/>"
    }
    result += "</svg>"
    for word in drawing.words where word.zoom == 1 { result += markup(of: word, height: height) }
    return result + "</g>\n"
  }

  private func markup(of box: Drawing.Box, height: Double) -> Markup {
    // On a page such a box has its left border alone.
    if box.style == .clockChange {
      let x = number(place(box.left))
      return """
        <line x1="\(x)" x2="\(x)" y1="\(number(box.top * height))" \
        y2="\(number(box.bottom * height))" stroke="#566272" stroke-dasharray="3 3"/>
        """
    }
    let paint: Markup =
      switch box.style {
      case .gap: "fill=\"url(#gp)\""
      case .suspended: "fill=\"url(#su)\" stroke=\"#7a0c1e\""
      case .missing: "fill=\"none\" stroke=\"#c4202f\" stroke-dasharray=\"4 2.5\""
      case .openLoop: "fill=\"none\" stroke=\"#566272\" stroke-dasharray=\"3 2\""
      case .badBand: "fill=\"#c4202f\" opacity=\".12\""
      case .warnBand: "fill=\"#8f4e00\" opacity=\".1\""
      default: "fill=\"none\" stroke=\"#dfe5ec\""
      }
    return """
      <rect x="\(number(place(box.left)))" y="\(number(box.top * height))" \
      width="\(number((box.right - box.left) * Double(width)))" \
      height="\(number((box.bottom - box.top) * height))" \(paint)/>
      """
  }

  private func markup(of word: Drawing.Word, height: Double) -> Markup {
    let anchor = word.anchor == .start ? "" : " text-anchor=\"\(word.anchor.rawValue)\""
    let (x, y) = (place(word.x), word.y * height)
    var result = Markup()
    if let ground = word.style.badgeColour {
      result += "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"11\" fill=\"\(ground)\"/>"
    }
    result += """
      <text x="\(number(x))" y="\(number(y + 4))"\(Markup(trusted: anchor)) \
      class="\(word.style.rawValue)">\(word.text.withoutElements)</text>
      """
    return result
  }

  private func place(_ x: Double) -> Double { Double(margin) + x * Double(width) }

  private func number(_ value: Double) -> String { FixedDecimal.text(value, decimals: 1) }
}

extension ChartStyle {
  /// The ground of a badge on paper; `nil` for what is no badge.
  fileprivate var badgeColour: String? {
    switch self {
    case .badgeBad: "#c4202f"
    case .badgeWarn: "#8f4e00"
    case .badgeOk: "#117047"
    case .badgeInfo: "#526176"
    default: nil
    }
  }
}

extension Markup {
  /// The text between the elements, still escaped: SVG knows no elements of HTML.
  package var withoutElements: Markup {
    var result = ""
    var isInside = false
    for character in text {
      if character == "<" {
        isInside = true
      } else if character == ">" {
        isInside = false
      } else if !isInside {
        result.append(character)
      }
    }
    return Markup(trusted: result)
  }
}
