import FoundationEssentials
import StructuredText
import Studies

/// Joins the shards of a study and writes what they come to.
struct StudyResults {
  let folder: StudyFolder
  let planned: StudyFolder.Planned

  /// Joins all shards into one table, in their order; nothing is published when one is not right.
  func merge() throws {
    folder.clean()
    let states = try folder.incomplete(in: planned, hashing: false)
    guard states.damaged.isEmpty else {
      throw Failure(.badInput, states.damaged.joined(separator: "\n"))
    }
    guard states.missing.isEmpty else { throw lacking(states.missing) }
    try Files.write(to: folder.result("cases.csv")) { part in
      for manifest in states.complete {
        let name = folder.shard(manifest.rowsName)
        let bytes = try Files.read(name)
        guard bytes.count == manifest.bytes, StudyPlan.digest(of: bytes) == manifest.digest else {
          throw Failure(.badInput, "\(name): its content is not what its manifest says.")
        }
        try part(bytes)
      }
    }
  }

  /// Holds the merged table against the digest that the manifest of the results has of it.
  ///
  /// What is made anew of another table would have a manifest that agrees with it, and nothing
  /// would tell any more that the cases were changed.
  ///
  /// - Throws: ``Failure`` with the line that differs, where the shards are still there to tell.
  func confirmCases() throws {
    let path = folder.result("manifest.json")
    guard FileManager.default.fileExists(atPath: path) else { return }
    let defects = try folder.resultDefects(named: ["results.cases.csv"])
    guard defects.isEmpty else {
      throw Failure(
        .badInput,
        defects.joined(separator: "\n") + ". Join the shards again with loopsim study merge, or "
          + "carry the study out anew.")
    }
  }

  /// Says what to do where the shards are not joined yet.
  ///
  /// - Parameter whole: Whether all files of the results have to be there, of which the manifest is
  ///   the last.
  /// - Throws: ``Failure`` with exit code 3.
  func confirmMerged(whole: Bool = false) throws {
    let path = folder.result(whole ? "manifest.json" : "cases.csv")
    guard !FileManager.default.fileExists(atPath: path) else { return }
    let missing = try folder.incomplete(in: planned, hashing: false).missing
    if !missing.isEmpty { throw lacking(missing) }
    throw Failure(
      .incomplete,
      "\(path) is not there yet. Join the shards with: "
        + ShellWord.line(["loopsim", "study", "merge", folder.path]))
  }

  private func lacking(_ missing: [Int]) -> Failure {
    Failure(
      .incomplete,
      "\(missing.count) of \(WordList.counted(planned.shards, "shard")) "
        + "\(WordList.verb("is", of: missing.count)) missing: "
        + "\(ShardList.text(missing)). Run them, or copy what another machine left in shards/ into "
        + "\(folder.path)/shards, then merge.")
  }

  /// What the merged table says.
  func analysis() throws -> (analysis: StudyAnalysis, casesDigest: String) {
    try confirmMerged()
    let path = folder.result("cases.csv")
    let bytes = try Files.read(path)
    let problems = ProblemList()
    guard let table = CaseTable(bytes, file: path, study: planned.study, problems: problems)
    else {
      throw Failure(problems.sorted)
    }
    return (StudyAnalysis(table, of: planned.study), StudyPlan.digest(of: bytes))
  }

  /// Every file of the results but the cases and the manifest, by its name.
  static func files(
    _ analysis: StudyAnalysis, casesDigest: String
  ) -> [(name: String, bytes: [UInt8])] {
    let summary = JSONWriter().bytes(StudySummary(analysis, casesDigest: casesDigest).json)
    let digest = StudyDigest(
      plan: analysis.study.digest, cases: casesDigest, summary: StudyPlan.digest(of: summary))
    let tables = StudyTables(analysis)
    var files: [(name: String, bytes: [UInt8])] = [
      ("patients.csv", tables.patients), ("harms.csv", tables.harms),
      ("summary.json", summary),
      ("text.txt", Array((text(analysis, digest) + "\n").utf8)),
      ("checklist.md", Array(StudyChecklist(analysis, digest: digest).text.utf8)),
    ]
    if let surface = tables.surface { files.append(("surface.csv", surface)) }
    if let sensitivity = tables.sensitivity { files.append(("sensitivity.csv", sensitivity)) }
    return files
  }

  /// The result as it is printed: the answer first, the digest to cite last.
  static func text(_ analysis: StudyAnalysis, _ digest: StudyDigest) -> String {
    (StudyText(analysis).lines + [
      "study \(analysis.study.plan.id)@\(digest.short)   (plan \(digest.plan.prefix(8))…, cases "
        + "\(digest.cases.prefix(8))…)"
    ]).joined(separator: "\n")
  }

  /// Writes everything that follows from the cases, and the manifest last.
  ///
  /// What stands there as it is stays, so that a study can be read where nothing may be written.
  func publish() throws -> (analysis: StudyAnalysis, digest: StudyDigest) {
    let (analysis, casesDigest) = try analysis()
    let files = Self.files(analysis, casesDigest: casesDigest)
    for file in files { try Self.write(file.bytes, to: folder.result(file.name)) }
    let summary = files.first { $0.name == "summary.json" }?.bytes ?? []
    let digest = StudyDigest(
      plan: planned.study.digest, cases: casesDigest, summary: StudyPlan.digest(of: summary))
    try Self.write(
      Array(try manifest(files, casesDigest, digest).utf8), to: folder.result("manifest.json"))
    return (analysis, digest)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    if let former = try? Files.read(path), former == bytes { return }
    try Files.write(bytes, to: path)
  }

  private func manifest(
    _ files: [(name: String, bytes: [UInt8])], _ casesDigest: String, _ digest: StudyDigest
  ) throws -> String {
    let cases = folder.result("cases.csv")
    let size = try Files.read(cases).count
    var entries: [JSONValue] = [
      [
        "bytes": .integer(Int64(size)), "name": "results.cases.csv",
        "sha256": .string(casesDigest),
      ]
    ]
    for file in files.sorted(by: { $0.name < $1.name }) {
      entries.append([
        "bytes": .integer(Int64(file.bytes.count)), "name": .string("results.\(file.name)"),
        "sha256": .string(StudyPlan.digest(of: file.bytes)),
      ])
    }
    let value: JSONValue = [
      "files": .array(entries), "format": 1, "plan_sha256": .string(planned.study.digest),
      "study": .string(digest.short),
    ]
    return JSONWriter().text(value)
  }
}
