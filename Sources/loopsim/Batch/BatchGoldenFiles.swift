import Expectations
import FoundationEssentials
import Reports
import ScenarioLanguage
import StructuredText
import Synchronization

/// What the expectations of a batch look at beside their runs: this machine's files.
enum BatchGoldenFiles {
  /// Golden files are compared.
  static let comparing = GoldenFiles(
    files: MachineFiles(), timeline: { RunTables.timeline($0).text })

  /// Golden files are compared, or kept anew where there is a keeper; what cannot be read is noted.
  static func noting(_ trouble: ReadTrouble, keeper: GoldenKeeper?) -> GoldenFiles {
    GoldenFiles(
      files: NotingFiles(trouble: trouble), timeline: { RunTables.timeline($0).text },
      keepGolden: keeper?.keep)
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

  /// Whether it was given no file to keep.
  var isIdle: Bool { kept.withLock(\.isEmpty) }

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

/// The first file that is there and could not be read, as it is none or the system failed.
///
/// Without that file a result would say that an expectation failed, which nobody knows.
final class ReadTrouble: Sendable {
  private let first = Mutex<FileProblem?>(nil)

  var problem: FileProblem? { first.withLock(\.self) }

  func note(_ problem: FileProblem) { first.withLock { $0 = $0 ?? problem } }
}

/// This machine's files, with a note of what cannot be read.
private struct NotingFiles: ScenarioFiles {
  let trouble: ReadTrouble

  private var files: MachineFiles { MachineFiles() }

  func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    do throws(FileTrouble) {
      return try files.bytes(of: path)
    } catch {
      switch error {
      case .missing: break
      case .unreadable(let path, let reason):
        trouble.note(
          FileProblem(attempt: .read, path: path, reason: reason, isInputMistake: false))
      case .noFile(let path, let what):
        trouble.note(FileProblem(attempt: .read, path: path, reason: what, isInputMistake: true))
      case .tooLarge(let path, let limit): trouble.note(Files.tooLarge(path, limit: limit))
      }
      throw error
    }
  }

  func canonicalPath(of path: String) -> String { files.canonicalPath(of: path) }
}
