import FoundationEssentials
import StructuredText

/// Where the results of a run are kept from one version of the program to the next.
///
/// The folders of results are those of scenarios: what `Scenarios/meals/late.json5` comes to is
/// kept in `Results/meals/late`. A scenario that lies below no folder `Scenarios` has its results
/// at once below the folder of all.
enum KeptResult {
  /// The folder of all kept results, unless another is named.
  static let folder = "Results"
  /// Where `run` and `study` put what nobody keeps, unless another place is named.
  static let passing = "Results/runs"

  /// Whether a folder lies where results are put that nobody keeps.
  static func isPassing(_ folder: String) -> Bool {
    func parts(_ path: String) -> [String] {
      URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL.pathComponents
    }
    return parts(folder).starts(with: parts(passing))
  }

  /// The command that keeps the results of a scenario anew, ready for a shell.
  ///
  /// - Parameters:
  ///   - file: The scenario's file.
  ///   - options: The options without which it would be another command.
  /// - Returns: The command.
  static func updateLine(_ file: String, with options: [String]) -> String {
    ShellWord.line(["loopsim", "verify", file, "--update"] + options)
  }

  /// The folder of a run's kept results.
  ///
  /// - Parameters:
  ///   - id: The run.
  ///   - file: The scenario's file.
  ///   - results: The folder of all kept results.
  /// - Returns: The folder's path, below `results`.
  static func folder(of id: String, file: String, below results: String) -> String {
    let path = URL(fileURLWithPath: file).standardizedFileURL.deletingLastPathComponent()
    guard let parts = partsBelowScenarios(path) else { return "\(results)/\(id)" }
    return ([results] + parts + [id]).joined(separator: "/")
  }

  /// The folders from a folder `Scenarios` down to a place; `nil` for one that lies below none.
  static func partsBelowScenarios(_ place: URL) -> [String]? {
    let parts = place.pathComponents
    return parts.lastIndex(of: "Scenarios").map { Array(parts[($0 + 1)...]) }
  }
}
