internal import Outcomes
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// A timeline that an earlier run left as a table.
struct RecordedTimeline {
  /// The series that were read from it.
  let source: SeriesSource

  /// Reads the columns of series from a table; what is wrong is reported with its place.
  ///
  /// What nobody asks for is not read: a run without an app leaves columns out, and a scenario can.
  ///
  /// - Parameters:
  ///   - bytes: The table.
  ///   - file: Its path, for messages.
  ///   - names: The series that are read.
  ///   - problems: Where it is reported what is wrong.
  init?(
    _ bytes: [UInt8], file: String, series names: Set<SeriesExpression.Name>, problems: ProblemList
  ) {
    guard let table = CSVTable(bytes, file: file, problems: problems), !problems.hasErrors else {
      return nil
    }
    func place(_ column: String) -> Int? {
      let place = table.index(of: column)
      if place == nil {
        problems.error(
          at: table.header[0].position,
          "The table has no column \"\(column)\"; name the timeline.csv of a run.")
      }
      return place
    }
    let read = SeriesExpression.Name.allCases.filter(names.contains)
    let columns = read.compactMap { place($0.column) }
    guard let time = place("time"), columns.count == read.count else { return nil }
    var instants: [Instant] = []
    var values: [[SeriesExpression.Name: Double]] = []
    for row in table.rows {
      let stamp = row[time]
      guard case .absolute(let instant)? = TimeText(stamp.text) else {
        problems.error(at: stamp.position, "\"\(stamp.text)\" is not a time with an offset.")
        return nil
      }
      if let last = instants.last, last >= instant {
        problems.error(
          at: stamp.position, "\(stamp.text) does not come after the time in the row before.")
        return nil
      }
      instants.append(instant)
      values.append([:])
      for (name, column) in zip(read, columns) {
        let cell = row[column]
        if cell.text.isEmpty, name.canBeMissing { continue }
        guard let value = Double(decimal: cell.text) else {
          problems.error(
            at: cell.position, "\"\(cell.text)\" in the column \"\(name.column)\" is not a number.")
          return nil
        }
        values[values.count - 1][name] = value
      }
    }
    source = SeriesSource(at: instants) { [values] name, row in values[row][name] }
  }

  /// A series of glucose in a stretch of time.
  func glucose(
    _ name: SeriesExpression.Name, from start: Instant, to end: Instant, clock: WallClock
  ) -> GlucoseSeries {
    assert(name.isGlucose, "Only a series of glucose is one.")
    let points = zip(source.instants, SeriesExpression.series(name).values(source))
      .compactMap { instant, value in
        instant < start || instant > end
          ? nil : value.map { GlucoseSeries.Point(instant, mgdL: $0) }
      }
    return GlucoseSeries(points, clock: clock)
  }
}

extension SeriesExpression.Name {
  /// Whether a row may be without it: where no reading came, before the app's first computation,
  /// and where the model of the body does not know it.
  fileprivate var canBeMissing: Bool {
    switch self {
    case .glucoseCGM, .iobApp, .iobAppTotal, .iobTrue, .iobTrueTotal, .bodyInsulin, .cobApp: true
    case .glucoseTrue, .scheduledRate, .programmedRate, .basal, .bolus, .carbsEaten, .carbsEntered:
      false
    }
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
    var lines: [Instant: Int] = [:]
    for row in table.rows {
      guard let text = TimeText(row[time].text) else {
        problems.error(
          at: row[time].position, "\"\(row[time].text)\" is no time. Write \(TimeText.forms).")
        return nil
      }
      guard let value = Double(decimal: row[glucose].text), value > 0 else {
        problems.error(
          at: row[glucose].position,
          "\"\(row[glucose].text)\" is no glucose value. Write a number.")
        return nil
      }
      let resolution = text.resolved(
        from: context.start, start: context.start, on: context.wallClock)
      if resolution.lacksSecond {
        problems.error(at: row[time].position, TimeText.Resolution.lackOfSecond)
        return nil
      }
      let instant = resolution.instant
      let isLocal = if case .absolute = text { false } else { true }
      if isLocal, let line = lines[instant] {
        problems.error(
          at: row[time].position,
          "\(row[time].text) is the time of line \(line) as well. Write the day, as in "
            + "'d1 07:15' or with a date, and '01:30~2' for the second of two.")
        return nil
      }
      lines[instant] = row[time].position.line
      points.append(.init(instant, mgdL: value * context.glucoseUnit.mgdL))
    }
    self.points = points.sorted { $0.instant < $1.instant }
  }
}
