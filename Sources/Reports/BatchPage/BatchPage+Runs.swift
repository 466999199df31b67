internal import Outcomes
internal import StructuredText

extension BatchPage {
  /// The profile of the arms and the control-variability grid, beside each other.
  var pictures: Markup {
    let profile = BatchProfile(arms: Array(arms.prefix(2)), words: words)
    let grid = VariabilityGrid(arms: Array(arms.prefix(2)), words: words)
    guard rows.count > 1 else { return "" }
    let more: Markup =
      arms.count > 2 ? "<p class=\"small\">The first two of \(arms.count) arms are drawn.</p>" : ""
    return """
      <div class="cols pics"><section class="card" aria-labelledby="h-day">\
      <h2 class="t" id="h-day">How the day runs</h2>\(profile.markup)\(more)</section>\
      <section class="card" aria-labelledby="h-grid"><h2 class="t" id="h-grid">\
      Control and variability</h2>\(grid.markup)</section></div>

      """
  }

  /// Every run in a row that can be sorted.
  func table(linksToRuns: Bool) -> Markup {
    var table = PageTable(
      [
        .init("Run", sorted: true), .init("Verdict", sorted: true), .init("Time in ranges"),
        .init("In range", number: true, sorted: true),
        .init("Below \(words.value(70))", number: true, sorted: true),
        .init("Below \(words.value(54))", number: true, sorted: true),
        .init("Lowest", number: true, optional: true, sorted: true),
        .init("Highest", number: true, optional: true, sorted: true),
        .init("U a day", number: true, optional: true, sorted: true),
        .init("Differences", number: true, optional: true, sorted: true),
      ], caption: "Every run")
    for row in rows.prefix(Self.mostRows) {
      let name: Markup =
        linksToRuns
        ? "<a href=\"\(Self.address(of: row.id))/report.html\">\(row.id)</a>" : "\(row.id)"
      let chip =
        row.isLethal
        ? PageParts.chip(.fault, "✕ lethal")
        : row.hasFailed
          ? PageParts.chip(.fault, "✕ fails")
          : row.agrees
            ? PageParts.chip(.expected, "✓ ok") : PageParts.chip(.check, "! records")
      let order = row.isLethal ? "0" : row.hasFailed ? "1" : row.agrees ? "3" : "2"
      func percent(_ figure: BatchRow.Figure) -> PageTable.Cell {
        guard let value = row.value(figure) else { return .init("–", order: "-1") }
        return .init(
          "\(FixedDecimal.text(value, decimals: 1)) %",
          order: FixedDecimal.text(value, decimals: 4))
      }
      func glucose(_ figure: BatchRow.Figure) -> PageTable.Cell {
        guard let value = row.value(figure) else { return .init("–", order: "-1") }
        return .init(
          words.value(value), order: FixedDecimal.text(value, decimals: 2))
      }
      let dose = row.value(.dailyDose)
      table.rows.append([
        .init(name, order: row.id), .init(chip, order: order), .init(bar(row)),
        percent(.inRange), percent(.below70), percent(.below54), glucose(.lowest),
        glucose(.highest),
        .init("\(dose.map { FixedDecimal.text($0, decimals: 1) } ?? "–")"),
        .init("\(row.differences)"),
      ])
    }
    let rest = rows.count - table.rows.count
    let more: Markup = rest > 0 ? "<p class=\"small\">And \(rest) more, in runs.csv.</p>" : ""
    return """
      <section class="card more" id="runs" aria-labelledby="h-runs"><h2 class="t" id="h-runs">\
      Every run (\(rows.count))</h2>\(table.markup)\(more)</section>

      """
  }

  private func bar(_ row: BatchRow) -> Markup {
    guard let shares = row.shares else { return "–" }
    let styles = ["f-vhi", "f-hi", "f-tgt", "f-lo", "f-vlo"]
    return PageParts.bar(zip(styles, shares.stacked).reversed().map { ($0.0, $0.1) })
  }

