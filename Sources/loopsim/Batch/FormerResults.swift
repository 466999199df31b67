import FileSystem
import FoundationEssentials
import Pages
import Scenarios
import StructuredText

/// Results of earlier batches that stand beside those of this one.
enum FormerResults {
  /// Removes the folders of runs below a folder that are not of this batch.
  ///
  /// Only what says itself that it is a result goes: a folder whose `summary.json` names the run
  /// that belongs at its place. Whatever else lies there stays.
  ///
  /// - Parameters:
  ///   - folder: The folder of the batch.
  ///   - ids: The runs of this batch.
  /// - Returns: How many results were removed.
  /// - Throws: ``Failure`` or ``FileProblem`` when a result cannot be read or removed.
  static func remove(below folder: String, except ids: Set<String>) throws -> Int {
    let root = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
    let found = folders(below: root.path)
    // A page of a former batch; this batch writes its own.
    let page = "\(root.path)/\(RunFolder.page)"
    if let bytes = try? Files.read(page), BatchPage.isPage(bytes) {
      try FileManager.default.removeItem(atPath: page)
    }
    var count = 0
    for id in found {
      let place = root.appendingPathComponent(id).standardizedFileURL
      guard !ids.contains(id), try isResult(in: place.path, of: id) else { continue }
      try removeFiles(of: place, upTo: root)
      count += 1
    }
    return count
  }

  /// The folders below a folder that have a summary, by their paths from there.
  static func folders(below folder: String) -> [String] {
    FolderTree.paths(below: folder).compactMap { path in
      let parts = path.split(separator: "/")
      guard parts.count > 1, parts.last == RunFolder.summaryName[...],
        !parts.contains(where: { $0.hasPrefix(".") })
      else { return nil }
      return parts.dropLast().joined(separator: "/")
    }.sorted()
  }

  /// Whether a folder says itself that it is the result of a run, and of this one if one is named;
  /// else of one whose name its path ends with.
  static func isResult(in folder: String, of id: String? = nil) throws -> Bool {
    let path = "\(folder)/\(RunFolder.summaryName)"
    let root = JSONReader.read(try Files.read(path), file: path).root
    guard let own = root?["id"]?.string, root?["digest"]?.string != nil else { return false }
    return id.map { $0 == own } ?? "/\(folder)".hasSuffix("/\(own)")
  }

  /// Whether a folder's summary is that of a run, whatever the folder is called now.
  static func saysSo(in folder: String) -> Bool { run(of: folder) != nil }

  /// The run whose result a folder says that it is, whatever the folder is called now.
  static func run(of folder: String) -> String? {
    let path = "\(folder)/\(RunFolder.summaryName)"
    guard let bytes = try? Files.read(path) else { return nil }
    let root = JSONReader.read(bytes, file: path).root
    return root?["digest"]?.string == nil ? nil : root?["id"]?.string
  }

  /// Removes a result, but not the results of runs whose names begin with its own, nor what no run
  /// leaves; then the folders that are left empty.
  static func removeFiles(of place: URL, upTo root: URL) throws {
    let files = FileManager.default
    do {
      for name in try files.contentsOfDirectory(atPath: place.path).sorted() {
        let path = place.appendingPathComponent(name).path
        guard let isFolder = Files.isFolder(path) else { continue }
        if isFolder ? name == LoopInputFolder.name : ResultNames.isOwn(name, inResult: true) {
          try files.removeItem(atPath: path)
        }
      }
      var empty = place
      while empty.path != root.path,
        try files.contentsOfDirectory(atPath: empty.path).isEmpty
      {
        try files.removeItem(at: empty)
        empty.deleteLastPathComponent()
      }
    } catch {
      throw Failure(.inputOutput, "\(place.path): the former result cannot be removed: \(error)")
    }
  }
}
