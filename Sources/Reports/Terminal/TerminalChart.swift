public import Outcomes
public import Quantities
internal import Typesetting

/// A small chart of glucose over time in characters, readable without colour.
///
/// Each column shows the range of the readings in its time. Readings below 70 mg/dL are drawn as
/// `▼`, above 180 as `▲`, in between as `●`, as they are counted; dotted lines stand at 70 and 180.
public struct TerminalChart: Sendable {
  /// A letter below the chart at a moment, such as `C` for carbohydrate.
  public struct Mark: Hashable, Sendable {
    /// Where it stands.
    public var instant: Instant
    /// The letter.
    public var letter: Character

    /// Creates a `Mark` from its parts; see the properties.
    public init(at instant: Instant, _ letter: Character) {
      self.instant = instant
      self.letter = letter
    }
  }

  /// The columns of the terminal, axis included.
  public var width: Int
  /// The rows of the plot.
  public var height: Int
  /// Whether to use characters beyond ASCII.
  public var isUnicode: Bool
  /// The unit of the labels.
  public var unit: GlucoseUnit

  /// Creates a chart; width and height are kept within what can be read, 30…400 and 6…60.
  public init(
    width: Int, height: Int = 12, isUnicode: Bool = true,
    unit: GlucoseUnit = .milligramsPerDecilitre
  ) {
    self.unit = unit
    self.width = min(400, max(30, width))
    self.height = min(60, max(6, height))
    self.isUnicode = isUnicode
  }

  /// The lines of the chart from `start` to `end`; one sentence when nothing can be drawn.
  public func lines(
    of series: GlucoseSeries, from start: Instant, to end: Instant, marks: [Mark] = []
  ) -> [String] {
    let visible = series.points.filter { $0.instant >= start && $0.instant <= end }
    guard start < end, let highest = visible.map(\.mgdL).max(),
      let lowest = visible.map(\.mgdL).min()
    else { return ["  There is no glucose to draw."] }
    let scale = Scale(lowest: lowest, highest: highest, rows: height)
    var plot = emptyPlot(scale)
    for (column, range) in columns(visible, from: start, to: end) {
      let top = scale.row(of: range.upperBound)
      for row in top...max(top, scale.row(of: range.lowerBound)) {
        let value = min(range.upperBound, max(range.lowerBound, scale.value(of: row)))
        plot[row][column] = symbol(for: value)
      }
    }
    let labels = axisLabels(scale)
    var lines = plot.indices.map { row in
      trimmed(labels[row] + String(plot[row]))
    }
    lines.append(trimmed(String(repeating: " ", count: Self.axisWidth - 1) + baseline()))
    lines += timeLines(series.clock, from: start, to: end, marks: marks)
    return lines
  }

  private static let axisWidth = 6

  private var plotWidth: Int { width - Self.axisWidth }

  private func emptyPlot(_ scale: Scale) -> [[Character]] {
    var plot = [[Character]](
      repeating: [Character](repeating: " ", count: plotWidth), count: height)
    for limit in [70.0, 180] where scale.contains(limit) {
      for column in stride(from: 0, to: plotWidth, by: 2) {
        plot[scale.row(of: limit)][column] = isUnicode ? "┄" : "-"
      }
    }
    return plot
  }

  /// The range of the readings in each column that has some, from left to right.
  private func columns(
    _ points: [GlucoseSeries.Point], from start: Instant, to end: Instant
  ) -> [(column: Int, range: ClosedRange<Double>)] {
    var result: [(column: Int, range: ClosedRange<Double>)] = []
    for point in points {
      let column = column(of: point.instant, from: start, to: end)
      if let last = result.last, last.column == column {
        let range = last.range
        result[result.count - 1].range =
          min(range.lowerBound, point.mgdL)...max(range.upperBound, point.mgdL)
      } else {
        result.append((column, point.mgdL...point.mgdL))
      }
    }
    return result
  }

  private func column(of instant: Instant, from start: Instant, to end: Instant) -> Int {
    assert(start < end, "A chart shows a stretch of time.")
    let share = (instant - start).minutes / (end - start).minutes
    return min(plotWidth - 1, max(0, Int(share * Double(plotWidth))))
  }

