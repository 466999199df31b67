/// A chart with the values of its upright axis at its left, on a page and as a figure in a file.
package struct TickedChart {
  /// What is drawn, as it stands at the left of a figure.
  package var name: String
  /// The drawing.
  package var drawing: Drawing
  /// The values of the axis, each at a fraction of the height.
  package var ticks: [(y: Double, text: Markup)]

  package init(name: String, drawing: Drawing, ticks: [(y: Double, text: Markup)] = []) {
    self.name = name
    self.drawing = drawing
    self.ticks = ticks
  }

  /// The chart on a page.
  package var markup: Markup {
    let values = ticks.map {
      "<i style=\"top:\(Drawing.percent($0.y))\">\($0.text)</i>" as Markup
    }
    return """
      <div class="pf"><div class="ticks" style="--h:\(drawing.height)" aria-hidden="true">\
      \(values.joined())</div>\(drawing.markup)</div>
      """
  }

  /// The chart as a row of a figure.
  package var row: SVGFigure.Row {
    SVGFigure.Row(
      name: name, drawing: drawing, ticks: ticks.map { ($0.y, $0.text.withoutElements.text) })
  }

  /// The chart as a figure of its own, with room for the words below it.
  package func figure(_ fileName: String, title: String) -> PageFigure {
    var figure = SVGFigure(title: title, rows: [row])
    figure.bottom = 24
    return PageFigure(fileName, figure)
  }
}

/// A chart of a page as a file that stands alone.
public struct PageFigure: Sendable {
  /// The file's name, such as `profile.svg`.
  public let name: String
  let figure: SVGFigure

  package init(_ name: String, _ figure: SVGFigure) {
    self.name = name
    assert(!name.isEmpty, "A figure has the name of a file.")
    self.figure = figure
  }

  /// The text of the file.
  public var text: String { figure.text }

  /// The part of a file's name for a name that comes from a scenario or a record: letters, digits
  /// and hyphens.
  package static func slug(_ name: String) -> String {
    var result = ""
    for scalar in name.lowercased().unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9", ".": result.unicodeScalars.append(scalar)
      default: if !result.hasSuffix("-") { result += "-" }
      }
    }
    let trimmed = result.drop { $0 == "-" || $0 == "." }.prefix(60)
    return trimmed.isEmpty ? "chart" : String(trimmed)
  }
}
