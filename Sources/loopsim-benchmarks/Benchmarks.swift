import Arguments
import Foundation

/// Timed loops over the parts of the simulator, with stated units.
@main
struct Benchmarks: Command {
  enum Format: String, ArgumentValue, CaseIterable { case table, json }

  static let name = "loopsim-benchmarks"
  static let abstract = "Time the parts of the simulator."
  static let discussion = """
    Each case prints the nanoseconds of the thread's processor time for one unit of its work: the \
    best and the median of five samples. The checksum is there so that no work can be left out; it \
    is the same on every machine, and so are the rows looked at and the points computed that are \
    told for closed-loop days. Cohorts are timed on the wall, with one task for each processor, \
    and print the most memory the process has had. Build with -c release before believing a figure.
    """

  /// Every suite, in the order of the table.
  static let suites: [Suite] = [
    QuantitiesSuite.suite, TextSuite.suite, PhysiologySuite.suite, DosingSuite.suite,
    DevicesSuite.suite, StoreSuite.suite, ClosedLoopSuite.suite, ReportSuite.suite,
  ]

  var filter: String?
  var format = Format.table
  var milliseconds = 60

  static func describe(_ it: inout Parameters<Self>) {
    it.option(
      "filter", \.filter, valueName: "text",
      help: "Run only the cases whose suite and name contain this text.")
    it.option("format", \.format, help: "Output format.")
    it.option(
      "milliseconds", \.milliseconds, help: "How long one of the five samples takes at least.")
  }

  func validate() throws {
    guard (1...60_000).contains(milliseconds) else {
      throw ValidationError("'--milliseconds' lies between 1 and 60000; give one in that range.")
    }
  }

  func run(to console: any Console) async throws {
    let isLarge = filter?.hasPrefix(StoreSuite.large.name) ?? false
    let chosen = (isLarge ? [StoreSuite.large] : Self.suites).flatMap { suite in
      suite.cases.map { (suite: suite.name, benchmark: $0) }
    }.filter { filter.map("\($0.suite)/\($0.benchmark.name)".contains) ?? true }
    let cohorts = (CohortSuite.cases + [ClosedLoopSuite.cohort]).filter { cohort in
      filter.map(cohort.fullName.contains) ?? true
    }
    guard !chosen.isEmpty || !cohorts.isEmpty else {
      throw ValidationError("No case contains '\(filter ?? "")'. Leave out '--filter' to see all.")
    }
    let load = Machine.loadAverage
    // First, so that what the other cases leave behind does not count as their memory.
    var walls: [WallMeasurement] = []
    for cohort in cohorts { walls.append(await WallMeasurement(of: cohort)) }
    let results = chosen.map { entry in
      Measurement(of: entry.benchmark, in: entry.suite, milliseconds: milliseconds)
    }
    let report = BenchmarkReport(
      results: results, walls: walls, load: (before: load, after: Machine.loadAverage))
    console.print(format == .json ? report.json : report.table)
  }

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    exit(await run(words, to: PlainConsole()))
  }
}

/// Standard output and standard error, without colour.
struct PlainConsole: Console {
  let width = 80
  func isTerminal(_ stream: ConsoleStream) -> Bool { false }

  func write(_ text: String, to stream: ConsoleStream) {
    let handle = stream == .output ? FileHandle.standardOutput : FileHandle.standardError
    try? handle.write(contentsOf: Array(text.utf8))
  }
}
