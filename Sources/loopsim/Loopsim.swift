import Arguments
import Bridge
import FoundationEssentials
import Glibc
import Processes
import Reports
import StructuredText

/// The program: what it is called, and the commands it has.
@main
struct Loopsim: Command {
  static let name = "loopsim"
  static let version: String? = BridgeProtocol.loopsim
  static let abstract = "Simulate closed-loop insulin dosing, repeatably, from scenario files."
  static let discussion = """
    A run answers three questions at once: what the body did, what the pump, the sensor and the \
    app believed, and what the health store says. It also says where the three records differ.

    loopsim is not a medical device. Do not use it, or anything it prints, to decide about therapy.
    """

  /// The version with the numbers of the formats that it reads and writes.
  static let versionText: String? = """
    loopsim \(version ?? "")
    scenarios loopsim/1, tables of results \(BatchTables.format)
    """

  /// What one may want of the program.
  static let groups = [
    CommandGroup("Run", ["run", "study", "freeze", "serve"]),
    CommandGroup("Check", ["check", "verify", "compare", "expand"]),
    CommandGroup("Look", ["report", "replay", "predict", "outcomes"]),
    CommandGroup("Records", ["store", "audit", "backtest"]),
    CommandGroup("Formats", ["import", "export", "schema"]),
    CommandGroup("Bodies and devices", ["patients", "pumps", "sensors", "cgm"]),
  ]

  /// Every command.
  static let subcommands: [any Command.Type] = [
    RunCommand.self,
    CheckCommand.self,
    VerifyCommand.self,
    CompareCommand.self,
    ExpandCommand.self,
    ReplayCommand.self,
    ReportCommand.self,
    FreezeCommand.self,
    SchemaCommand.self,
    PredictCommand.self,
    ServeCommand.self,
    ImportCommand.self,
    ExportCommand.self,
    OutcomesCommand.self,
    AuditCommand.self,
    BacktestCommand.self,
    StudyCommand.self,
    StoreCommand.self,
    PatientsCommand.self,
    PumpsCommand.self,
    SensorsCommand.self,
    CGMCommand.self,
    CompletionsCommand.self,
  ]

  /// A word that names a file or a folder is no verb that somebody mistyped.
  static func complaint(about word: String) -> String? {
    guard FileManager.default.fileExists(atPath: word) else { return nil }
    return "'\(word)' is no subcommand, but the name of a file or a folder. Say first what to do "
      + "with it, such as 'loopsim run \(ShellWord.quoted(word))'."
  }

  static func exitCode(for error: any Error) -> Int32 { ExitCode(classifying: error).rawValue }

  static func main() async {
    OwnMemory.returnsLargeBlocks()
    StandardStreams.holdPlaces()
    let console = StandardConsole()
    // Before anything is begun that needs a thread.
    let obstacle = OwnLimits.obstacle(processors: ProcessInfo.processInfo.activeProcessorCount)
    if let obstacle {
      console.note("Error: \(obstacle)")
      exit(ExitCode.inputOutput.rawValue)
    }
    PartialOutput.removeOnInterruption()
    let words = Array(CommandLine.arguments.dropFirst())
    if let word = FileNames.wordThatIsNoText {
      console.note("Error: \(FileNames.noText(word))")
      exit(ExitCode.badInput.rawValue)
    }
    let code = await run(words, to: console)
    PartialOutput.waitWhereEnding()
    exit(code)
  }
}
