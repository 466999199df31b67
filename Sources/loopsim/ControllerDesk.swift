import Bridge
import Foundation
import Quantities
import Scenarios
import Simulation
import StructuredText

/// Says who answers the questions of a run: the program that its scenario names, the one of the
/// command line, or the record of an earlier run.
struct ControllerDesk: Sendable {
  /// The words of the command line, in place of the scenario's.
  var command: [String] = []
  /// Whether a program may be started that a file names.
  var allowsPrograms = false
  /// The folders of results in which records are looked for, where programs are not started.
  var records: [String] = []
  /// Whether it is only looked at records.
  var usesRecords: Bool { !records.isEmpty && !allowsPrograms && command.isEmpty }

  /// Nobody is there to ask.
  static let nobody = ControllerDesk()

  /// Whether the environment allows what the flag allows.
  static var isAllowedByEnvironment: Bool {
    ProcessInfo.processInfo.environment["LOOPSIM_ALLOW_PROGRAMS"] == "1"
  }

  /// What the flag does, for help.
  static let help = "Start the programs that scenarios name; without it they are refused."

  /// Who answers the questions of a run; `nil` where the app decides by itself.
  ///
  /// The setup's seat becomes that of the program.
  func controller(
    for built: BuiltRun, _ setup: inout Setup, file: String
  ) throws(ControllerFailure) -> RunController? {
    guard built.controller != nil || !command.isEmpty else { return nil }
    var spec = built.controller ?? .standard
    if !command.isEmpty {
      // Sentences name the command line's program, which has no place in the file.
      spec.command = []
      return try .starting(
        command, in: "", spec: spec, setup: &setup, digest: built.scenarioDigest)
    }
    if let path = spec.transcript {
      let full = Self.path(path, namedIn: spec.place.file)
      return try replay(full, spec, &setup, remedy: "Record it anew.")
    }
    if usesRecords {
      let remedy = "Run the program again: loopsim verify \(file) --allow-programs --update"
      // Kept results lie in the folders of their scenarios, those of a batch at once below its own.
      let places = records.flatMap { folder in
        [KeptResult.folder(of: setup.id, file: file, below: folder), "\(folder)/\(setup.id)"]
      }
      for place in places {
        let path = "\(place)/\(Transcript.fileName)"
        if (try? Files.read(path)) != nil {
          return try replay(path, spec, &setup, remedy: remedy)
        }
      }
      throw ControllerFailure(
        .input,
        "\(spec.place): A program decides this run, and there is no record of its answers. "
          + remedy
      )
    }
    guard !spec.command.isEmpty else {
      throw ControllerFailure(
        .input,
        "\(spec.place): A program decides this run, and the scenario names none. Give it with "
          + "--controller.")
    }
    guard allowsPrograms else {
      throw ControllerFailure(
        .input,
        "\(spec.place): This scenario wants to start the program "
          + "\(ShellWord.line(spec.command)). Allow it with --allow-programs.")
    }
    return try .starting(
      spec.command, in: FilePath.folder(of: spec.place.file), spec: spec, setup: &setup,
      digest: built.scenarioDigest)
  }

  private func replay(
    _ path: String, _ spec: ControllerSpec, _ setup: inout Setup, remedy: String
  ) throws(ControllerFailure) -> RunController {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try Files.read(path)
    } catch {
      throw ControllerFailure(.input, "\(spec.place): \(error)")
    }
    let problems = ProblemList()
    guard let transcript = Transcript.read(bytes, file: path, problems: problems) else {
      throw ControllerFailure(.input, problems.sorted.first.map { "\($0)" } ?? path)
    }
    return .replaying(transcript, file: path, remedy: remedy, spec: spec, setup: &setup)
  }

  /// A path relative to the file that names it.
  private static func path(_ path: String, namedIn file: String) -> String {
    FilePath.joined(FilePath.folder(of: file), path)
  }
}
