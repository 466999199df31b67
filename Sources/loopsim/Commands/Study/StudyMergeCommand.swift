import Arguments
import FileSystem
import Pages
import Reports
import RunPlans
import StructuredText
import Studies

/// Joins the shards of a study, and answers its question.
struct StudyMergeCommand: Command {
  static let name = "merge"
  static let abstract = "Join the shards of a study, and answer its question."

  var folder = ""
  var isPartial = false
  var isStrict = false
  var requires = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("dir", \.folder, help: "The folder of the study.")
    it.flag("partial", \.isPartial, help: "Join what is there, without any verdict.")
    it.flag("strict", \.isStrict, help: "End with 1 when runs failed.")
    it.flag("require", \.requires, help: "End with 1 unless every primary goal is met.")
  }

  func validate() throws {
    if isPartial, isStrict || requires {
      throw ValidationError(
        "--partial joins what is there without any verdict: leave out --strict and --require.")
    }
  }

  func run(to console: any Console) async throws {
    let place = StudyFolder(path: folder)
    let planned = try place.load()
    let results = StudyResults(folder: place, planned: planned)
    if isPartial {
      try results.mergePartially(to: console)
      return
    }
    try results.merge()
    for remark in try place.remarks() { console.note(remark) }
    try results.answer(to: console, isStrict: isStrict, requires: requires)
  }
}

extension StudyResults {
  /// Publishes the results, prints them, and ends with the exit code that was asked for.
  func answer(
    to console: any Console, isStrict: Bool, requires: Bool, page: String? = nil
  ) throws {
    let (analysis, digest) = try publish()
    // What was there to look at while shards were missing tells nothing that the results do not.
    try? FileCalls.remove(partialCases)
    console.print(Self.text(analysis, digest))
    console.print("results in \(folder.path)")
    if let page {
      // The results that were just written may stand there.
      try Files.keepFolder(folder.path, apartFrom: page)
      try Files.write(folder.page(analysis, digest).html, to: page)
      console.print("page in \(page)")
    }
    if analysis.flow.failed > 0 {
      console.note(
        "Warning: \(analysis.flow.failed) of "
          + "\(WordList.counted(analysis.flow.planned, "run")) failed; see the "
          + "column \"reason\" of results.cases.csv.")
    }
    for sentence in analysis.unanswered { console.note("Error: \(sentence)") }
    if analysis.flow.failed > 0, isStrict || !analysis.unanswered.isEmpty {
      throw CommandLineError.exit(.expectationFailed)
    }
    let primary = analysis.comparisons.flatMap {
      $0.results.filter { $0.endPoint.role == .primary }
    }
    if requires, primary.contains(where: { $0.verdict != .met }) {
      throw CommandLineError.exit(.expectationFailed)
    }
  }

  /// Where the cases of the shards lie that are complete, while others are missing.
  private var partialCases: String { folder.result("partial.cases.csv") }

  /// Joins the shards that are complete: rows to look at, and nothing that could stop a study.
  func mergePartially(to console: any Console) throws {
    let states = try folder.incomplete(in: planned, hashing: true)
    guard states.damaged.isEmpty else {
      throw Failure(.badInput, states.damaged.joined(separator: "\n"))
    }
    let header = CaseRow.header(planned.study.design)
    try Files.write(to: partialCases) { part in
      try part(CaseRow.table([], header: header, withHeader: true))
      for manifest in states.complete {
        let bytes = try Files.read(folder.shard(manifest.rowsName))
        // The first shard brings the header itself.
        let skipped = manifest.shard == 0 ? (bytes.firstIndex(of: 0x0a) ?? -1) + 1 : 0
        try part(Array(bytes[skipped...]))
      }
    }
    let cases = states.complete.reduce(0) { $0 + $1.cases }
    console.print(
      "\(states.complete.count) of \(WordList.counted(planned.shards, "shard")), \(cases) of "
        + "\(WordList.counted(planned.study.plan.runs, "run")), in \(partialCases). There is no "
        + "verdict before all are there.")
  }
}
