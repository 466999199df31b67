internal import ClosedLoop
public import Expectations
internal import HealthStore
public import Quantities
internal import Scenarios
public import Simulation
internal import StructuredText

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
  ) -> String {
    let all = SeriesExpression.Name.allCases
    let shown = series ?? (run.hasApp ? all : all.filter { $0.needOfApp == nil })
    let words = series == nil && run.hasApp ? ["recommendation", "mode"] : []
    var table = CSVWriter(header: ["time", "seconds"] + shown.map(\.column) + words)
    let onBoard = shown.contains(where: \.needsOnBoard) ? run.insulinOnBoard() : []
    assert(
      onBoard.isEmpty || onBoard.count == run.trace.rows.count, "Each row has its insulin on board."
    )
    for (index, row) in run.trace.rows.enumerated() {
      let since = row.instant - run.start
      assert(interval.map { $0 > .zero } ?? true, "Rows are some time apart.")
      if let interval, since.milliseconds % interval.milliseconds != 0 { continue }
      table.field(run.clock.iso8601(row.instant))
      table.field(since.milliseconds / 1_000)
      for one in shown { write(one, of: row, onBoard.isEmpty ? nil : onBoard[index], to: &table) }
      if !words.isEmpty {
        table.field(row.recommendation)
        table.field(row.mode.rawValue)
      }
    }
    return table.text
  }

  private static func write(
    _ series: SeriesExpression.Name, of row: TraceRow, _ onBoard: InsulinOnBoard?,
    to table: inout CSVWriter
  ) {
    switch series {
    case .glucoseTrue: table.field(row.trueGlucose.mgdL, decimals: 2)
    case .glucoseCGM: table.field(row.reading?.mgdL, decimals: 1)
    case .scheduledRate: table.field(units(row.scheduledRate.milliunitsPerHour))
    case .programmedRate: table.field(units(row.programmedRate.milliunitsPerHour))
    case .basal: table.field(units(row.basalDelivered.milliunits))
    case .bolus: table.field(units(row.bolusDelivered.milliunits))
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
  public static func basalSegments(_ run: RunResult) -> String {
    var table = CSVWriter(header: [
      "start", "end", "rate_U_per_h", "units", "kind", "source", "written_at", "sample_id",
    ])
    for segment in run.basalSamples {
      table.append(row: [
        run.clock.iso8601(segment.start), run.clock.iso8601(segment.end),
        units(segment.rate.milliunitsPerHour), units(segment.units.milliunits),
        segment.kind.rawValue, segment.source, run.clock.iso8601(segment.writtenAt),
        segment.sampleID.description,
      ])
    }
    return table.text
  }

  /// What the pump reported, with what a person has deleted since, by time.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - deleted: The entries that were deleted.
  /// - Returns: The table, its first line the names of the columns.
  public static func eventHistory(
    _ run: RunResult, deleted: [RunObservation.DeletedEvent]
  ) -> String {
    var entries = run.eventHistory.map { (event: $0, deleted: Instant?.none) }
    for deletion in deleted {
      let place = entries.partitioningIndex { $0.event.instant > deletion.record.instant }
      entries.insert((deletion.record, deletion.deleted), at: place)
    }
    var table = CSVWriter(header: [
      "time", "kind", "end", "rate_U_per_h", "programmed_U", "delivered_U", "automatic",
      "mutable", "identifier", "deleted_at",
    ])
    for (event, deleted) in entries {
      table.append(row: [
        run.clock.iso8601(event.instant), event.kind.rawValue, run.clock.iso8601(event.end),
        event.rate.map { units($0.milliunitsPerHour) } ?? "",
        event.programmed.map { units($0.milliunits) } ?? "",
        event.delivered.map { units($0.milliunits) } ?? "",
        event.isAutomatic ? "yes" : "no", event.isMutable ? "yes" : "no",
        event.identifier.description, deleted.map(run.clock.iso8601) ?? "",
      ])
    }
    return table.text
  }

  /// The doses the app counts, from the pump and from elsewhere.
  public static func insulinDelivery(_ run: RunResult) -> String {
    var table = CSVWriter(header: [
      "start", "end", "kind", "units", "scheduled_rate_U_per_h", "from_pump", "mutable", "source",
      "identifier",
    ])
    for dose in run.insulinDelivery {
      table.append(row: [
        run.clock.iso8601(dose.start), run.clock.iso8601(dose.end), dose.kind.rawValue,
        FixedDecimal.text(dose.units, decimals: 4),
        dose.scheduledRate.map { units($0.milliunitsPerHour) } ?? "",
        dose.isFromPump ? "yes" : "no", dose.isMutable ? "yes" : "no", dose.source,
        dose.identifier.description,
      ])
    }
    return table.text
  }

  /// Everything that happened, one row each.
  public static func happenings(_ run: RunResult) -> String {
    var table = CSVWriter(header: ["time", "kind", "name", "text"])
    for happening in run.trace.happenings {
      table.append(row: [
        run.clock.iso8601(happening.instant), happening.kind.rawValue, happening.name,
        localTimes(in: happening.text, on: run.clock),
      ])
    }
    return table.text
  }

  /// A sentence whose times in UTC are those of a clock, as all others of a table.
  static func localTimes(in text: String, on clock: WallClock) -> String {
    guard text.utf8.contains(UInt8(ascii: "Z")) else { return text }
    return text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) { match in
      Instant(iso8601: String(match.0)).map(clock.iso8601) ?? String(match.0)
    }
  }

  /// Thousandths of a unit in units, with two decimals or three.
  static func units(_ milliunits: Int64) -> String {
    FixedDecimal.text(thousandths: milliunits, atLeast: 2)
  }
}

extension SeriesExpression.Name {
  /// The name of the series' column, with its unit.
  var column: String {
    switch self {
    case .glucoseTrue: "glucose_true_mgdL"
    case .glucoseCGM: "glucose_cgm_mgdL"
    case .scheduledRate: "scheduled_rate_U_per_h"
    case .programmedRate: "programmed_rate_U_per_h"
    case .basal: "basal_delivered_U"
    case .bolus: "bolus_delivered_U"
    case .carbsEaten: "carbs_eaten_g"
    case .carbsEntered: "carbs_entered_g"
    case .iobApp: "iob_U"
    case .iobAppTotal: "iob_total_U"
    case .iobTrue: "iob_true_U"
    case .iobTrueTotal: "iob_true_total_U"
    case .bodyInsulin: "insulin_in_body_U"
    case .cobApp: "cob_g"
    }
  }
}
