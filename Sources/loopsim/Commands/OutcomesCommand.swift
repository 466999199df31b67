import Arguments
import FileSystem
import FoundationEssentials
import Interchange
import Outcomes
import Pages
import Quantities
import Reports
import Scenarios
import StructuredText

/// Measures glucose series in tables and records.
struct OutcomesCommand: Command {
  static let name = "outcomes"
  static let abstract = "Measure a series of glucose readings: ranges, risk, variability, events."
  static let discussion = """
    Tables have a header row: exports of \(RecordTable.programs), our own tables, or any with a \
    column of times and one of glucose. Of a folder of results every timeline.csv is read. Each \
    person of a table is measured alone. Times are on the clock on the wall, with --zone on that \
    of its zone, with the hours that it skips or shows twice; a row without a value is a gap. Of \
    a run's timeline.csv the true glucose is measured, as the run itself does, or with --column \
    cgm what the sensor showed; the answer names the column.

    A health store's file, Apple Health's export.xml, and the JSON of Tidepool and Nightscout are \
    read too, each source alone, by the clock of --zone.

    Figures and limits are in the unit of the file, or in that of --unit. The text shows the main \
    figures; --format json gives all of them, unrounded and in mg/dL.
    """

  /// What is printed.
  enum Format: String, ArgumentValue, CaseIterable { case text, json }

  /// Which glucose of a run's timeline is measured.
  enum Source: String, ArgumentValue, CaseIterable {
    case truth = "true"
    case cgm
  }

  /// A series with what it is called.
  private struct Named {
    var name: String
    var series: GlucoseSeries
    /// The column of the table that was measured.
    var column: String
    /// The unit of the answer.
    var unit: GlucoseUnit
    /// What is to be known of the readings.
    var notes: [String]
  }

