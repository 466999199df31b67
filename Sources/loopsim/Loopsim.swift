import Arguments
import Foundation

/// The program: what it is called, and the commands it has.
@main
struct Loopsim: Command {
  static let name = "loopsim"
  static let version: String? = "0.1.0"
  static let abstract = "Simulate closed-loop insulin dosing, repeatably, from scenario files."
  static let discussion = """
    A run answers three questions at once: what the body did, what the pump, the sensor and the \
    app believed, and what the health store says. It also says where the three records differ.

    loopsim is not a medical device. Do not use it, or anything it prints, to decide about therapy.
    """

  /// Every command, in the order of the help.
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
    ImportCommand.self,
    ExportCommand.self,
    OutcomesCommand.self,
    AuditCommand.self,
    BacktestCommand.self,
    StoreCommand.self,
    PatientsCommand.self,
    PumpsCommand.self,
    SensorsCommand.self,
    CGMCommand.self,
    CompletionsCommand.self,
  ]

  static func exitCode(for error: any Error) -> Int32 { ExitCode(classifying: error).rawValue }

  static func main() async {
    UnfinishedOutput.removeOnInterruption()
    let words = Array(CommandLine.arguments.dropFirst())
    exit(await run(words, to: StandardConsole()))
  }
}
