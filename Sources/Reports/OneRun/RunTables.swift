internal import ClosedLoop
public import Expectations
internal import HealthStore
public import Quantities
public import Simulation
public import StructuredText

/// The tables of a run as comma-separated values, the same bytes for the same run.
///
/// Times are local ISO 8601 with the offset; amounts have the unit in the name of their column.
public enum RunTables {
  /// The timeline: a row for every step of the output, or only for whole multiples of an interval.
  ///
  /// Amounts in a row are those since the step before, whichever rows are shown.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - interval: Only rows at whole multiples of this after the start; all when not given.
  ///   - series: The series to show; when not given all, with the recommendation and the mode. Of
  ///     a run without an app, what tells of one is left out.
  /// - Returns: The table, its first line the names of the columns.
  public static func timeline(
    _ run: RunResult, every interval: TimeSpan? = nil, series: [SeriesExpression.Name]? = nil
  ) -> CSVRows {
    let all = SeriesExpression.Name.allCases
    let shown = series ?? (run.hasApp ? all : all.filter { $0.needOfApp == nil })
    let words = series == nil && run.hasApp ? ["recommendation", "mode"] : []
    let header = ["time", "seconds"] + shown.map(\.column) + words
    let rows = run.timeline
    let onBoard = shown.contains(where: \.needsOnBoard) ? run.insulinOnBoard(at: rows) : []
    assert(onBoard.isEmpty || onBoard.count == rows.count, "Each row has its insulin on board.")
    assert(interval.map { $0 > .zero } ?? true, "Rows are some time apart.")
    return CSVRows(header: header, count: rows.count) { index, table in
      let row = rows[index]
      let since = row.instant - run.start
      if let interval, since.milliseconds % interval.milliseconds != 0 { return }
      table.field(row.instant, on: run.clock)
      table.field(thousandths: since.milliseconds, atLeast: 0)
      for one in shown { write(one, of: row, onBoard.isEmpty ? nil : onBoard[index], to: &table) }
      if !words.isEmpty {
        table.field(row.recommendation)
        table.field(row.mode.rawValue)
      }
    }
  }

  private static func write(
    _ series: SeriesExpression.Name, of row: TraceRow, _ onBoard: InsulinOnBoard?,
    to table: inout CSVWriter
  ) {
    switch series {
    case .glucoseTrue: table.field(row.trueGlucose.mgdL, decimals: 2)
    case .glucoseCGM: table.field(row.reading?.mgdL, decimals: 1)
    case .scheduledRate: table.field(milliunits: row.scheduledRate.milliunitsPerHour)
    case .programmedRate: table.field(milliunits: row.programmedRate.milliunitsPerHour)
    case .basal: table.field(milliunits: row.basalDelivered.milliunits)
    case .bolus: table.field(milliunits: row.bolusDelivered.milliunits)
    case .carbsEaten: table.field(row.carbsEaten.grams, decimals: 1)
    case .carbsEntered: table.field(row.carbsEntered.grams, decimals: 1)
    case .iobApp: table.field(row.insulinOnBoard, decimals: 4)
    case .iobAppTotal: table.field(onBoard?.app?.total, decimals: 4)
    case .iobTrue: table.field(onBoard?.body.net, decimals: 4)
    case .iobTrueTotal: table.field(onBoard?.body.total, decimals: 4)
    case .bodyInsulin: table.field(row.bodyInsulin, decimals: 4)
    case .cobApp: table.field(row.carbsOnBoard, decimals: 3)
    }
  }

  /// The basal samples of the health store: one row for each sample.
  public static func basalSegments(_ run: RunResult) -> CSVRows {
    let header = [
      "start", "end", "rate_U_per_h", "units", "kind", "source", "written_at", "sample_id",
    ]
    return CSVRows(header: header, of: run.basalSamples) { segment, table in
      table.field(segment.start, on: run.clock)
      table.field(segment.end, on: run.clock)
      table.field(milliunits: segment.rate.milliunitsPerHour)
      table.field(milliunits: segment.units.milliunits)
      table.field(segment.kind.rawValue)
      table.field(segment.source)
      table.field(segment.writtenAt, on: run.clock)
      table.field(segment.sampleID.description)
    }
  }