  var files: [String] = []
  var timeColumn: String?
  var glucoseColumn: String?
  var source: Source?
  var personColumn: String?
  var unit: TableUnit?
  var dates: DateWord?
  var zone: ZoneWord?
  var metrics: [String] = []
  var format = Format.text
  var drawsChart = true
  var page: String?
  var figures: String?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional(
      "files", \.files, help: "Tables, records, folders of results, or - for standard input.")
    it.option("time", \.timeColumn, valueName: "column", help: "The column of times.")
    it.option("glucose", \.glucoseColumn, valueName: "column", help: "The column of glucose.")
    it.option(
      "column", \.source,
      help: "Which glucose of a run's timeline is measured; else the true one.")
    it.option("person", \.personColumn, valueName: "column", help: "The column of people.")
    it.option(
      "unit", \.unit,
      help: "The unit of the answer, and of a table that does not say its own; else that of the "
        + "file, or mg/dL.")
    it.option("dates", \.dates, help: "Whether 03/04/2026 begins with the day or the month.")
    it.option(
      "zone", \.zone,
      help: "The time zone of days and local times; else that which most samples of a record name.")
    it.option(
      "metric", short: "m", \.metrics,
      help: "Print only this metric, such as 'tir(70,180)'; may be given several times.")
    it.option("format", \.format, help: "What is printed.")
    it.destination(
      "report", \.page, valueName: "file", help: "Write a page of the profile to this file.")
    it.destination("svg", \.figures, valueName: "folder", help: ChartFolder.help)
    it.flag("chart", inverse: "no-chart", \.drawsChart, help: "Draw the glucose.")
  }

  func validate() throws {
    if source != nil, glucoseColumn != nil {
      throw ValidationError("--column and --glucose both choose the column. Give one of them.")
    }
    for (place, text) in metrics.enumerated() {
      // An answer in JSON has one key for each.
      guard !metrics[..<place].contains(text) else {
        throw ValidationError("--metric '\(text)' is there twice. Leave one out.")
      }
      let name: Metric.Name
      do throws(MetricProblem) {
        name = try Metric.parse(text, isMolar: unit == .millimoles).name
      } catch {
        throw ValidationError("--metric '\(text)', column \(error.column): \(error.description)")
      }
      // Of insulin, food, a loop and a sensor's error readings say nothing, and not none.
      guard name.needsOnlyGlucose || name == .lbgiScore || name == .hyperScore else {
        throw ValidationError(
          "--metric '\(text)': \(name.rawValue) is a figure of a run, which readings of glucose do "
            + "not give.")
      }
    }
  }

  func run(to console: any Console) async throws {
    try Files.keep(files, apartFrom: [page])
    for file in files { try Files.keepFolder(file, apartFrom: page) }
    let found = try series(console)
    let all = found.filter { !$0.series.isEmpty }
    guard let first = all.first else {
      throw Failure(
        .badInput, "\(files.joined(separator: ", ")) has no glucose reading to measure.")
    }
    try warnOfUnits(of: all, console)
    try writePage(of: all, console)
    if all.count == 1 { return try print(first, on: console) }
    guard format == .json else {
      for (index, named) in all.enumerated() {
        if index > 0 { console.print("") }
        console.print(named.name)
        try print(named, on: console)
      }
      return
    }
    let members = try all.map { named -> JSONValue in
      ["name": .string(named.name), "report": try json(of: named)]
    }
    console.printJSON(["series": .array(members)])
  }

  /// A limit in the other unit measures nothing: a share of 0 % or 100 % would stand there.
  private func warnOfUnits(of all: [Named], _ console: any Console) throws {
    for unit in GlucoseUnit.allCases where all.contains(where: { $0.unit == unit }) {
      let reason =
        self.unit != nil
        ? ", as --unit says" : unit == .millimolesPerLitre ? ", as the readings are" : ""
      for text in metrics {
        for (written, likely) in try Self.metric(text, unit).limitsInOtherUnit {
          console.note(
            "Warning: --metric '\(text)' is in \(unit.rawValue)\(reason), and "
              + "\(JSONField.shortText(written)) is no limit in it. "
              + "Did you mean \(JSONField.shortText(likely))?")
        }
      }
    }
  }

  /// A metric whose limits of glucose are in a unit.
  private static func metric(_ text: String, _ unit: GlucoseUnit) throws -> Metric {
    try Metric.parse(text, isMolar: unit == .millimolesPerLitre)
  }

  // MARK: - Input

  /// The series of all files, each person's alone.
  private func series(_ console: any Console) throws -> [Named] {
    let table = GlucoseTable(
      timeColumn: timeColumn, glucoseColumn: glucoseColumn,
      isMolar: unit.map { $0 == .millimoles }, personColumn: personColumn, dateOrder: dates?.order,
      source: source.map { $0 == .truth ? .truth : .cgm }, clock: zone?.clock)
    let paths = try files.flatMap { try Self.tables(at: $0) }
    var refused = RefusedFiles()
    let all = try paths.compactMap { path in
      try refused.reading { try series(in: path, table, isOneOfMany: paths.count > 1, console) }
    }
    try refused.check()
    return all.flatMap(\.self)
  }

  /// The series of a table or a record, each person's or source's alone.
  private func series(
    in path: String, _ table: GlucoseTable, isOneOfMany: Bool, _ console: any Console
  ) throws -> [Named] {
    let file = path == "-" ? "<stdin>" : path
    // What comes through a pipe can be read only once.
    let isFile = InputFile.isRegular(path) || StoreFile.path(of: path) != nil
    let held = isFile ? nil : try Files.read(path)
    if let records = try GlucoseRecords(path, held: held, zone: zone, unit: unit) {
      return try sources(of: records, in: path, isOneOfMany: isOneOfMany, console)
    }
    let problems = ProblemList()
    let bytes = try held ?? Files.read(path)
    guard zone == nil || !GlucoseTable.isTimeline(bytes) else {
      throw Failure(
        .usage, "\(file): a run's times are those of the clock on the wall. Leave out --zone.")
    }
    let people = table.people(bytes, file: file, problems: problems)
    guard let people, !problems.hasErrors else { throw Failure(problems.sorted) }
    if URL(fileURLWithPath: path).lastPathComponent == OutputSelection.File.timeline.fileName,
      held == nil, let summary = try SummaryBeside(path),
      let rows = CSVTable(bytes, file: file, problems: ProblemList())
    {
      try summary.check(timeline: rows)
    }
    console.note(problems.sorted)
    return people.map { person in
      // Who has no name is not taken for all people of the table.
      let own = person.name ?? (people.count > 1 ? "no name" : nil)
      let name = own.map { isOneOfMany ? "\(file), \($0)" : $0 } ?? file
      return Named(
        name: name, series: person.series, column: person.column,
        unit: unit?.glucoseUnit ?? person.unit,
        notes: person.notes + limitNotes(person.series))
    }
  }

  /// The glucose of a record, each source alone.
  private func sources(
    of records: GlucoseRecords, in path: String, isOneOfMany: Bool, _ console: any Console
  ) throws -> [Named] {
    let hasColumns = timeColumn != nil || glucoseColumn != nil || personColumn != nil
    guard !hasColumns, source == nil, dates == nil else {
      throw Failure(
        .usage,
        "\(path): a record has no columns. Leave out --time, --glucose, --column, --person and "
          + "--dates.")
    }
    for note in records.notes { console.note(note) }
    return records.sources.map { source in
      Named(
        name: isOneOfMany ? "\(path), \(source.name)" : source.name, series: source.series,
        column: "glucose of \(source.name)", unit: records.unit,
        notes: records.reading + limitNotes(source.series))
    }
  }

  /// The tables that a path names: itself, or every timeline below a folder.
  private static func tables(at path: String) throws -> [String] {
    if StoreFile.path(of: path) != nil { return [path] }
    guard Files.isFolder(path) == true else { return [path] }
    let timeline = OutputSelection.File.timeline.fileName
    let names = try BatchImport.names(in: path).filter {
      $0.split(separator: "/").last == timeline[...]
    }
    guard !names.isEmpty else {
      throw Failure(.badInput, "There is no \(timeline) in \(path).")
    }
    return names.map { "\(path)/\($0)" }
  }

  // MARK: - Output

  /// Writes the page and the charts that were asked for, in the unit of most series.
  private func writePage(of all: [Named], _ console: any Console) throws {
    let drawn = GlucosePage(
      all.map {
        GlucosePage.Person(
          name: $0.name, series: $0.series, column: $0.column, notes: $0.notes)
      },
      unit: GlucoseUnit(ofMost: all.map(\.unit)),
      version: Loopsim.version ?? "")
    if let page {
      try Files.write(drawn.html, to: page)
      console.note("page in \(page)")
    }
    if let figures { try ChartFolder.write(drawn.figures, to: figures, console) }
  }

  private func print(_ named: Named, on console: any Console) throws {
    let series = named.series
    guard let first = series.points.first, let last = series.points.last else { return }
    switch format {
    case .json: console.printJSON(try json(of: named))
    case .text:
      console.print("measured  \(InertText.line(named.column))")
      if metrics.isEmpty {
        printText(of: named, from: first.instant, to: last.instant, on: console)
      } else {
        try printMetrics(of: named, on: console)
      }
      for note in named.notes { console.print("  \(InertText.line(note))") }
    }
  }

  private func json(of named: Named) throws -> JSONValue {
    // The keys of the whole report have their limits in mg/dL, and single metrics are as written.
    let unit: GlucoseUnit = metrics.isEmpty ? .milligramsPerDecilitre : named.unit
    let head = [
      JSONValue.Member("column", .string(named.column)),
      .init("unit", .string(unit.rawValue)),
      .init("reading", .array(named.notes.map { .string($0) })),
    ]
    guard !metrics.isEmpty else {
      return .object(head + GlucoseReport(named.series).members)
    }
    return .object(
      head
        + (try values(of: named).map {
          .init($0.text, $0.value.map { .number($0) } ?? .null)
        }))
  }

  private func values(
    of named: Named
  ) throws -> [(text: String, metric: Metric, value: Double?)] {
    let series = named.series
    guard let start = series.points.first?.instant, let end = series.points.last?.instant else {
      return []
    }
    let run = RunMeasurements(
      from: start, to: max(end, start + .minutes(1)), trueGlucose: series, cgm: series)
    return try metrics.map { text in
      let metric = try Self.metric(text, named.unit)
      return (text, metric, metric.value(of: run))
    }
  }

  private func printMetrics(of named: Named, on console: any Console) throws {
    let values = try values(of: named)
    var table = TerminalTable([.left, .right, .left])
    for row in values {
      let words = row.value.map { FixedDecimal.text($0, decimals: 3) } ?? "–"
      table.rows.append([row.text, words, row.metric.unitName])
    }
    for line in table.lines { console.print(line) }
    if values.contains(where: { $0.value == nil }),
      let note = DataSufficiency(named.series)?.spanNote
    {
      console.print("  \(note)")
    }
  }

  private func printText(
    of named: Named, from start: Instant, to end: Instant, on console: any Console
  ) {
    let series = named.series
    let width = min(console.width, 120)
    let glucose = TerminalGlucose(barWidth: max(10, width - 34), unit: named.unit)
    for line in glucose.lines(of: series) { console.print(line) }
    if drawsChart, start < end {
      console.print("")
      let chart = TerminalChart(width: width, unit: named.unit)
      for line in chart.lines(of: series, from: start, to: end) { console.print(line) }
    }
    for note in DataSufficiency(series)?.notes ?? [] { console.print("  \(note)") }
  }

  /// What is to be known of readings that are written as a limit of the consensus in mmol/L.
  private func limitNotes(_ series: GlucoseSeries) -> [String] {
    series.readingsAtLimits.map {
      "\(WordList.counted($0.count, "reading")) of \(FixedDecimal.text($0.mmolL, decimals: 1)) "
        + "mmol/L counted as \(JSONField.shortText($0.mgdL)) mg/dL, the limit that the consensus "
        + "writes so."
    }
  }
}