  /// The id of a run as a relative address.
  static func address(of id: String) -> String {
    id.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
      default:
        "-_.~/".utf8.contains(byte)
          ? String(UnicodeScalar(byte))
          : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

/// How glucose runs over a day in two arms: percentiles over runs of each run's hourly median.
struct BatchProfile {
  let arms: [BatchArm]
  let words: GlucoseWords
  private static let top = 350.0

  private func y(_ mgdL: Double) -> Double { (Self.top - min(Self.top, max(0, mgdL))) / Self.top }

  private func line(_ arm: BatchArm, _ share: Double) -> [(x: Double, y: Double)] {
    (0..<24).compactMap { hour in
      Statistics.quantile(arm.rows.compactMap { $0.hours[hour] }, share).map {
        (x: (Double(hour) + 0.5) / 24, y: y($0))
      }
    }
  }

  var markup: Markup {
    guard let last = arms.last else { return "" }
    var drawing = Drawing(height: 260, label: "Glucose over the day, by hour, arm by arm.")
    drawing.draw(.outerBand) { $0.polyline(line(last, 0.05) + line(last, 0.95).reversed()) }
    drawing.draw(.innerBand) { $0.polyline(line(last, 0.25) + line(last, 0.75).reversed()) }
    drawing.draw(.grid) { path in
      for hour in stride(from: 0, through: 24, by: 3) {
        path.upright(at: Double(hour) / 24, from: 0, to: 1)
      }
    }
    drawing.draw(.level) { path in
      for level in [70.0, 180] { path.level(at: y(level), from: 0, to: 1) }
    }
    drawing.draw(.median) { $0.polyline(line(last, 0.5)) }
    if let first = arms.first, arms.count > 1 {
      drawing.draw(.control) { path in
        for share in [0.05, 0.5, 0.95] { path.polyline(line(first, share)) }
      }
    }
    for hour in stride(from: 0, through: 24, by: 6) {
      drawing.word(
        "\(hour < 10 ? "0" : "")\(hour):00", at: Double(hour) / 24, 1.05,
        hour == 0 ? .start : hour == 24 ? .end : .middle, .axis)
    }
    let ticks = [350.0, 250, 180, 70].map {
      "<i style=\"top:\(Drawing.percent(y($0)))\">\(words.value($0))</i>" as Markup
    }.joined()
    let legend: Markup =
      arms.count > 1
      ? "Bands and line: \(last.name). Dashed: \(arms[0].name), median and 5 to 95 %."
      : "Line: median; bands: quartiles, and 5 to 95 %."
    return """
      <div class="pf"><div class="ticks" style="--h:260px" aria-hidden="true">\(ticks)</div>\
      \(drawing.markup)</div><p class="small">\(legend) Percentiles over runs of each run's hourly \
      median, not of pooled readings.</p>
      """
  }
}

/// The control-variability grid: the lowest and the highest glucose of each run in one point.
struct VariabilityGrid {
  let arms: [BatchArm]
  let words: GlucoseWords
  /// More points than this would hide one another.
  private static let most = 300

  // The grid runs from 110 down to 50 mg/dL to the right, and from 110 to 400 mg/dL upwards.
  private func place(_ point: ControlVariability) -> (x: Double, y: Double) {
    (x: (110 - min(110, max(50, point.low))) / 60, y: (400 - min(400, max(110, point.high))) / 290)
  }

  var markup: Markup {
    var drawing = Drawing(height: 260, label: label)
    let columns = [0.0, 20.0 / 60, 40.0 / 60, 1]
    let lines = [0.0, 100.0 / 290, 220.0 / 290, 1]
    for row in 0..<3 {
      for column in 0..<3 {
        // A is at the left below, C and D are at the edges.
        let distance = column + (2 - row)
        let style: ChartStyle = distance == 0 ? .zoneA : distance <= 2 ? .zoneB : .zoneC
        drawing.draw(style) {
          $0.rectangle(
            left: columns[column], top: lines[row], right: columns[column + 1],
            bottom: lines[row + 1])
        }
      }
    }
    let styles: [ChartStyle] = arms.count > 1 ? [.controlDot, .treatmentDot] : [.treatmentDot]
    for (arm, style) in zip(arms, styles) {
      let points = arm.rows.compactMap(\.variability).prefix(Self.most).map(place)
      drawing.draw(style) { path in for point in points { path.dot(at: point.x, point.y) } }
      if style == .controlDot {
        drawing.draw(.hollow) { path in for point in points { path.dot(at: point.x, point.y) } }
      }
    }
    for level in [110.0, 90, 70, 50] {
      let x = (110 - level) / 60
      drawing.word(
        words.value(level), at: x, 1.05, x == 0 ? .start : x == 1 ? .end : .middle, .axis)
    }
    let ticks = [400.0, 300, 180, 110].map {
      "<i style=\"top:\(Drawing.percent((400 - $0) / 290))\">\(words.value($0))</i>" as Markup
    }.joined()
    let names: Markup =
      arms.count > 1 ? "Hollow: \(arms[0].name). Filled: \(arms[1].name). " : ""
    return """
      <div class="pf"><div class="ticks" style="--h:260px" aria-hidden="true">\(ticks)</div>\
      \(drawing.markup)</div><p class="small">\(names)Upwards the 97.5th percentile of a run's \
      glucose, to the right the 2.5th, falling. \(label)</p>
      """
  }

  private var label: String {
    arms.map { arm in
      let points = arm.rows.compactMap(\.variability)
      let zones = ControlVariability.shares(of: points).filter { $0.percent > 0 }.map {
        "\($0.zone.rawValue) \(FixedDecimal.text($0.percent, decimals: 0)) %"
      }
      return "\(arm.name): \(zones.joined(separator: ", "))."
    }.joined(separator: " ")
  }
}
