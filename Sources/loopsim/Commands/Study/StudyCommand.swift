import Arguments
import FoundationEssentials
import StructuredText

/// Groups the commands on studies; a file in place of a command carries the study out.
struct StudyCommand: Command {
  static let name = "study"
  static let abstract = "Answer a question for a population: plan, run, merge, report."
  static let discussion = """
    A study is a scenario with a block "study". `loopsim study FILE` does everything on this \
    machine. On a cluster, `study plan` fixes the study in a folder, `study script` writes a job \
    file whose tasks are `study run DIR --shard I/N`, and `study merge` joins what they wrote. \
    Machines that share no folder get a copy of DIR each before anything runs; what they leave in \
    its folder shards/ is copied into that of the one that merges.

    A study that was interrupted goes on with the same command. Another seed is another \
    `random.seed` in the file, and another folder: a plan holds the file as it is.

    Exit codes: 0 done; 1 so many runs failed that there is nothing to compare, a goal is not met \
    (--require) or any run failed (--strict); 3 incomplete; 65 a file is wrong; 69 a program \
    cannot be started; 74 reading or writing failed, try again; 75 stopped on request, nothing is \
    lost.

    loopsim is not a medical device. Do not use it, or anything it prints, to decide about therapy.
    """
  static let subcommands: [any Command.Type] =
    [StudyStartCommand.self, StudyPlanCommand.self] + folderSubcommands + [StudyPowerCommand.self]

  /// What can be done with the folder of a study that is planned.
  private static let folderSubcommands: [any Command.Type] = [
    StudyRunCommand.self, StudyStatusCommand.self, StudyMergeCommand.self,
    StudyVerifyCommand.self, StudyReportCommand.self, StudyRunsCommand.self,
    StudyScriptCommand.self,
  ]

  static let fileSubcommand: (any Command.Type)? = StudyStartCommand.self

  /// A word that names a folder or a file is no verb that somebody mistyped.
  static func complaint(about word: String) -> String? {
    if let complaint = folderComplaint(word) { return complaint }
    guard FileManager.default.fileExists(atPath: word) else { return nil }
    return "'\(word)' is no subcommand. For the study in the file of that name write "
      + "'loopsim study \(ShellWord.quoted("./\(word)"))'."
  }

  /// What to do with the folder of a study; `nil` if the word names no folder.
  static func folderComplaint(_ word: String) -> String? {
    guard Files.isFolder(word) == true else { return nil }
    let verbs = folderSubcommands.map { $0.name }
    return "'\(word)' is a folder, and a study is begun from the file of a scenario. For the "
      + "folder of a study that is planned say what to do with it, such as "
      + "'loopsim study status \(ShellWord.quoted(word))': "
      + "\(verbs.dropLast().joined(separator: ", ")) or \(verbs.last ?? "")."
  }
}
