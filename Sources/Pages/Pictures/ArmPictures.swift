internal import Typesetting

/// What one or two arms look like: the day, the control-variability grid and the insulin by hour.
///
/// A batch, a cohort and a study draw the same.
struct ArmPictures {
  /// The control first, where there are two.
  let arms: [PicturedArm]
  let words: GlucoseWords
  /// What a member is, in the plural: `runs` or `patients`.
  let noun: String
  /// The members that are called by their names in the grid.
  var named: Set<String> = []
  /// Whether the members of the two arms are the same people, in one order.
  var isPaired = false
  /// What the ids of the headings end with, where a page has several.
  var suffix = ""

  private var profile: DayProfile { DayProfile(arms: arms, words: words, noun: noun) }
  private var grid: VariabilityGrid {
    VariabilityGrid(arms: arms, words: words, named: named, isPaired: isPaired)
  }
  private var insulin: HourlyInsulin { HourlyInsulin(arms: arms, noun: noun) }

  /// The names of the groups, where there are from two to four.
  private var groups: [String] {
    var names: [String] = []
    for member in arms.last?.members ?? [] where !names.contains(member.group) {
      names.append(member.group)
    }
    return (2...4).contains(names.count) ? names : []
  }

  /// The cards; nothing where there is nothing to draw.
  var markup: Markup {
    var left = Markup()
    var right = Markup()
    if let chart = profile.chart {
      left = card(
        "h-day", "How the day runs, \(words.unitName)",
        "\(chart.markup)<p class=\"small\">\(profile.legend)</p>\(small)")
    }
    if let chart = insulin.chart {
      left += card(
        "h-insulin", "Insulin by hour, U",
        "\(chart.markup)<p class=\"small\">\(insulin.legend)</p>")
    }
    if let chart = grid.chart {
      right = card(
        "h-grid", "Control and variability, \(words.unitName)",
        "\(chart.markup)<p class=\"small\">\(grid.legend)</p>\(grid.table)")
    }
    if left.isEmpty && right.isEmpty { return "" }
    return """
      <div class="cols pics"><div class="stack">\(left)</div><div class="stack">\(right)</div></div>

      """
  }

  private func card(_ id: String, _ heading: Markup, _ body: Markup) -> Markup {
    """
    <section class="card" aria-labelledby="\(id)\(suffix)"><h2 class="t" id="\(id)\(suffix)">\
    \(heading)</h2>\(body)</section>
    """
  }

  /// The day of each group, small.
  private var small: Markup {
    let charts = groupProfiles.map { name, chart, count -> Markup in
      "<div><h3>\(name) <span class=\"mut\">\(count)</span></h3>\(chart.drawing.markup)</div>"
    }
    return charts.isEmpty ? "" : "<div class=\"smalls\">\(charts.joined())</div>"
  }

  private var groupProfiles: [(name: String, chart: TickedChart, count: Int)] {
    groups.compactMap { name in
      let own = arms.map { $0.group(name) }
      let profile = DayProfile(arms: own, words: words, noun: noun, height: 110)
      return profile.chart.map { (GroupName.text(name), $0, own.last?.members.count ?? 0) }
    }
  }

  /// The charts as files.
  func figures(title: String) -> [PageFigure] {
    var figures: [PageFigure] = []
    if let chart = profile.chart {
      figures.append(chart.figure("profile\(suffix).svg", title: "Glucose over the day: \(title)"))
    }
    let small = groupProfiles
    if !small.isEmpty {
      var figure = SVGFigure(
        title: "Glucose over the day by group: \(title)",
        rows: small.map { name, chart, _ in
          var row = chart.row
          row.name = name
          row.below = 20
          return row
        })
      figure.bottom = 24
      figures.append(PageFigure("profile-by-group\(suffix).svg", figure))
    }
    if let chart = grid.chart {
      figures.append(
        chart.figure("variability-grid\(suffix).svg", title: "Control and variability: \(title)"))
    }
    if let chart = insulin.chart {
      figures.append(
        chart.figure("insulin-by-hour\(suffix).svg", title: "Insulin by hour: \(title)"))
    }
    return figures
  }
}
