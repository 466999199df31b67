public import ScenarioLanguage
internal import StructuredText
internal import Determinism

/// The files of a study as a plan keeps them: every text by its path from the study's own folder.
///
/// What a shard computes depends on these texts alone, wherever it runs.
public struct FrozenFiles: Hashable, Sendable {
  /// One file.
  public struct File: Hashable, Sendable {
    /// The path from the folder of the study's file.
    public var path: String
    /// What is in it.
    public var text: String

    /// Creates a `File` from its parts; see the properties.
    public init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }

  /// The files by path, in its order.
  public var files: [File]

  /// Keeps files, in the order of their paths.
  public init(_ files: [File]) { self.files = files.sorted { $0.path < $1.path } }

  /// The files for a reader of scenarios.
  public var reading: MemoryFiles {
    var texts: [String: String] = [:]
    for file in files { texts[file.path] = file.text }
    return MemoryFiles(texts)
  }

  var json: JSONValue {
    .array(
      files.map { file in
        [
          "path": .string(file.path), "sha256": .string(SHA256.hexadecimal(of: file.text.utf8)),
          "text": .string(file.text),
        ]
      })
  }

  /// Reads the files of a plan; a text that does not have its digest is reported.
  init?(_ field: JSONField) {
    var files: [File] = []
    for item in field.items() ?? [] {
      guard let path = item.required("path").text(), let text = item.required("text").text(),
        let digest = item.required("sha256").text()
      else { return nil }
      guard SHA256.hexadecimal(of: text.utf8) == digest else {
        item.error("The text of \"\(path)\" does not have its digest: the plan is damaged.")
        return nil
      }
      files.append(File(path: path, text: text))
    }
    guard !files.isEmpty else { return nil }
    self.init(files)
  }
}
