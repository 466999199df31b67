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
    let parts = path.pathComponents
    guard let root = parts.lastIndex(of: "Scenarios") else { return "\(results)/\(id)" }
    return ([results] + parts[(root + 1)...] + [id]).joined(separator: "/")
  }
}
