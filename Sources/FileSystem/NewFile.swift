internal import CFileSystem
internal import Glibc

/// A file that appears under its name when it is complete and on the medium, or not at all.
///
/// It is written under its ``UnfinishedName`` beside its final place, so that whoever looks for
/// what a killed process left can tell; a file that stands there already is replaced in one step.
public final class NewFile {
  /// The name under which it will appear.
  public let path: String
  /// The name until ``publish(_:)``.
  public let workingPath: String
  private let descriptor: Int32
  private var state = State.open

  private enum State {
    /// It takes bytes, is whole under its working name, or is there no more under that name.
    case open, closed, gone
  }

  /// Begins a file.
  public init(_ path: String) throws(FileFault) {
    self.path = path
    let (folder, name) = PathParts.split(path)
    workingPath = PathParts.join(folder, UnfinishedName.own(name))
    descriptor = try FileCalls.open(workingPath, O_WRONLY | O_CREAT | O_TRUNC)
  }

  /// Whether a file may stand in place of what is at a path: of nothing, a file, or a link to one.
  ///
  /// A device, a pipe or a socket would be lost with all that others want of it, and so would the
  /// system's links to what a process has open, such as `/dev/stdout`. A folder is refused later.
  public static func mayReplace(_ path: String) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return true }
    if status.st_mode & S_IFMT == S_IFLNK {
      let isOfSystem = path.hasPrefix("/proc/") || path.hasPrefix("/dev/")
      guard !isOfSystem || path.hasPrefix("/dev/shm/") else { return false }
      guard unsafe stat(path, &status) == 0 else { return true }
    }
    return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// What was not published is removed.
  deinit { discard() }

  /// Appends bytes.
  public func write(_ bytes: [UInt8]) throws(FileFault) {
    assert(state == .open, "A file that is published or discarded takes no more bytes.")
    try FileCalls.write(bytes, to: descriptor, of: workingPath)
  }

  /// Puts files in their places, each once; the medium is waited for together.
  ///
  /// Where that fails for one, those before it are in their places, and the others are removed.
  public static func publish(_ files: [NewFile]) throws(FileFault) {
    for file in files { cfilesystem_start_writing(file.descriptor) }
    for (place, file) in files.enumerated() {
      do throws(FileFault) {
        try file.takePlace()
      } catch {
        for file in files[place...] { file.discard() }
        throw error
      }
    }
    var synced: Set<String> = []
    for file in files {
      let folder = PathParts.split(file.path).folder
      if synced.insert(folder).inserted { try FileCalls.syncFolder(folder) }
    }
  }

  private func takePlace() throws(FileFault) {
    assert(state == .open, "A file is published once.")
    try FileCalls.sync(descriptor, of: workingPath)
    // Also where closing fails there is nothing left to close.
    state = .closed
    try FileCalls.close(descriptor, of: workingPath)
    try FileCalls.rename(workingPath, to: path)
    state = .gone
  }

  /// Removes what was written and is not published.
  public func discard() {
    guard state != .gone else { return }
    if state == .open { Glibc.close(descriptor) }
    state = .gone
    _ = unsafe unlink(workingPath)
  }
}

/// The folder and the name in a path.
enum PathParts {
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }
}
