import Bridge
import FileSystem
import FoundationEssentials
import Scenarios
import Simulation

/// The names of the files that runs leave in their folders.
///
/// A folder of results gives way to a newer one as a whole. One that holds anything else, such as a
/// folder of the user's with the name of a run, never does.
enum ResultNames {
  /// The files of this version.
  private static let files = Set(ProgramRole.allCases.map(Transcript.fileName))
    .union(OutputSelection.File.allCases.map(\.fileName))
    // What SQLite has beside a store that is open, or was when its process was killed.
    .union(["-wal", "-shm", "-journal"].map { OutputSelection.File.healthStore.fileName + $0 })
    // The last is what a file manager leaves where somebody has looked.
    .union([RunFolder.summaryName, RunFolder.page, ".DS_Store"])
  /// The endings of the files that other versions left beside the summary of a result.
  private static let endings = [".csv", ".json", ".ndjson", ".sqlite", ".html"]

  /// The first path below a folder that no run leaves there.
  ///
  /// - Parameter folder: The folder, which need not exist.
  /// - Returns: The path; an empty one for a file in place of the folder; `nil` for none.
  static func stranger(in folder: String) -> String? {
    guard let isFolder = Files.isFolder(folder) else { return nil }
    return isFolder ? stranger(in: folder, below: "") : ""
  }

  /// Whether a file of this name is a run's, in a folder that is a result or is none.
  static func isOwn(_ name: String, inResult: Bool) -> Bool {
    files.contains(name) || UnfinishedName(name) != nil
      || inResult && endings.contains(where: name.hasSuffix)
  }

  /// Refuses a place for output at which a file of a run's result stands whose store is read.
  ///
  /// A page gives way to another, as everywhere, and what no run leaves to what is written anew.
  ///
  /// - Parameters:
  ///   - stores: The files that are read, of which some may be stores in folders of results.
  ///   - output: Where something is written; `nil` if nothing is.
  /// - Throws: ``Failure`` that names the file.
  static func keep(besides stores: [String], apartFrom output: String?) throws(Failure) {
    guard let output, output != "-", InputFile.isRegular(output) else { return }
    let place = URL(fileURLWithPath: Files.place(output))
    let folder = place.deletingLastPathComponent().path
    guard isOwn(place.lastPathComponent, inResult: false), FormerResults.saysSo(in: folder),
      stores.contains(where: {
        $0 != "-"
          && URL(fileURLWithPath: Files.place($0)).deletingLastPathComponent().path == folder
      })
    else { return }
    try Files.keepFolder(folder, apartFrom: output)
  }

  private static func stranger(in folder: String, below path: String) -> String? {
    let inResult = (try? FormerResults.isResult(in: folder)) ?? false
    for name in NewFolder.names(in: folder) {
      let inner = path.isEmpty ? name : "\(path)/\(name)"
      if Files.isFolder("\(folder)/\(name)") == true {
        // Inputs of the algorithm, or runs whose names begin with that of this one.
        if name == LoopInputFolder.name, inResult {
          let other = NewFolder.names(in: "\(folder)/\(name)").first { !$0.hasSuffix(".json") }
          if let other { return "\(inner)/\(other)" }
        } else if let other = stranger(in: "\(folder)/\(name)", below: inner) {
          return other
        }
      } else if name == OwnScenario.name, OwnScenario.isUntouched("\(folder)/\(name)") {
        continue
      } else if !isOwn(name, inResult: inResult) {
        return inner
      }
    }
    return nil
  }
}