  /// What the pump reported, with what a person has deleted since, by time.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - deleted: The entries that were deleted.
  /// - Returns: The table, its first line the names of the columns.
  public static func eventHistory(
    _ run: RunResult, deleted: [RunObservation.DeletedEvent]
  ) -> CSVRows {
    var entries = run.eventHistory.map { (event: $0, deleted: Instant?.none) }
    for deletion in deleted {
      let record = deletion.record
      let place = entries.partitioningIndex { entry in
        entry.event.instant == record.instant
          ? record.identifier.isNumbered(before: entry.event.identifier)
          : entry.event.instant > record.instant
      }
      entries.insert((deletion.record, deletion.deleted), at: place)
    }
    let header = [
      "time", "kind", "end", "rate_U_per_h", "programmed_U", "delivered_U", "automatic",
      "mutable", "identifier", "deleted_at",
    ]
    return CSVRows(header: header, of: entries) { entry, table in
      let (event, deleted) = entry
      table.field(event.instant, on: run.clock)
      table.field(event.kind.rawValue)
      table.field(event.end, on: run.clock)
      table.field(milliunits: event.rate?.milliunitsPerHour)
      table.field(milliunits: event.programmed?.milliunits)
      table.field(milliunits: event.delivered?.milliunits)
      table.field(event.isAutomatic ? "yes" : "no")
      table.field(event.isMutable ? "yes" : "no")
      table.field(event.identifier.description)
      table.field(deleted, on: run.clock)
    }
  }

  /// The doses the app counts, from the pump and from elsewhere.
  public static func insulinDelivery(_ run: RunResult) -> CSVRows {
    let header = [
      "start", "end", "kind", "units", "scheduled_rate_U_per_h", "from_pump", "mutable", "source",
      "identifier",
    ]
    return CSVRows(header: header, of: run.insulinDelivery) { dose, table in
      table.field(dose.start, on: run.clock)
      table.field(dose.end, on: run.clock)
      table.field(dose.kind.rawValue)
      table.field(dose.units, decimals: 4)
      table.field(milliunits: dose.scheduledRate?.milliunitsPerHour)
      table.field(dose.isFromPump ? "yes" : "no")
      table.field(dose.isMutable ? "yes" : "no")
      table.field(dose.source)
      table.field(dose.identifier.description)
    }
  }

  /// Everything that happened, one row each.
  public static func happenings(_ run: RunResult) -> CSVRows {
    CSVRows(header: ["time", "kind", "name", "text"], of: run.trace.happenings) {
      happening, table in
      table.append(row: [
        run.clock.iso8601(happening.instant), happening.kind.rawValue, happening.name,
        happening.text.replacingTimes(by: run.clock.iso8601),
      ])
    }
  }
}

extension CSVWriter {
  /// Adds the next field of a row as an instant by a clock, with its offset; empty for `nil`.
  mutating func field(_ instant: Instant?, on clock: WallClock) {
    guard let instant else { return field("") }
    ASCIIText { $0.append(instant, by: clock) }.withBytes { field(plain: $0) }
  }

  /// Adds the next field of a row as a span in minutes, with two decimals where it is not whole.
  mutating func field(minutes span: TimeSpan) {
    let minutes = span.minutes
    field(minutes, decimals: minutes == minutes.rounded() ? 0 : 2)
  }

  /// Adds the next field of a row as thousandths of a unit in units, with two decimals or three;
  /// empty for `nil`.
  mutating func field(milliunits: Int64?) {
    guard let milliunits else { return field("") }
    field(thousandths: milliunits, atLeast: 2)
  }
}
