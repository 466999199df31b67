import Bridge
import Expectations
import FoundationEssentials
import Pages
import Reports
import StructuredText

/// The files that a batch leaves beside the folders of its runs.
///
/// They tell of this batch alone: folders of earlier runs that are still there are in none of them.
struct BatchFiles {
  /// The names of the files; a part of a batch has its own, such as `runs.2-of-4.csv`, so that the
  /// parts can share a folder.
  private let table: String
  private let summary: String
  private let pageName: String
  private var rows: [BatchRow] = []
  private var missing: [RunWithoutResult] = []
  /// Whether a run was begun: of input that is refused as a whole nothing is written.
  private(set) var isBegun = false
  private var joint: [ExpectationResult] = []
  /// The words of the command that make its runs what they are; `nil` where these are not known.
  var options: [String]? = []

  /// Begins a batch, or a part of one.
  init(shard: Shard?) {
    let part = shard.map { ".\($0.index)-of-\($0.count)" } ?? ""
    table = "runs\(part).csv"
    summary = "batch\(part).json"
    pageName = shard == nil ? RunFolder.page : "report\(part).html"
  }

  /// Whether a file of this name is the table of a batch, or of a part of one.
  static func isTable(_ name: some StringProtocol) -> Bool {
    name.hasPrefix("runs.") && name.hasSuffix(".csv")
  }

  /// Whether a file of this name is the summary of a batch, or of a part of one.
  static func isSummary(_ name: some StringProtocol) -> Bool {
    name.hasPrefix("batch.") && name.hasSuffix(".json")
  }

