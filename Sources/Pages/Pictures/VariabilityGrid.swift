internal import Outcomes
internal import Quantities
internal import StructuredText
internal import Typesetting

/// The control-variability grid: the lowest and the highest glucose of each member in one point.
///
/// L. Magni and others, Journal of Diabetes Science and Technology 2 (2008) 630–635.
struct VariabilityGrid {
  /// The control first, where there are two.
  let arms: [PicturedArm]
  let words: GlucoseWords
  /// The members that are called by their names.
  var named: Set<String> = []
  /// Whether the members of the two arms are the same people, in one order.
  var isPaired = false
  /// More points than this would hide one another.
  private static let most = 300
  /// How many pairs are joined: those that moved most toward lows.
  private static let mostJoined = 8

  /// How wide the grid is at least, in pixels: on a phone.
  private static let leastWidth = 300.0

  // The grid runs from 110 down to 50 mg/dL to the right, and from 110 to 400 mg/dL upwards.
  private static let columns = [0.0, 20.0 / 60, 40.0 / 60, 1]
  private static let lines = [0.0, 100.0 / 290, 220.0 / 290, 1]

  /// The zones by their place: rows from above, columns from the left.
  private static let zones: [[ControlVariability.Zone]] = [
    [.upperC, .upperD, .e], [.upperB, .b, .lowerD], [.a, .lowerB, .lowerC],
  ]

  /// The place of a point; one outside the grid stands on its border.
  private func place(_ point: ControlVariability) -> (x: Double, y: Double) {
    (x: (110 - point.x) / 60, y: (400 - point.y) / 290)
  }

  private func points(_ arm: PicturedArm) -> [ControlVariability] {
    arm.members.compactMap(\.extremes)
  }

  /// The chart; `nil` where no arm has a point.
  var chart: TickedChart? {
    guard arms.contains(where: { !points($0).isEmpty }) else { return nil }
    var drawing = Drawing(height: 280, label: sentence)
    drawZones(in: &drawing)
    drawMoves(in: &drawing)
    let styles: [ChartStyle] = arms.count > 1 ? [.controlDot, .treatmentDot] : [.treatmentDot]
    for (arm, style) in zip(arms, styles) {
      let own = points(arm)
      if own.count > Self.most {
        drawDensity(of: own, style, in: &drawing)
        continue
      }
      let places = own.map(place)
      drawing.draw(style) { path in for point in places { path.dot(at: point.x, point.y) } }
      if style == .controlDot {
        drawing.draw(.hollow) { path in for point in places { path.dot(at: point.x, point.y) } }
      }
    }
    nameMembers(in: &drawing)
    for level in [110.0, 90, 70, 50] {
      let x = (110 - level) / 60
      drawing.word(
        words.value(level), at: x, 1.05, x == 0 ? .start : x == 1 ? .end : .middle, .axis)
    }
    return TickedChart(
      name: "Highest 2.5 %, \(words.unit.rawValue)", drawing: drawing,
      ticks: [400.0, 300, 180, 110].map { ((400 - $0) / 290, words.value($0)) })
  }

  private func drawZones(in drawing: inout Drawing) {
    let (columns, lines) = (Self.columns, Self.lines)
    for (row, zones) in Self.zones.enumerated() {
      for (column, zone) in zones.enumerated() {
        // A is at the left below, C and D are at the edges.
        let distance = column + (2 - row)
        let style: ChartStyle = distance == 0 ? .zoneA : distance <= 2 ? .zoneB : .zoneC
        drawing.draw(style) {
          $0.rectangle(
            left: columns[column], top: lines[row], right: columns[column + 1],
            bottom: lines[row + 1])
        }
        let at = Self.cornerOf(row, column)
        drawing.word("\(zone.rawValue)", at: at.x, at.y, .end, .axis)
      }
    }
  }

  /// The pairs that moved most toward lows, as lines.
  private func drawMoves(in drawing: inout Drawing) {
    drawing.draw(.worseMove) { path in
      for (from, to) in moves {
        let (start, end) = (place(from), place(to))
        path.move(to: start.x, start.y)
        path.line(to: end.x, end.y)
      }
    }
  }

  /// The eight pairs whose lows fell most, the worst first.
  private var moves: [(from: ControlVariability, to: ControlVariability)] {
    guard isPaired, arms.count > 1 else { return [] }
    let pairs = zip(arms[0].members, arms[1].members).compactMap { control, treatment in
      control.extremes.flatMap { from in treatment.extremes.map { (from: from, to: $0) } }
    }
    let lower = pairs.enumerated().filter { $0.element.to.x < $0.element.from.x }
    let sorted = lower.sorted {
      ($0.element.to.x - $0.element.from.x, $0.offset)
        < ($1.element.to.x - $1.element.from.x, $1.offset)
    }
    return sorted.prefix(Self.mostJoined).map(\.element)
  }

