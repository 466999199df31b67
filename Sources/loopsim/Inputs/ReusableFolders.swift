import Formats
import FoundationEssentials
import StructuredText

/// The folders of reusable parts that files of Tidepool's simulator point to.
///
/// Each file takes the nearest folder `reusable` above it, so that several trees can be imported at
/// once.
struct ReusableFolders: Sendable {
  /// A folder, and the files below it.
  private struct Root: Sendable {
    var path: String
    var names: [String]
  }

  /// What to tell of files that have no parts.
  private(set) var warnings: [String] = []
  /// The folder of parts for each folder of files.
  private var folders: [String: String] = [:]
  private var roots: [String: Root] = [:]

  /// Finds the folders for files, or takes the named one for all.
  ///
  /// - Throws: ``FileProblem`` where a folder of parts cannot be read.
  init(of files: [BatchImport.Source], named: String?) throws(FileProblem) {
    var lost = 0
    for file in files {
      let place = Self.place(of: file.path)
      guard folders[place] == nil, let folder = named ?? Self.folder(above: place) else {
        if folders[place] == nil { lost += 1 }
        continue
      }
      folders[place] = folder
      guard roots[folder] == nil else { continue }
      let inner = "\(folder)/reusable"
      let path = FileManager.default.fileExists(atPath: inner) ? inner : folder
      let names = try BatchImport.names(in: path)
      roots[folder] = Root(path: path, names: names)
      if !names.contains(where: { $0.hasSuffix(".json") || $0.hasSuffix(".csv") }) {
        warnings.append(
          "There are no reusable parts in \(folder); name their folder with --reusable.")
      }
    }
    if lost > 0 {
      warnings.append(
        "There are no reusable parts above \(WordList.counted(lost, "file")); "
          + "name their folder with "
          + "--reusable.")
    }
  }

  /// The folder of parts for a file; `nil` when there is none.
  func folder(of file: String) -> String? { folders[Self.place(of: file)] }

  /// The parts of a folder.
  func parts(in folder: String?) -> ReusableParts {
    guard let root = folder.flatMap({ roots[$0] }) else {
      return ReusableParts(paths: []) { _ in nil }
    }
    return ReusableParts(paths: root.names) { try Files.read("\(root.path)/\($0)") }
  }

  private static func place(of file: String) -> String {
    URL(fileURLWithPath: file).deletingLastPathComponent().path
  }

  private static func folder(above place: String) -> String? {
    var folder = URL(fileURLWithPath: place)
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("reusable").path
      if FileManager.default.fileExists(atPath: candidate) { return candidate }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}