  /// The names of the tables in a folder: that of a whole batch, else those of the parts of one;
  /// and those of parts beside the table of a whole batch, which are of another.
  static func tables(in folder: String) -> (own: [String], others: [String]) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let whole = BatchFiles(shard: nil).table
    let tables = names.filter(isTable).sorted()
    return tables.contains(whole) ? ([whole], tables.filter { $0 != whole }) : (tables, [])
  }

  /// The tables of parts that are lacking beside those that are there, such as `runs.3-of-4.csv`.
  static func absent(among tables: [String]) -> [String] {
    let parts = tables.compactMap { name in
      let part = name.dropFirst("runs.".count).dropLast(".csv".count)
      return Shard(String(part).replacing("-of-", with: "/"))
    }
    return Set(parts.map(\.count)).sorted().flatMap { count in
      (1...count).map { BatchFiles(shard: Shard("\($0)/\(count)")).table }
        .filter { !tables.contains($0) }
    }
  }

  /// Where the files are written in a folder.
  func paths(in folder: String, withPage: Bool) -> [String] {
    ([table, summary] + (withPage ? [pageName] : [])).map { "\(folder)/\($0)" }
  }

  /// Refuses a folder in which a file that is no batch's would give way to one of this batch.
  ///
  /// - Throws: ``FileProblem`` that names it.
  func check(_ folder: String, withPage: Bool) throws(FileProblem) {
    let kinds: [(name: String, words: String, isOwn: ([UInt8]) -> Bool)] = [
      (table, "table of a batch", Self.isTable(bytes:)),
      (summary, "summary of a batch", Self.isSummary(bytes:)),
      (pageName, "page of a batch", BatchPage.isPage),
    ]
    for kind in withPage ? kinds[...] : kinds.dropLast() {
      let path = "\(folder)/\(kind.name)"
      guard let bytes = try? Files.read(path), !bytes.isEmpty, !kind.isOwn(bytes) else { continue }
      throw FileProblem(
        attempt: .write, path: path,
        reason: "it is no \(kind.words) and would be lost; move it, or choose another folder for "
          + "the results",
        isInputMistake: false)
    }
  }

  /// Whether the content of a file is that of a table of runs.
  private static func isTable(bytes: [UInt8]) -> Bool {
    let header = String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
    let names = Set(header.split(separator: ",").map { $0.filter { !$0.isWhitespace } })
    return names.isSuperset(of: ["id", "digest"])
  }

  /// Whether the content of a file is that of a summary of a batch.
  private static func isSummary(bytes: [UInt8]) -> Bool {
    let root = JSONReader.read(bytes, file: "").root
    return root?["format"] != nil && root?["version"] != nil && root?["runs"] != nil
  }

  /// Takes a run that is over.
  mutating func add(_ run: FinishedRun) {
    joint += run.joint
    let brokeOff = run.failure.map { $0.kind != .input } ?? run.ranOutOfTime
    isBegun = isBegun || run.result != nil || brokeOff
    guard let report = run.report(withDoses: false),
      let row = BatchRow(report, hasFailed: run.hasFailedItself)
    else {
      add(RunWithoutResult(id: run.id, reason: run.whyThereIsNoResult))
      return
    }
    rows.append(row)
  }

  /// What many of the runs say alike, in lines for a person.
  var alikeLines: [String] { AlikeCause.lines(of: rows) }

  /// Takes a run of which nothing is known but that it came to no result.
  mutating func add(_ run: RunWithoutResult) { missing.append(run) }

  /// The runs that the summary beside a table names as without a result.
  ///
  /// - Parameters:
  ///   - table: The name of the table, such as `runs.csv`.
  ///   - folder: The folder of the batch.
  ///   - count: How many runs the table has.
  /// - Returns: Those runs; none where there is no such summary.
  /// - Throws: ``Failure`` or ``FileProblem`` where the summary cannot be read, or tells of another
  ///   number of runs: what one of the two lacks would be left out.
  static func withoutResult(
    beside table: String, in folder: String, of count: Int
  ) throws -> [RunWithoutResult] {
    let name = "batch" + table.dropFirst("runs".count).dropLast("csv".count) + "json"
    let path = "\(folder)/\(name)"
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let reading = JSONReader.read(try Files.read(path), file: path)
    guard let root = reading.root else { throw Failure(reading.problems) }
    if let told = root["runs"]?.integer, told != count {
      throw Failure(
        .badInput,
        "\(folder)/\(table) has \(WordList.counted(count, "run")), and \(name) beside it tells of "
          + "\(told): one of them is not whole. Run the batch again.")
    }
    return (root["without_result"]?.items ?? []).compactMap { item in
      guard let id = item["run"]?.string else { return nil }
      return RunWithoutResult(id: id, reason: item["reason"]?.string ?? "")
    }
  }

  /// Writes the files of a part that has no run, as there are more parts than runs.
  ///
  /// Without them it would be taken for a part that was not carried out.
  static func writeEmptyPart(_ shard: Shard?, below folder: String) throws {
    guard let shard else { return }
    var files = BatchFiles(shard: shard)
    files.isBegun = true
    try files.check(folder, withPage: false)
    _ = try files.write(below: folder, withPage: false)
  }

  /// Writes the files; the page too, and where there are several runs, when it is asked for.
  ///
  /// - Returns: Where the page is; nothing when none was written.
  func write(below folder: String, withPage: Bool) throws -> String? {
    guard isBegun else { return nil }
    try Files.makeFolder(folder)
    let version = Loopsim.version ?? ""
    let tree = BatchTables.batch(rows, missing: missing, joint: joint, version: version)
    var files = [
      (Array(BatchTables.runs(rows).utf8), "\(folder)/\(table)"),
      (Array(JSONWriter().text(tree).utf8), "\(folder)/\(summary)"),
    ]
    let path = withPage && rows.count + missing.count > 1 ? "\(folder)/\(pageName)" : nil
    if let path { files.append((Array(page.html(linksToRuns: true).utf8), path)) }
    try Files.write(files)
    return path
  }

  /// Looks whether the result of every run is still there as this batch wrote it.
  ///
  /// Two batches that write into one folder at once replace each other's results, and the tables
  /// would tell of results that nobody has.
  ///
  /// - Throws: ``Failure`` where results are gone or not this batch's; ``FileProblem`` where one
  ///   cannot be read.
  func confirm(below folder: String) throws {
    var lost: [String] = []
    for row in rows where try !Self.isDigest(row.digest, in: "\(folder)/\(row.id)") {
      lost.append("\(folder)/\(row.id)")
    }
    guard !lost.isEmpty else { return }
    throw Failure(
      .inputOutput,
      "Of \(WordList.counted(rows.count, "result")) \(lost.count) "
        + "\(WordList.verb("is", of: lost.count)) gone, or not of this batch: "
        + "\(WordList.text(lost, atMost: Self.mostNamed)). Another program removed them, or wrote "
        + "there meanwhile. Run the batch again, alone.")
  }

  /// The most results that are named.
  private static let mostNamed = 3

  /// Whether the summary in a folder states a digest.
  private static func isDigest(_ digest: String, in folder: String) throws(FileProblem) -> Bool {
    let path = "\(folder)/\(RunFolder.summaryName)"
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let bytes = try Files.read(path)
    // Looked for as bytes: the first search in a text takes a hundredth of a run of an hour.
    let words = Array("\"digest\": \"\(digest)\"".utf8)
    return bytes.indices.contains { bytes[$0] == words[0] && bytes[$0...].starts(with: words) }
  }

  /// That the tables in a folder are those of an earlier batch, in one sentence; `nil` where there
  /// is none.
  func formerWords(in folder: String) -> String? {
    let names = [table, summary].filter {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)")
    }
    guard !names.isEmpty else { return nil }
    return
      "\(names.joined(separator: " and ")) in \(folder) \(WordList.verb("is", of: names.count)) "
      + "of an earlier batch."
  }

  /// The page of the batch.
  var page: BatchPage {
    var page = BatchPage(rows, missing: missing, joint: joint, version: Loopsim.version ?? "")
    page.options = options
    return page
  }
}