  private func symbol(for value: Double) -> Character {
    if value < 70 { return isUnicode ? "▼" : "v" }
    if ConsensusLimit.isExceeded(180, by: value) { return isUnicode ? "▲" : "^" }
    return isUnicode ? "●" : "o"
  }

  /// The labels of the rows: the edges and the two limits.
  private func axisLabels(_ scale: Scale) -> [String] {
    let bar = isUnicode ? "│" : "|"
    var labels = [String](repeating: "    ", count: height)
    for value in [scale.top, scale.bottom, 180, 70] where scale.contains(value) {
      let text = GlucoseWords(unit).text(value)
      labels[scale.row(of: value)] = String(repeating: " ", count: max(0, 4 - text.count)) + text
    }
    return labels.map { "\($0) \(bar)" }
  }

  private func baseline() -> String {
    (isUnicode ? "└" : "+") + String(repeating: isUnicode ? "─" : "-", count: plotWidth)
  }

  /// The clock times below the chart, and the line of marks where there are some.
  private func timeLines(
    _ clock: WallClock, from start: Instant, to end: Instant, marks: [Mark]
  ) -> [String] {
    var times = [Character](repeating: " ", count: width)
    let step = labelStep(for: end - start)
    var tick = clock.startOfDay(containing: start)
    while tick < start { tick = Self.tick(after: tick, step, on: clock) }
    var free = 0
    while tick <= end {
      let civil = clock.civilTime(at: tick)
      let label =
        step < .days(1) ? civil.timeOfDay.hoursAndMinutes : String(civil.dateText.suffix(5))
      let place = Self.axisWidth + column(of: tick, from: start, to: end)
      if place >= free, place + label.count <= width {
        for (offset, letter) in label.enumerated() { times[place + offset] = letter }
        free = place + label.count + 1
      }
      tick = Self.tick(after: tick, step, on: clock)
    }
    guard !marks.isEmpty else { return [trimmed(String(times))] }
    var letters = [Character](repeating: " ", count: width)
    for mark in marks where mark.instant >= start && mark.instant <= end {
      letters[Self.axisWidth + column(of: mark.instant, from: start, to: end)] = mark.letter
    }
    return [trimmed(String(times)), trimmed(String(letters))]
  }

  /// The shortest round step whose labels leave room for one another.
  private func labelStep(for span: TimeSpan) -> TimeSpan {
    let room = span.minutes * 7 / Double(plotWidth)
    let steps: [Int64] = [15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080]
    let minutes = steps.first { Double($0) >= room }
    return minutes.map { .minutes($0) } ?? .days(max(7, Int64((room / 1_440).rounded(.up))))
  }

  /// The place of the next label: the next whole step of the clock on the wall, or so many
  /// midnights further on, also where the clocks change.
  private static func tick(
    after tick: Instant, _ step: TimeSpan, on clock: WallClock
  ) -> Instant {
    guard step < .days(1) else {
      return (0..<step.quotient(by: .days(1))).reduce(tick) { day, _ in clock.midnight(after: day) }
    }
    return clock.wholeStep(step, after: tick)
  }

  private func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// The mapping of glucose to rows, the highest value in row 0.
private struct Scale {
  let bottom: Double
  let top: Double
  let rows: Int

  init(lowest: Double, highest: Double, rows: Int) {
    bottom = lowest < 40 ? max(0, (lowest / 10).rounded(.down) * 10) : 40
    top = min(600, max(200, (highest / 50).rounded(.up) * 50))
    self.rows = rows
  }

  func contains(_ value: Double) -> Bool { value >= bottom && value <= top }

  func row(of value: Double) -> Int {
    let share = (top - min(top, max(bottom, value))) / (top - bottom)
    return Int((share * Double(rows - 1)).rounded())
  }

  func value(of row: Int) -> Double {
    assert((0..<rows).contains(row) && rows > 1, "The chart has the row.")
    return top - Double(row) / Double(rows - 1) * (top - bottom)
  }
}
