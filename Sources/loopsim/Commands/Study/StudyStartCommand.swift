import Arguments
import FoundationEssentials
import ScenarioLanguage
import StructuredText
import Studies

/// Does a whole study on this machine.
struct StudyStartCommand: Command {
  static let name = "start"
  static let abstract = "Do a whole study on this machine; `loopsim study FILE` is short for it."

  var file = ""
  var out = ""
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var shards: Int?
  var isStrict = false
  var allowsOutside = false
  var requires = false
  var page: String?
  var programOptions = ProgramOptions()

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The scenario with the study.")
    it.destination("out", short: "o", \.out, help: StudyPlanning.folderHelp)
    it.option("jobs", short: "j", \.jobs, help: "How many runs at a time.")
    it.option("shards", \.shards, help: "Into how many parts the study is divided.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
    it.flag(
      "strict", \.isStrict, help: "Run nothing that has a warning; end with 1 when runs fail.")
    it.destination(
      "report", \.page, valueName: "file", help: "Write a page of the study to this file.")
    ProgramOptions.describe(&it, at: \.programOptions)
    it.flag("require", \.requires, help: "End with 1 unless every primary goal is met.")
  }

  func validate() throws {
    if let complaint = StudyCommand.folderComplaint(file) { throw Failure(.usage, complaint) }
    try StudyPlanning.check(shards: shards)
    try Jobs.check(jobs)
  }

  func run(to console: any Console) async throws {
    StudyWork.stop.await()
    var planning = try StudyPlanning(file, isStrict: isStrict, allowsOutside: allowsOutside)
    try Files.keep(planning.inputs, apartFrom: [page])
    console.note(planning.remarks)
    let pool = programOptions.pool
    defer { pool?.end() }
    let programs = StudyPrograms(
      from: FilePath.folder(of: file), isAllowed: programOptions.isAllowed, pool: pool)
    planning = try await planning.greeting(programs).afterPilot(with: programs, to: console)
    let plan = planning.plan
    programOptions.noteWhereIdle(!plan.programs.isEmpty, on: console)
    let folder = StudyFolder(path: out.isEmpty ? planning.folder : out)
    let count = min(plan.units, shards ?? StudyPlanning.shards(for: plan))
    try Files.keepFolder(folder.path, apartFrom: page)
    _ = try folder.begin(plan, shards: count)
    try folder.keep(planning.remarks)
    let planned = try folder.load()
    let work = StudyWork(
      folder: folder, planned: planned, jobs: jobs,
      programs: try programs.following(planned.study.plan, in: folder.path))
    try await StudyRunCommand.runMissing(work, to: console)
    let results = StudyResults(folder: folder, planned: planned)
    try results.merge()
    try results.answer(to: console, isStrict: isStrict, requires: requires, page: page)
  }
}
