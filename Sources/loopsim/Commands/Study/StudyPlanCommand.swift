import Arguments
import ScenarioLanguage
import StructuredText
import Studies

/// Fixes a study in a folder.
struct StudyPlanCommand: Command {
  static let name = "plan"
  static let abstract = "Fix a study in a folder, before anything runs."
  static let discussion = """
    The folder gets plan.json, which holds every file that the study is made from and never \
    changes. Its digest is printed, for a registry.
    """

  var file = ""
  var out = ""
  var shards: Int?
  var follows: String?
  var isStrict = false
  var allowsOutside = false
  var allowsPrograms = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The scenario with the study.")
    it.destination("out", short: "o", \.out, help: StudyPlanning.folderHelp)
    it.option("shards", \.shards, help: "Into how many parts the study is divided.")
    it.option("follows", \.follows, help: "The digest of the plan that this one goes on from.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
    it.flag("allow-programs", \.allowsPrograms, help: ProgramDesk.help)
    it.flag("strict", \.isStrict, help: "Plan nothing that has a warning.")
  }

  func validate() throws {
    try StudyPlanning.check(shards: shards)
    if let follows, follows.utf8.count != 64 || !follows.allSatisfy(\.isHexDigit) {
      throw Failure(
        .usage,
        "--follows takes the digest of a plan, 64 hexadecimal digits, as study plan prints it, not "
          + "\"\(follows)\".")
    }
  }

  func run(to console: any Console) async throws {
    var planning = try StudyPlanning(file, isStrict: isStrict, allowsOutside: allowsOutside)
    console.note(planning.remarks)
    let pool = ProgramPool()
    defer { pool.end() }
    let programs = StudyPrograms(
      from: FilePath.folder(of: file), isAllowed: allowsPrograms, pool: pool)
    planning = try await planning.greeting(programs).afterPilot(with: programs, to: console)
    var plan = planning.plan
    plan.follows = follows
    let count = min(plan.units, shards ?? StudyPlanning.shards(for: plan))
    let folder = StudyFolder(path: out.isEmpty ? planning.folder : out)
    let digest = try folder.begin(plan, shards: count)
    try folder.keep(planning.remarks)
    console.print("plan \(digest)")
    console.print(
      "\(WordList.counted(plan.patients, "patient")) x "
        + "\(WordList.counted(plan.replicates, "replicate")) x "
        + "\(WordList.counted(plan.runsPerUnit, "run")) = \(WordList.counted(plan.runs, "run")) in "
        + "\(WordList.counted(count, "shard")), in \(folder.path)")
  }
}
