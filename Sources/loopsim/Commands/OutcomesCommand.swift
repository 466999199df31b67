import Arguments
import Outcomes
import Quantities
import Reports
import StructuredText

/// Measures a glucose series in a table.
struct OutcomesCommand: Command {
  static let name = "outcomes"
  static let abstract = "Measure a series of glucose readings: ranges, risk, variability, events."
  static let discussion = """
    The table has a header row. Times are ISO 8601, on the clock on the wall; a row without a \
    value \
    is a gap. The text shows the main figures; --format json gives all of them, unrounded.
    """

  /// What is printed.
  enum Format: String, ArgumentValue, CaseIterable { case text, json }

  /// The unit of the values in the table.
  enum Unit: String, ArgumentValue, CaseIterable {
    case milligrams = "mg/dL"
    case millimoles = "mmol/L"
  }

  var file = ""
  var timeColumn: String?
  var glucoseColumn: String?
  var unit: Unit?
  var metrics: [String] = []
  var format = Format.text
  var drawsChart = true

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The table, or - for standard input.")
    it.option("time", \.timeColumn, valueName: "column", help: "The column of times.")
    it.option("glucose", \.glucoseColumn, valueName: "column", help: "The column of glucose.")
    it.option("unit", \.unit, help: "The unit of the values; mg/dL unless the column says mmoll.")
    it.option(
      "metric", short: "m", \.metrics,
      help: "Print only this metric, such as 'tir(70,180)'; may be given several times.")
    it.option("format", \.format, help: "What is printed.")
    it.flag("chart", inverse: "no-chart", \.drawsChart, help: "Draw the glucose.")
  }

  func validate() throws {
    for text in metrics {
      do throws(MetricProblem) {
        _ = try Metric.parse(text, isMolar: unit == .millimoles)
      } catch {
        throw ValidationError("--metric '\(text)', column \(error.column): \(error.description)")
      }
    }
  }

  func run(to console: any Console) async throws {
    let bytes = try Files.read(file)
    let problems = ProblemList()
    let table = GlucoseTable(
      timeColumn: timeColumn, glucoseColumn: glucoseColumn, isMolar: unit.map { $0 == .millimoles })
    let series = table.series(bytes, file: file == "-" ? "<stdin>" : file, problems: problems)
    for problem in problems.sorted { console.note(problem.description) }
    guard let series, !problems.hasErrors else { throw CommandLineError.exit(.badInput) }
    guard let first = series.points.first, let last = series.points.last else {
      throw Failure(.badInput, "\(file) has no glucose reading to measure.")
    }
    if !metrics.isEmpty {
      return try printMetrics(of: series, from: first.instant, to: last.instant, on: console)
    }
    switch format {
    case .json: console.write(JSONWriter().text(GlucoseReport(series).json), to: .output)
    case .text: printText(of: series, from: first.instant, to: last.instant, on: console)
    }
  }

  private func printMetrics(
    of series: GlucoseSeries, from start: Instant, to end: Instant, on console: any Console
  ) throws {
    let run = RunMeasurements(
      from: start, to: max(end, start + .minutes(1)), trueGlucose: series, cgm: series)
    var table = TerminalTable([.left, .right, .left])
    var members: [JSONValue.Member] = []
    for text in metrics {
      let metric = try Metric.parse(text, isMolar: unit == .millimoles)
      let value = metric.value(of: run)
      members.append(.init(text, value.map { .number($0) } ?? .null))
      let words = value.map { FixedDecimal.text($0, decimals: 3) } ?? "–"
      table.rows.append([text, words, metric.unit.rawValue])
    }
    switch format {
    case .json: console.write(JSONWriter().text(.object(members)), to: .output)
    case .text: for line in table.lines { console.print(line) }
    }
  }

  private func printText(
    of series: GlucoseSeries, from start: Instant, to end: Instant, on console: any Console
  ) {
    let width = min(console.width, 120)
    for line in TerminalGlucose(barWidth: max(10, width - 34)).lines(of: series) {
      console.print(line)
    }
    if drawsChart, start < end {
      console.print("")
      for line in TerminalChart(width: width).lines(of: series, from: start, to: end) {
        console.print(line)
      }
    }
    for note in DataSufficiency(series)?.notes ?? [] { console.print("  \(note)") }
  }
}
