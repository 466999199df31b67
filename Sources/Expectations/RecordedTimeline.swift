internal import Outcomes
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// A timeline that an earlier run left as a table.
struct RecordedTimeline {
  let rows: [TraceRow]
  /// The rows, and insulin on board at each where the table has it.
  let source: SeriesSource

  /// The columns that are read, as results name them.
  private static let columns = [
    "time", "glucose_true_mgdL", "glucose_cgm_mgdL", "scheduled_rate_U_per_h",
    "programmed_rate_U_per_h", "basal_delivered_U", "bolus_delivered_U", "iob_U",
    "insulin_in_body_U", "cob_g",
  ]

  /// Columns that a table may lack.
  private static let further = ["iob_total_U", "iob_true_U", "iob_true_total_U"]

  /// Reads a table; what is wrong is reported with its place.
  init?(_ bytes: [UInt8], file: String, problems: ProblemList) {
    guard let table = CSVTable(bytes, file: file, problems: problems), !problems.hasErrors else {
      return nil
    }
    var places: [Int] = []
    for column in Self.columns {
      guard let place = table.index(of: column) else {
        problems.error(
          at: table.header[0].position,
          "The table has no column \"\(column)\"; name the timeline.csv of a run.")
        return nil
      }
      places.append(place)
    }
    let further = Self.further.map { table.index(of: $0) }
    var rows: [TraceRow] = []
    var onBoard: [InsulinOnBoard?] = []
    for row in table.rows {
      let cells = places.map { row[$0] }
      guard case .absolute(let instant)? = TimeText(cells[0].text) else {
        problems.error(at: cells[0].position, "\"\(cells[0].text)\" is not a time with an offset.")
        return nil
      }
      let numbers = cells.dropFirst().map { Double($0.text) }
      guard let truth = numbers[0] else {
        problems.error(at: cells[1].position, "\"\(cells[1].text)\" is not a glucose value.")
        return nil
      }
      rows.append(
        TraceRow(
          instant: instant, trueGlucose: .mgdL(truth), reading: numbers[1].map { .mgdL($0) },
          scheduledRate: numbers[2].flatMap { InsulinRate(roundingUnitsPerHour: $0) } ?? .zero,
          programmedRate: numbers[3].flatMap { InsulinRate(roundingUnitsPerHour: $0) } ?? .zero,
          basalDelivered: numbers[4].flatMap { InsulinAmount(roundingUnits: $0) } ?? .zero,
          bolusDelivered: numbers[5].flatMap { InsulinAmount(roundingUnits: $0) } ?? .zero,
          insulinOnBoard: numbers[6], bodyInsulin: numbers[7], carbsOnBoard: numbers[8]))
      let kinds = further.map { place in place.flatMap { Double(row[$0].text) } }
      let app = numbers[6].flatMap { net in
        kinds[0].map { InsulinOnBoard.Kinds(net: net, total: $0) }
      }
      let body = kinds[1].flatMap { net in
        kinds[2].map { InsulinOnBoard.Kinds(net: net, total: $0) }
      }
      onBoard.append(body.map { InsulinOnBoard(app: app, body: $0) })
    }
    self.rows = rows
    source = SeriesSource(rows: rows, onBoard: onBoard)
  }
}

/// Glucose that was really measured, from the table that a scenario names.
struct ObservedGlucose {
  let points: [GlucoseSeries.Point]

  /// Reads the columns `time` and `glucose`; times are as in scenarios, glucose is in its unit.
  init?(_ bytes: [UInt8], file: String, in context: ReadingContext, problems: ProblemList) {
    guard let table = CSVTable(bytes, file: file, problems: problems), !problems.hasErrors else {
      return nil
    }
    guard let time = table.index(of: "time"), let glucose = table.index(of: "glucose") else {
      problems.error(
        at: table.header[0].position, "The table needs the columns \"time\" and \"glucose\".")
      return nil
    }
    var points: [GlucoseSeries.Point] = []
    for row in table.rows {
      guard let text = TimeText(row[time].text) else {
        problems.error(
          at: row[time].position, "\"\(row[time].text)\" is no time. Write \(TimeText.forms).")
        return nil
      }
      guard let value = Double(row[glucose].text), value.isFinite, value > 0 else {
        problems.error(
          at: row[glucose].position,
          "\"\(row[glucose].text)\" is no glucose value. Write a number.")
        return nil
      }
      let instant = text.resolved(
        from: context.start, start: context.start, on: context.wallClock
      ).instant
      points.append(.init(instant, mgdL: value * context.glucoseUnit.mgdL))
    }
    self.points = points.sorted { $0.instant < $1.instant }
  }
}
