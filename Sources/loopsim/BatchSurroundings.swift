import Foundation
import Reports
import Scenarios
import Synchronization

/// What the expectations of a batch look at beside their runs: this machine's files.
enum BatchSurroundings {
  /// Golden files are compared.
  static let comparing = ExpectationSurroundings(
    files: MachineFiles(), timeline: { RunTables.timeline($0) })

  /// Golden files are kept anew.
  static func keeping(_ keeper: GoldenKeeper) -> ExpectationSurroundings {
    ExpectationSurroundings(
      files: MachineFiles(), timeline: { RunTables.timeline($0) }, keepGolden: keeper.keep)
  }

  /// Whether the program runs in continuous integration, where nothing that was kept is changed.
  static var isAutomated: Bool {
    ProcessInfo.processInfo.environment["CI"].map { !$0.isEmpty && $0 != "false" } ?? false
  }
}

/// Writes golden files, each once.
final class GoldenKeeper: Sendable {
  private let kept = Mutex<[String: String]>([:])
  private let firstProblem = Mutex<FileProblem?>(nil)

  /// The first file that could not be written.
  var problem: FileProblem? { firstProblem.withLock(\.self) }

  /// Keeps a file; a sentence says what went wrong.
  func keep(_ path: String, _ text: String) -> String? {
    let earlier = kept.withLock { kept in
      defer { kept[path] = kept[path] ?? text }
      return kept[path]
    }
    if let earlier {
      return earlier == text
        ? nil
        : "two runs have the golden file \(path); put {run} or {variant} into its name"
    }
    do throws(FileProblem) {
      try Files.makeFolder(of: path)
      try Files.write(text, to: path)
      return nil
    } catch {
      firstProblem.withLock { $0 = $0 ?? error }
      return "\(path) cannot be kept: \(error)"
    }
  }
}
