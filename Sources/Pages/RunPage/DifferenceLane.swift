internal import Quantities
internal import Reports
internal import Simulation
internal import Typesetting

/// Draws the differences of a day: a numbered badge each, its amount, and the stretch it covers.
struct DifferenceLane {
  let report: RunReport
  let day: RunDay

  private static let rowHeight = 28

  var lane: RunLane {
    let indices = report.placesOfDays[day.index]
    var rows = LabelRows(count: 6, gap: 10)
    var placed: [(index: Int, x: Double, row: Int)] = []
    for index in indices.sorted(by: { middle($0) < middle($1) }) {
      let width = "MM \(amount(index))"
      let edge = middle(index) + (isAtEnd(index) ? Self.radius : -Self.radius)
      if let row = rows.place(width, at: edge, isAtEnd(index) ? .end : .start) {
        placed.append((index, middle(index), row))
      }
    }
    let count = max(1, (placed.map(\.row).max() ?? 0) + 1)
    let height = Self.rowHeight * count + 14
    var drawing = Drawing(height: height)
    RunLanes.addHours(day, report, to: &drawing)
    addBars(indices, to: &drawing, at: 1 - 6 / Double(height))
    for (index, x, row) in placed {
      let difference = report.differences[index]
      let y = (14 + Double(row * Self.rowHeight)) / Double(height)
      let number = report.number(of: index)
      let place = min(1 - Self.radius, max(Self.radius, x))
      drawing.word(
        "\(number)", at: place, y, .middle, badge(difference.severity), link: "#d\(number)",
        label: "Difference \(number), \(report.clock(difference.start)): \(difference.title)")
      let isEnd = isAtEnd(index)
      let shift = Self.radius + 0.004
      drawing.word(
        "\(amount(index))", at: place + (isEnd ? -shift : shift), y, isEnd ? .end : .start, .bold)
    }
    let hidden = indices.count - placed.count
    let linked = hidden > 0 ? "\(placed.count) of them" : "each"
    drawing.label =
      indices.isEmpty
      ? "No difference between the records."
      : "Differences: \(indices.count), \(linked) with a link to its entry."
    var lane = RunLane(name: "Differences", drawing: drawing)
    lane.plainName = "Differences, U"
    lane.unit = hidden > 0 ? "U, \(hidden) more in the list" : "U, listed below"
    return lane
  }

  private func middle(_ index: Int) -> Double {
    assert(report.differences.indices.contains(index), "The report has the difference.")
    let difference = report.differences[index]
    return (day.bounded(difference.start) + day.bounded(difference.end)) / 2
  }

  /// Half a badge as a part of the plot at its narrowest.
  private static let radius = 11 / LabelRows.leastWidth

  /// Whether the amount has no room at the right of its badge.
  private func isAtEnd(_ index: Int) -> Bool { middle(index) > 0.93 }

  private func amount(_ index: Int) -> String {
    assert(report.differences.indices.contains(index), "The report has the difference.")
    let units = report.differences[index].units
    if units.magnitude < 0.0005 { return "0" }
    return RecordLanes.signed(units)
  }

  private func badge(_ severity: RecordDifference.Severity) -> ChartStyle {
    switch severity {
    case .fault: .badgeBad
    case .check: .badgeWarn
    case .expected: .badgeOk
    case .note: .badgeInfo
    }
  }

  private func addBars(_ indices: [Int], to drawing: inout Drawing, at y: Double) {
    for severity in RecordDifference.Severity.allCases.reversed() {
      let style: ChartStyle =
        switch severity {
        case .fault: .badBar
        case .check: .warnBar
        case .expected: .okBar
        case .note: .infoBar
        }
      drawing.draw(style) { path in
        for index in indices where report.differences[index].severity == severity {
          let difference = report.differences[index]
          let left = day.bounded(difference.start)
          path.level(at: y, from: left, to: max(left + 0.003, day.bounded(difference.end)))
        }
      }
    }
  }
}

extension RecordLanes {
  /// An amount with its sign: `+0.65`, `−0.35`.
  static func signed(_ units: Double) -> String {
    let text = Self.units(units)
    return units > 0 ? "+\(text)" : text
  }
}

extension RecordDifference {
  /// What kind of difference it is, in a few words.
  var title: String {
    switch kind {
    case .missingSpan: "Basal missing from the health store"
    case .missingBolus: "Bolus missing from the health store"
    case .unitsDiffer: "Units differ"
    case .overlappingSamples: "Samples overlap"
    case .duplicateSample: "Sample twice in the health store"
    case .notDelivered: "Recorded and not delivered"
    case .notConserved: "The pump's accounts do not add up"
    case .unexplained: "Difference without a cause"
    case .deleted: "Deleted by the person"
    case .deletedEverywhere: "Deleted everywhere"
    case .deletedFromEventHistory: "Deleted in one place only"
    case .writtenAgain: "Sample deleted, then written again"
    case .notYetReported: "Not reported yet"
    case .appStopped: "The app was not running"
    case .notAllowed: "Not allowed"
    case .turnedOff: "Reporting turned off"
    case .installedAnew: "The app was installed anew"
    case .roundedBasal: "Basal rounded"
    case .emptySpan: "Stretch without insulin"
    case .runningBolus: "Bolus still being given"
    case .interruptedBolus: "Bolus stopped early"
    case .notReported: "Not reported by the pump"
    case .misdated: "Recorded at another time"
    case .scheduleDiffers: "App and pump have different schedules"
    case .otherProgram: "Basal recorded as another kind"
    case .discardedFractions: "Programmed and never given"
    case .externalDose: "Dose from outside the pump"
    case .foreignBasal: "Basal of another app"
    case .conflictingSample: "Samples contradict one another"
    case .notInjected: "Logged and not injected"
    case .unloggedInjection: "Injection in no record"
    case .misstatedDose: "Injection with another amount"
    case .unrequestedDelivery: "Delivery without a command"
    case .notAbsorbed:
      units > 0 ? "More insulin in the body than counted" : "Insulin that did not reach the body"
    case .heldBack: "Insulin held back"
    case .pumpTakenOff: "Pump taken off"
    case .fedContinuously: "Insulin that flows without pulses"
    }
  }
}
