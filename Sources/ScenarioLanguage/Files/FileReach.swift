/// Which files a scenario may name: those below a folder, links followed, or any.
package struct FileReach: Sendable {
  /// The folder, as a canonical path.
  let root: String
  /// Whether files may lie outside it.
  let allowsOutside: Bool
  let files: any ScenarioFiles

  /// The path of a file that another one names, as it is seen from where the program runs.
  ///
  /// What is above a linked folder is above the folder that the link leads to.
  package func path(of name: String, namedBy file: String) -> String {
    let folder = FilePath.folder(ofNamesIn: file)
    let plain = FilePath.joined(folder, name)
    guard name.contains(".."), !folder.isEmpty else { return plain }
    let real = FilePath.joined(files.canonicalPath(of: folder), name)
    // Where both are the same file, it is told as it was named.
    return files.canonicalPath(of: plain) == files.canonicalPath(of: real) ? plain : real
  }

  /// Why a file, seen from where the program runs, may not be read or written; nothing when it may.
  ///
  /// `name` is what the scenario calls it.
  package func refusal(of path: String, named name: String) -> String? {
    guard !name.isEmpty else { return "The name of the file is empty. Write its path." }
    if allowsOutside || FilePath.isInside(files.canonicalPath(of: path), folder: root) {
      return nil
    }
    return """
      The file "\(name)" lies outside the folder of the scenarios ("\(root)"). Move it inside, or \
      allow it with --allow-outside.
      """
  }
}
