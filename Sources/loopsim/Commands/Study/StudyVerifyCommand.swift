import Arguments
import FoundationEssentials
import StructuredText
import Studies

/// Checks that a study's results follow from its cases, and its cases from its plan.
struct StudyVerifyCommand: Command {
  static let name = "verify"
  static let abstract = "Compute a study's results anew from its cases, and compare."
  static let discussion = """
    With --rerun N so many units, each a replicate of a patient, are carried out again, and their \
    rows compared. Nothing is changed.
    """

  var folder = ""
  var rerun = 0
  var programOptions = ProgramOptions()
  var programs = ""

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("dir", \.folder, help: "The folder of the study.")
    it.option("rerun", \.rerun, help: "How many units are carried out anew.")
    ProgramOptions.describeFolder(&it, at: \.programs)
    ProgramOptions.describe(&it, at: \.programOptions)
  }

  func validate() throws {
    guard rerun >= 0 else {
      throw Failure(.usage, "The number of units to carry out anew must not be below 0.")
    }
    guard rerun > 0 || programs.isEmpty else {
      throw Failure(.usage, "--programs is for units that are carried out anew: add --rerun.")
    }
  }

  func run(to console: any Console) async throws {
    let place = StudyFolder(path: folder)
    let planned = try place.load()
    try StudyPrograms.check(programs, for: planned.study.plan)
    programOptions.noteWhereIdle(rerun > 0 && !planned.study.plan.programs.isEmpty, on: console)
    let results = StudyResults(folder: place, planned: planned)
    let damaged = try shardDefects(place, planned)
    if damaged.isEmpty { try results.confirmMerged(whole: true) }
    // A damaged shard is told although nothing is joined yet that could be looked at besides.
    let isMerged = FileManager.default.fileExists(atPath: place.result("manifest.json"))
    var defects = try damaged + (isMerged ? place.resultDefects() : [])
    if defects.isEmpty {
      let (analysis, casesDigest) = try results.analysis()
      for file in StudyResults.files(analysis, casesDigest: casesDigest) {
        let path = place.result(file.name)
        if try Files.read(path) != file.bytes {
          defects.append("\(path): this is not what follows from results.cases.csv")
        }
      }
    }
    if defects.isEmpty, rerun > 0 {
      let pool = programOptions.pool
      defer { pool?.end() }
      defects += try await rerunDefects(
        planned, Files.read(place.result("cases.csv")), path: place.result("cases.csv"),
        with: StudyPrograms(from: programs, isAllowed: programOptions.isAllowed, pool: pool)
          .following(planned.study.plan, in: folder))
    }
    guard defects.isEmpty else {
      throw Failure(.badInput, defects.joined(separator: "\n"))
    }
    let units = WordList.counted(min(rerun, planned.study.plan.units), "unit")
    console.print(
      "\(planned.study.plan.id): \(WordList.counted(planned.study.plan.runs, "run")); every file "
        + "follows from the "
        + "cases" + (rerun > 0 ? ", and \(units) ran to the same rows" : ""))
  }

  private func shardDefects(
    _ place: StudyFolder, _ planned: StudyFolder.Planned
  ) throws -> [String] {
    guard FileManager.default.fileExists(atPath: place.shardsPath) else { return [] }
    let states = try place.incomplete(in: planned, hashing: true)
    guard states.missing.count == states.damaged.count else {
      throw Failure(.incomplete, "missing shards: \(ShardList.text(states.missing))")
    }
    return states.damaged
  }

  private func rerunDefects(
    _ planned: StudyFolder.Planned, _ cases: [UInt8], path: String, with programs: StudyPrograms
  ) async throws -> [String] {
    let study = planned.study
    let units = study.plan.units
    let wanted = min(rerun, units)
    // Spread over the study, and the same ones every time.
    let chosen = (0..<wanted).map { $0 * units / wanted }
    let problems = ProblemList()
    guard let table = CaseTable(cases, file: path, study: study, problems: problems) else {
      return problems.sorted.map(\.description)
    }
    let kept = table.rows
    let found = try await chosen.concurrentMap { unit -> [String] in
      try study.cases(ofUnit: unit).compactMap { item in
        guard let row = try study.carryOut(item, programs: programs.live) else { return nil }
        guard row.fields != kept[item.number].fields else { return nil }
        let columns = CaseRow.header(study.design)
        let differing = zip(columns, zip(row.fields, kept[item.number].fields))
          .first { $0.1.0 != $0.1.1 }
        return "\(path):\(item.number + 2): case \(item.number) ran anew gives "
          + "\(differing?.1.0 ?? "") as \(differing?.0 ?? "a column"), not "
          + "\(differing?.1.1 ?? "")"
      }
    }
    return found.flatMap(\.self)
  }
}
