/// Which files a scenario may name: those below a folder, links followed, or any.
struct FileReach: Sendable {
  /// The folder, as a canonical path.
  let root: String
  /// Whether files may lie outside it.
  let allowsOutside: Bool
  let files: any ScenarioFiles

  /// Why a file, seen from where the program runs, may not be read or written; nothing when it may.
  ///
  /// `name` is what the scenario calls it.
  func refusal(of path: String, named name: String) -> String? {
    if allowsOutside || FilePath.isInside(files.canonicalPath(of: path), folder: root) {
      return nil
    }
    return """
      The file "\(name)" lies outside the folder of the scenarios ("\(root)"). Move it inside, or \
      allow it with --allow-outside.
      """
  }
}
