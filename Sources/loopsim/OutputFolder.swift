import Foundation

/// A folder of results that appears whole or not at all.
///
/// Files are written into a hidden folder beside the final place. ``finish()`` gives it its name;
/// without that, the hidden folder is removed when the value goes away, or when the process is
/// interrupted. What a killed process left beside it is removed first.
struct OutputFolder: ~Copyable {
  /// Where the folder will stand.
  let path: String

  /// Where files go until ``finish()``; for libraries that open files themselves.
  let workingPath: String

  /// Starts a folder, creating the folders above it.
  ///
  /// - Parameters:
  ///   - path: Where the folder will stand.
  ///   - replacing: Whether a folder that stands there already may be replaced.
  /// - Throws: ``FileProblem`` when the place is taken or cannot be written.
  init(at path: String, replacing: Bool) throws(FileProblem) {
    self.path = path
    let place = URL(fileURLWithPath: path)
    let parent = place.deletingLastPathComponent()
    workingPath =
      parent.appendingPathComponent(
        ".\(place.lastPathComponent).partial-\(getpid())"
      ).path
    if !replacing && FileManager.default.fileExists(atPath: path) {
      throw FileProblem(
        attempt: .write, path: path,
        reason: "it exists already; remove it or choose another place", isInputMistake: false)
    }
    do {
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    } catch {
      throw Files.problem(.write, parent.path, errno)
    }
    StaleOutput.cleanOnce(parent.path)
    Self.remove(workingPath)
    UnfinishedOutput.add(workingPath)
    guard unsafe mkdir(workingPath, 0o755) == 0 else { throw Files.problem(.write, path, errno) }
  }

  deinit {
    Self.remove(workingPath)
    UnfinishedOutput.remove(workingPath)
  }

  /// Writes one file of the folder.
  borrowing func write(_ text: String, named name: String) throws(FileProblem) {
    try write(Array(text.utf8), named: name)
  }

  /// Writes one file of the folder.
  borrowing func write(_ bytes: [UInt8], named name: String) throws(FileProblem) {
    try Files.write(bytes, to: "\(workingPath)/\(name)")
  }

  /// Puts the folder in its place.
  consuming func finish() throws(FileProblem) {
    let former = "\(workingPath)-former"
    let hadFormer = unsafe rename(path, former) == 0
    guard unsafe rename(workingPath, path) == 0 else {
      let reason = errno
      if hadFormer { _ = unsafe rename(former, path) }
      throw Files.problem(.write, path, reason)
    }
    Self.remove(former)
  }

  private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
