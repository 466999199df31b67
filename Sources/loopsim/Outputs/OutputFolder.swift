import FileSystem
import FoundationEssentials
import Glibc
import StructuredText

/// A folder of results that appears whole or not at all.
///
/// Files are written into a hidden folder beside the final place, and all are on the medium before
/// ``finish()`` gives it its name; without that, the hidden folder is removed when the value goes
/// away, or when the process is interrupted. What a killed process left beside it is removed first.
/// A folder that stands at its place gives way only where all that is in it is of runs.
struct OutputFolder: ~Copyable, Sendable {
  /// Where the folder will stand.
  let path: String

  /// Where files go until ``finish()``; for libraries that open files themselves.
  let workingPath: String

  private let files = PendingFiles()
  private let unfinished: UnfinishedPaths

  /// Starts a folder, creating the folders above it.
  ///
  /// - Parameters:
  ///   - path: Where the folder will stand.
  ///   - unfinished: Where the folder is noted until it is finished.
  /// - Throws: ``FileProblem`` when the place is taken or cannot be written.
  init(
    at path: String, among unfinished: UnfinishedPaths = PartialOutput.paths
  ) throws(FileProblem) {
    self.path = path
    self.unfinished = unfinished
    let place = URL(fileURLWithPath: path)
    let parent = place.deletingLastPathComponent()
    workingPath =
      parent.appendingPathComponent(UnfinishedName.own(place.lastPathComponent)).path
    // An empty name would be that of the working folder, and all in it would give way.
    if let reason = Self.refusal(of: path) {
      throw FileProblem(attempt: .write, path: path, reason: reason, isInputMistake: false)
    }
    if let stranger = ResultNames.stranger(in: path) {
      throw FileProblem(
        attempt: .write, path: path,
        reason: stranger.isEmpty
          ? "it is a file; choose another place for the results"
          : "it holds \(stranger), which is no result of a run and would be lost; move that, or "
            + "choose another place for the results",
        isInputMistake: false)
    }
    do throws(FileFault) {
      try NewFolder.makeAll(parent.path)
      OutdatedOutput.cleanOnce(parent.path)
      try NewFolder.removeTree(workingPath)
      try unfinished.begin(workingPath)
    } catch {
      unfinished.remove(workingPath)
      throw Files.problem(.write, error.path == workingPath ? path : error.path, error.number)
    }
  }

  /// Why no folder may be put at a place whatever stands there; `nil` where one may.
  private static func refusal(of path: String) -> String? {
    guard !path.isEmpty else { return "it names no folder" }
    if path.utf8.contains(0) { return FileFault.words(EINVAL, for: path) }
    let place = Files.place(path)
    let working = Files.place(FileManager.default.currentDirectoryPath)
    return place == "/" || (working + "/").hasPrefix(place + "/")
      ? "this program works in it; choose another place for the results" : nil
  }

  deinit {
    try? NewFolder.removeTree(workingPath)
    unfinished.remove(workingPath)
  }

  /// Writes one file of the folder.
  borrowing func write(_ text: String, named name: String) throws(FileProblem) {
    try write(Array(text.utf8), named: name)
  }

  /// Writes one file of the folder.
  borrowing func write(_ bytes: [UInt8], named name: String) throws(FileProblem) {
    do throws(FileFault) {
      try files.write(bytes, to: "\(workingPath)/\(name)")
    } catch {
      throw Files.problem(.write, "\(path)/\(name)", error.number)
    }
  }

  /// Writes a table as one file of the folder, without ever having all of it.
  borrowing func write(_ table: CSVRows, named name: String) throws(FileProblem) {
    do throws(FileFault) {
      try files.write(to: "\(workingPath)/\(name)") { (append) throws(FileFault) in
        try table.forEachPiece(append)
      }
    } catch {
      throw Files.problem(.write, "\(path)/\(name)", error.number)
    }
  }

  /// Makes a folder below it, for files whose names begin with its own.
  borrowing func makeFolder(named name: String) throws(FileProblem) {
    do throws(FileFault) {
      try files.makeFolder("\(workingPath)/\(name)")
    } catch {
      throw Files.problem(.write, "\(path)/\(name)", error.number)
    }
  }

  /// Takes a file that a library has written into the folder.
  borrowing func add(_ name: String) throws(FileProblem) {
    do throws(FileFault) {
      try files.add("\(workingPath)/\(name)")
    } catch {
      throw Files.problem(.write, "\(path)/\(name)", error.number)
    }
  }

  /// Puts the folder in its place; one that stands there is there until then.
  consuming func finish() throws(FileProblem) {
    do throws(FileFault) {
      try files.sync()
    } catch {
      throw Files.problem(.write, error.path.replacing(workingPath, with: path), error.number)
    }
    let isThere: Bool
    do throws(FileFault) {
      isThere = try unfinished.publish(workingPath) { () throws(FileFault) in
        let place = URL(fileURLWithPath: path).path
        if let former = try NewFolder.publish(workingPath, as: place) {
          // The result is there; what cannot be removed now is removed by the next run.
          try? NewFolder.removeTree(former)
        }
      }
    } catch {
      throw Files.problem(.write, path, error.number)
    }
    guard isThere else {
      throw FileProblem(
        attempt: .write, path: path, reason: "the program was interrupted", isInputMistake: false)
    }
  }
}
