import Foundation

/// Where the results of a run are kept from one version of the program to the next.
///
/// The folders of results are those of scenarios: what `Scenarios/meals/late.json5` comes to is
/// kept in `Results/meals/late`. A scenario that lies below no folder `Scenarios` has its results
/// at once below the folder of all.
enum KeptResult {
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