  /// Of many points how many there are in each field of a fine grid, as squares of five sizes.
  private func drawDensity(
    of points: [ControlVariability], _ style: ChartStyle, in drawing: inout Drawing
  ) {
    let side = 24
    var counts = [Int](repeating: 0, count: side * side)
    for point in points.map(place) {
      let column = min(side - 1, Int(point.x * Double(side)))
      counts[min(side - 1, Int(point.y * Double(side))) * side + column] += 1
    }
    let largest = Double(counts.max() ?? 1)
    drawing.draw(style == .controlDot ? .controlField : .treatmentField) { path in
      for (index, count) in counts.enumerated() where count > 0 {
        let half = 0.5 * (Double(count) / largest).squareRoot() / Double(side)
        let x = (Double(index % side) + 0.5) / Double(side)
        let y = (Double(index / side) + 0.5) / Double(side)
        path.rectangle(left: x - half, top: y - half, right: x + half, bottom: y + half)
      }
    }
  }

  /// Where the name of a zone ends: in its right upper corner, since points gather at the left.
  private static func cornerOf(_ row: Int, _ column: Int) -> (x: Double, y: Double) {
    assert(
      columns.indices.contains(column + 1) && lines.indices.contains(row), "The grid has the zone.")
    return (x: columns[column + 1] - 0.012, y: lines[row] + 0.035)
  }

  /// Names members above or below their points; a name without room there is left out.
  private func nameMembers(in drawing: inout Drawing) {
    guard let last = arms.last else { return }
    var taken: [(left: Double, right: Double, y: Double)] = []
    func room(_ text: String, _ x: Double, _ y: Double, _ anchor: Drawing.Anchor) -> Bool {
      let width = LabelRows.width(of: text) / Self.leastWidth
      let left = anchor == .start ? x : anchor == .end ? x - width : x - width / 2
      // A name that goes beyond the border would be cut off there.
      let isFree =
        left > -1e-9 && left + width < 1 + 1e-9
        && taken.allSatisfy { other in
          left > other.right || left + width < other.left || (other.y - y).magnitude > 0.065
        }
      if isFree { taken.append((left, left + width, y)) }
      return isFree
    }
    for (row, zones) in Self.zones.enumerated() {
      for (column, zone) in zones.enumerated() {
        let at = Self.cornerOf(row, column)
        _ = room(zone.rawValue, at.x, at.y, .end)
      }
    }
    for member in last.members where named.contains(member.id) {
      guard let point = member.extremes.map(place) else { continue }
      let anchor: Drawing.Anchor = point.x > 0.7 ? .end : point.x < 0.3 ? .start : .middle
      for y in [point.y - 0.05, point.y + 0.055]
      where y > 0.02 && y < 0.98 && room(member.id, point.x, y, anchor) {
        drawing.word("\(member.id)", at: point.x, y, anchor, .badWord)
        break
      }
    }
  }

  // MARK: - Words

  /// What the marks are.
  var legend: Markup {
    let sides: Markup =
      arms.count > 1 ? "Hollow: \(arms[0].name). Filled: \(arms[1].name). " : ""
    let lines: Markup =
      moves.isEmpty ? "" : " Lines: the \(moves.count) that moved most toward lows."
    let many: Markup =
      arms.contains { points($0).count > Self.most }
      ? " Where there are more than \(Self.most), squares show how many lie in a field." : ""
    let isNamed = arms.last?.members.contains { $0.extremes != nil && named.contains($0.id) }
    let names: Markup =
      isNamed == true ? " By name, where there is room: who is newly harmed." : ""
    let isBeyond = arms.contains { points($0).contains { $0.low != $0.x || $0.high != $0.y } }
    let beyond: Markup = isBeyond ? " A point on the border lies on it or beyond." : ""
    return """
      \(sides)Upwards the 97.5th percentile of glucose, to the right the 2.5th, \
      falling.\(lines)\(names)\(many)\(beyond)
      """
  }

  /// How many members lie in each zone, one column an arm.
  var table: Markup {
    var table = PageTable(
      [.init("Zone")] + arms.map { .init("\($0.name)", number: true, style: "any") },
      caption: "Zones of the grid")
    for zone in ControlVariability.Zone.allCases {
      let counts = arms.map { arm in points(arm).count { $0.zone == zone } }
      guard counts.contains(where: { $0 > 0 }) else { continue }
      table.rows.append(["\(zone.rawValue)"] + counts.map { "\($0 == 0 ? "–" : "\($0)")" })
    }
    let without = arms.map { arm in arm.members.count { $0.extremes == nil } }
    if without.contains(where: { $0 > 0 }) {
      table.rows.append(["no value"] + without.map { "\($0 == 0 ? "–" : "\($0)")" })
    }
    return table.markup
  }

  private var sentence: String {
    arms.map { arm in
      let zones = ControlVariability.shares(of: points(arm)).filter { $0.percent > 0 }.map {
        "\($0.zone.rawValue) \(PercentText.number($0.percent, decimals: 0)) %"
      }
      return "\(arm.name): \(zones.joined(separator: ", "))."
    }.joined(separator: " ")
  }
}
