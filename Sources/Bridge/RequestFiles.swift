internal import ScenarioLanguage

/// Files of which one is a text that came in a request.
struct RequestFiles: ScenarioFiles {
  let base: any ScenarioFiles
  /// The path under which the text is read.
  let path: String
  let text: String

  func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    if path == self.path || base.canonicalPath(of: path) == canonicalPath {
      return Array(text.utf8)
    }
    return try base.bytes(of: path)
  }

  func canonicalPath(of path: String) -> String { base.canonicalPath(of: path) }

  private var canonicalPath: String { base.canonicalPath(of: path) }
}
