internal import Quantities
internal import Reports
internal import StructuredText
internal import Typesetting

/// What was expected above what was found, around the first difference of a run's basal.
struct ReplayLanes {
  private let outcome: ReplayOutcome
  private let from: Instant
  private let to: Instant
  private let at: Instant

  /// Finds the stretch; `nil` where the basal samples do not differ.
  init?(_ outcome: ReplayOutcome) {
    let (kept, found) = (Set(outcome.kept), Set(outcome.found))
    let changed =
      outcome.kept.filter { !found.contains($0) } + outcome.found.filter { !kept.contains($0) }
    guard let first = changed.map(\.start).min() else { return nil }
    // What differs is a boundary: the earliest end or start that only one side has.
    let edges = { (list: [ReplayOutcome.Segment]) in Set(list.flatMap { [$0.start, $0.end] }) }
    let boundaries = edges(outcome.kept).symmetricDifference(edges(outcome.found))
    at = boundaries.min() ?? first
    self.outcome = outcome
    from = at - .minutes(45)
    to = at + .minutes(45)
  }

  private func x(_ instant: Instant) -> Double {
    min(1, max(0, (instant - from).minutes / 90))
  }

  private func lane(
    _ segments: [ReplayOutcome.Segment], other: [ReplayOutcome.Segment]
  )
    -> Drawing
  {
    var drawing = Drawing(height: 34)
    var boxes = SVGPath()
    let others = Set(other)
    let shown = segments.filter { $0.start < to && $0.end > from }
    for segment in shown {
      let (left, right) = (x(segment.start), x(segment.end))
      boxes.rectangle(left: left, top: 0.1, right: right, bottom: 0.9)
      if !others.contains(segment) {
        drawing.box(.warnBand, from: left, to: right, top: 0.1, bottom: 0.9)
      }
      let text = RecordLanes.units(segment.units)
      if LabelRows.zoom(for: text, within: right - left, plotWidth: 300) == 1 {
        drawing.word("\(text)", at: (left + right) / 2, 0.5, .middle, .segment)
      }
    }
    drawing.add(boxes, .sample)
    drawing.draw(.rewritten) { $0.upright(at: x(at), from: -0.1, to: 1.1) }
    drawing.label = shown.map {
      "\(time($0.start)) to \(time($0.end)) \(RecordLanes.units($0.units)) U"
    }.joined(separator: ", ")
    return drawing
  }

  private func time(_ instant: Instant) -> String {
    outcome.clock.timeOfDay(at: instant).hoursAndMinutes
  }

  /// The lanes from above, each with its name.
  private var lanes: [(name: String, drawing: Drawing)] {
    var axis = Drawing(height: 16, label: "Time of day")
    for minutes in [Int64(0), 45, 90] {
      let instant = from + .minutes(minutes)
      axis.word(
        "\(time(instant))", at: x(instant), 0.5,
        minutes == 0 ? .start : minutes == 90 ? .end : .middle,
        .axis)
    }
    return [
      ("", axis), ("Expected", lane(outcome.kept, other: outcome.found)),
      ("Actual", lane(outcome.found, other: outcome.kept)),
    ]
  }

  var markup: Markup {
    let rows = lanes.map { name, drawing in
      "<div class=\"rl2\"><span>\(name)</span>\(drawing.markup)</div>" as Markup
    }
    return "<div class=\"rlanes\">\(rows.joined())</div>"
  }

  /// The lanes as a figure in a file.
  var figure: PageFigure {
    PageFigure(
      "\(PageFigure.slug(outcome.id)).svg",
      SVGFigure(
        title: "\(outcome.id): basal samples, expected and actual",
        rows: lanes.map { SVGFigure.Row(name: $0.name, drawing: $0.drawing) }))
  }
}
