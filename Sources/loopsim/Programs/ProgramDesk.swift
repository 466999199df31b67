import Bridge
import FoundationEssentials
import Processes
import Quantities
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText

/// Says who answers the questions of a run: the programs that its scenario names, the one of the
/// command line, or the records of an earlier run.
struct ProgramDesk: Sendable {
  /// The words of the command line, in place of the scenario's.
  var command: [String] = []
  /// Whether a program may be started that a file names.
  var allowsPrograms = false
  /// The programs that wait for another run; `nil` where every run gets programs of its own.
  var pool: ProgramPool?
  /// The folder from which the paths of files count; empty for the current one.
  var root = ""
  /// The folders of results in which records are looked for, where programs are not started.
  var records: [String] = []
  /// The folder of the run's own result, in which its record is looked for before all others;
  /// `nil` where none is known.
  var result: String?
  /// The options without which the command that keeps records anew would be another one.
  var options: [String] = []
  /// Whether it is only looked at records.
  var usesRecords: Bool {
    !(records.isEmpty && result == nil) && !allowsPrograms && command.isEmpty
  }

  /// Nobody is there to ask.
  static let nobody = ProgramDesk()

  /// Records answer, and no program: those beside a run's own result, where it is known, and those
  /// in the folders where results usually are.
  static func ofRecords(beside result: String? = nil) -> Self {
    ProgramDesk(records: [KeptResult.folder, KeptResult.passing], result: result)
  }

  /// Whether the environment allows what the flag allows.
  static var isAllowedByEnvironment: Bool {
    EnvironmentVariable.value(of: "LOOPSIM_ALLOW_PROGRAMS") == "1"
  }

  /// What the flag does, for help.
  static let help = "Start the programs that scenarios name; without it they are refused."

  /// Who answers the questions of a run.
  ///
  /// The setup's seat becomes that of the program that decides.
  func programs(
    for built: BuiltRun, _ setup: inout Setup, file: String
  ) throws(ProgramFailure) -> RunPrograms {
    var programs = RunPrograms()
    do throws(ProgramFailure) {
      if let spec = built.body { programs.body = try program(spec, built, &setup, file) }
      if !command.isEmpty {
        if !setup.hasApp { throw Self.refusal(withoutApp: built) }
        // Sentences name the command line's program, which has no place in the file.
        var spec = built.controller ?? .standard
        spec.command = []
        programs.controller = try .starting(
          command, in: "", spec: spec, setup: &setup, digest: built.scenarioDigest, from: pool)
      } else if let spec = built.controller {
        programs.controller = try program(spec, built, &setup, file)
      }
    } catch {
      programs.abandon()
      throw error
    }
    return programs
  }

  /// Why no program of the command line decides in a run without an app, where the scenario says
  /// that it has none.
  private static func refusal(withoutApp built: BuiltRun) -> ProgramFailure {
    var asking = built.setup
    asking.controller = .controller
    let place = built.resolved.tree["app"].map { "\($0.position): " } ?? ""
    return ProgramFailure(.input, "\(place)\(asking.needOfApp ?? "") Leave out --controller.")
  }

  /// Who answers for a program that a scenario names: the program, or a record of it.
  private func program(
    _ spec: ProgramSpec, _ built: BuiltRun, _ setup: inout Setup, _ file: String
  ) throws(ProgramFailure) -> RunProgram {
    if let path = spec.transcript {
      let full = Self.path(path, namedIn: spec.place.file)
      return try replay(full, spec, &setup, remedy: "Record it anew.")
    }
    if usesRecords {
      let remedy =
        "Run the program again: "
        + KeptResult.updateLine(file, with: ["--allow-programs"] + options)
      // Kept results lie in the folders of their scenarios, those of a batch at once below its own.
      let places = records.flatMap { folder in
        [KeptResult.folder(of: setup.id, file: file, below: folder), "\(folder)/\(setup.id)"]
      }
      for place in [result].compactMap(\.self) + places {
        let path = "\(place)/\(Transcript.fileName(of: spec.role))"
        // One that is there and cannot be read is told, and no other is taken in its place.
        if FileManager.default.fileExists(atPath: path) {
          return try replay(path, spec, &setup, remedy: remedy)
        }
      }
      throw ProgramFailure(
        .input,
        "\(spec.place): \(spec.sentence), and there is no record of its answers. \(remedy)")
    }
    guard !spec.command.isEmpty else {
      let remedy =
        spec.role == .body
        ? "Name it as patient.command." : "Give it with --controller."
      throw ProgramFailure(
        .input, "\(spec.place): \(spec.sentence), and the scenario names none. \(remedy)")
    }
    guard allowsPrograms else {
      throw ProgramFailure(
        .input,
        "\(spec.place): This scenario wants to start the program "
          + "\(ShellWord.line(spec.command)). Allow it with --allow-programs.")
    }
    return try .starting(
      spec.command, in: FilePath.joined(root, FilePath.folder(ofNamesIn: spec.place.file)),
      spec: spec,
      setup: &setup,
      digest: built.scenarioDigest, from: pool)
  }

  private func replay(
    _ path: String, _ spec: ProgramSpec, _ setup: inout Setup, remedy: String
  ) throws(ProgramFailure) -> RunProgram {
    let problems = ProblemList()
    guard let transcript = Self.record(path, spec, problems) else {
      throw ProgramFailure(.input, problems.sorted.first.map { "\($0)" } ?? path)
    }
    return .replaying(transcript, file: path, remedy: remedy, spec: spec, setup: &setup)
  }

  /// The record of answers in a file; `nil` where it is none of the program's.
  private static func record(
    _ path: String, _ spec: ProgramSpec, _ problems: ProblemList
  ) -> Transcript? {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try Files.read(path)
    } catch {
      problems.error(at: spec.place, "\(error)")
      return nil
    }
    guard let transcript = Transcript.read(bytes, file: path, problems: problems) else {
      return nil
    }
    guard transcript.header.role == spec.role else {
      let kept = transcript.header.role == .body ? "of a body" : "of a program that decides"
      problems.error(
        at: TextPosition(file: path, line: 1, column: 1),
        "This is the record \(kept), and the \(spec.role.rawValue) of this run is another's. "
          + "Name \(Transcript.fileName(of: spec.role)).")
      return nil
    }
    return transcript
  }

  /// Says what is wrong with the records of answers that a scenario names, where they have not been
  /// looked at before.
  static func checkRecords(
    of built: BuiltRun, besides seen: inout Set<String>, problems: ProblemList
  ) {
    for spec in built.programs {
      guard let path = spec.transcript.map({ Self.path($0, namedIn: spec.place.file) }),
        seen.insert("\(spec.place) \(path)").inserted
      else { continue }
      _ = record(path, spec, problems)
    }
  }

  /// A path relative to the file that names it.
  private static func path(_ path: String, namedIn file: String) -> String {
    FilePath.joined(FilePath.folder(ofNamesIn: file), path)
  }
}
