import Arguments
import Expectations
import FoundationEssentials
import Reports
import StructuredText
import Synchronization

/// The files and annotations in which a batch tells others what came of it.
struct ReportFiles: Sendable {
  var junit = ""
  var tap = ""
  var annotates = false
  /// Whether standard output is JSON, so that annotations go to standard error; GitHub reads both.
  var isJSON = false

  private var paths: [String] { [junit, tap].filter { !$0.isEmpty } }

  /// Refuses what is wrong in any case, before a batch is read.
  ///
  /// - Throws: ``Failure`` where a file would overwrite a scenario of the batch.
  func check(for scenarios: [String]) throws(Failure) {
    try Files.keep(scenarios, apartFrom: paths)
    try keepApart()
  }

  /// Makes the folders of the files, and sees whether they can be written, before a batch takes its
  /// time for nothing.
  ///
  /// - Parameters:
  ///   - batch: The batch that is told of.
  ///   - results: The folders of the results of its runs.
  ///   - others: Files that the batch writes besides.
  /// - Throws: ``Failure`` where a file would overwrite one that the batch reads or writes;
  ///   ``FileProblem``.
  func prepare(
    for batch: ScenarioBatch, results: [String], others: [String] = []
  ) throws {
    guard !paths.isEmpty else { return }
    try keep(batch)
    for path in paths {
      try Files.keepApart([path] + others, called: "A report and a file of the batch itself")
    }
    let folders = Set(results.map(Files.place))
    for path in paths {
      var place = Files.place(path)
      while place.utf8.count > 1, !folders.contains(place) {
        place = URL(fileURLWithPath: place).deletingLastPathComponent().path
      }
      guard !folders.contains(place) else {
        throw Failure(
          .usage,
          "\(path) lies in the folder of a run's results, which a newer result replaces as a "
            + "whole. Name another place for the report.")
      }
    }
    for path in paths { try Files.prepare(path) }
  }

  /// Refuses two reports in one file, of which the first would be lost.
  ///
  /// - Parameter page: A page that is written besides; empty for none.
  /// - Throws: ``Failure`` that names the file.
  func keepApart(from page: String = "") throws(Failure) {
    try Files.keepApart([junit, tap, page], called: "Two reports")
  }

  /// Refuses to write a report over a file that a scenario is made of.
  func keep(_ batch: ScenarioBatch, apartFromToo page: String = "") throws(Failure) {
    let outputs = [junit, tap, page].filter { !$0.isEmpty }
    if !outputs.isEmpty { try Files.keep(batch.inputs, apartFrom: outputs) }
  }

  func write(_ suites: [ExpectationSuite], to console: any Console) throws(FileProblem) {
    if !junit.isEmpty { try Files.write(JUnitReport.text(suites), to: junit) }
    if !tap.isEmpty { try Files.write(TAPReport.text(suites), to: tap) }
    if annotates { console.write(GitHubAnnotations.text(suites), to: isJSON ? .error : .output) }
  }
}

/// The report of a batch that is under way; what there is of it is written when the process is
/// interrupted, or cannot go on.
final class GrowingReport: Sendable {
  private let report: Mutex<BatchReport>
  private let count: Int
  private let files: ReportFiles
  private let console: any Console
  /// What is to be known of what an earlier batch left, where this one does not replace it.
  private let former: String?

  /// Begins a report of so many runs to come, that has its last words until ``finish()``.
  init(
    _ report: BatchReport, of count: Int, in files: ReportFiles, on console: any Console,
    former: String? = nil
  ) {
    // The files of which no run could be told count as runs in the report, as they do at its end.
    self.count = report.runs + count
    self.report = Mutex(report)
    self.former = former
    self.files = files
    self.console = console
    PartialOutput.setLastWords { [weak self] failure in
      guard let self else { return }
      if let failure { return breakOff(by: failure) }
      let words = "Interrupted \(progress)."
      console.note(words)
      tellOfFormer()
      write(asEndedBy: "interrupted", words)
    }
  }

  private var progress: String {
    "after \(report.withLock(\.runs)) of \(WordList.counted(count, "run"))"
  }

  /// Says what is left of an earlier batch, unless all runs were carried out.
  private func tellOfFormer() {
    guard let former, report.withLock(\.runs) < count else { return }
    console.note(former)
  }

  /// Writes what there is, and why nothing comes after it.
  private func write(asEndedBy name: String, _ words: String) {
    // Without it the reports would read as those of a batch in which nothing more was to be run.
    let rest = ExpectationSuite(
      name: name, file: "",
      results: [
        ExpectationResult(.error, expectation: name, run: "batch", file: "", message: words)
      ])
    try? files.write(report.withLock(\.suites) + [rest], to: console)
  }

  /// Writes what there is of a batch that cannot go on, in place of the reports of a former one,
  /// which would be taken for those of this one.
  func breakOff(by error: any Error) {
    PartialOutput.setLastWords(nil)
    tellOfFormer()
    write(asEndedBy: "broken off", "Broken off \(progress): \(error)")
  }

  func add(_ run: FinishedRun, differences: [ReplayOutcome.Difference] = []) {
    report.withLock { $0.add(run, differences: differences) }
  }

  func change(_ body: (inout BatchReport) -> Void) { report.withLock { body(&$0) } }

  /// The whole report; an interruption has no last words any more.
  func finish() -> BatchReport {
    PartialOutput.takeBackLastWords()
    return report.withLock(\.self)
  }
}
