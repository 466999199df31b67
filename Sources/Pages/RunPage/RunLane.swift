internal import Quantities
internal import Typesetting

/// One lane of a timeline: what stands at its left, its chart, and the values at its edge.
struct RunLane {
  /// The classes of its row: `axis`, `mode`, `two` where words stand in two rows or more, which
  /// need more room on paper than other lanes do.
  var style = ""
  /// The class of its name: `p` pump, `l` app, `h` health store, `y` body.
  var record = ""
  var name: Markup
  var unit: Markup = ""
  /// The marks and what they mean.
  var legend: [Markup] = []
  var drawing: Drawing
  /// The values at the left edge, each at a fraction of the height.
  var ticks: [(y: Double, text: Markup)] = []
  /// Attributes of the row that the script reads.
  var attributes: Markup = ""
  /// The name where the lane is a figure in a file.
  var plainName = ""

  /// The lane as a row of a figure.
  var row: SVGFigure.Row {
    SVGFigure.Row(
      name: plainName, drawing: drawing, ticks: ticks.map { ($0.y, $0.text.withoutElements.text) })
  }

  /// The row of the page.
  var markup: Markup {
    let ticks = ticks.map {
      "<i style=\"top:\(Drawing.percent($0.y))\">\($0.text)</i>" as Markup
    }.joined()
    let legend = legend.map { "<i class=\"k\">\($0)</i>" as Markup }.joined()
    let units: Markup = unit.isEmpty ? "" : "<span>\(unit)</span>"
    let title: Markup = name.isEmpty ? "" : "<b>\(name)</b>"
    return """
      <div class="row \(style)"\(attributes) style="--h:\(drawing.height)">\
      <div class="lab \(record)">\(title)\(units)\(legend)</div>\(drawing.markup)\
      <div class="ticks" aria-hidden="true">\(ticks)</div></div>

      """
  }
}
