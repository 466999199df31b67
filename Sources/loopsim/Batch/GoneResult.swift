import Arguments
import FoundationEssentials
import Reports
import StructuredText

/// A kept result whose scenario is gone: deleted, renamed, or without the variant; or one whose
/// folder somebody has renamed.
struct GoneResult {
  /// The run, with the folders below that of all results.
  var id: String
  /// The folder of the result.
  var folder: String
  /// The command that removes it.
  var command: String
  /// The run that the result is of, where the folder has another name: nothing is held against it,
  /// and as somebody may want it nothing removes it either.
  var renamed: String?

  /// The file that says what the result is of.
  var file: String { "\(folder)/summary.json" }

  /// What is wrong.
  var sentence: String {
    renamed.map {
      "It is the result of \"\($0)\" under another name, so that nothing is held against it; "
        + "name it so again, or remove it with: \(command)"
    } ?? "No scenario has this result; remove it with: \(command)"
  }

  /// What lies in the folder of results that belongs to a folder of scenarios, and is of no run.
  ///
  /// - Parameters:
  ///   - word: The folder of scenarios; of a file, or of a folder that lies below none called
  ///     `Scenarios`, nothing can be told.
  ///   - results: The folder of all kept results.
  ///   - kept: The folders of the results that there should be.
  ///   - words: What was named on the command line.
  ///   - options: The options without which it would be another command.
  /// - Returns: The results without a scenario, by their names.
  /// - Throws: ``FileProblem`` when a summary cannot be read.
  static func all(
    of word: String, below results: String, except kept: Set<String>, updatedBy words: [String],
    with options: [String]
  ) throws -> [GoneResult] {
    let place = URL(fileURLWithPath: word, isDirectory: true).standardizedFileURL
    guard Files.isFolder(word) == true, let parts = KeptResult.partsBelowScenarios(place)
    else { return [] }
    let base = ([results] + parts).joined(separator: "/")
    let command = ShellWord.line(["loopsim", "verify"] + words + ["--update"] + options)
    return try FormerResults.folders(below: base).compactMap { path in
      let folder = "\(base)/\(path)"
      guard !kept.contains(folder), !KeptResult.isPassing(folder) else { return nil }
      let id = (parts + [path]).joined(separator: "/")
      if try FormerResults.isResult(in: folder) {
        return GoneResult(id: id, folder: folder, command: command)
      }
      return FormerResults.run(of: folder).map {
        GoneResult(
          id: id, folder: folder, command: ShellWord.line(["rm", "-r", folder]), renamed: $0)
      }
    }
  }

  /// Removes the result, and the folders that are left empty.
  func remove(upTo results: String) throws {
    try FormerResults.removeFiles(
      of: URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL,
      upTo: URL(fileURLWithPath: results, isDirectory: true).standardizedFileURL)
  }
}
