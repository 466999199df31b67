internal import Glibc

/// Putting a finished folder in its place.
public enum NewFolder {
  /// Gives a finished folder its name, in place of the folder that may have it.
  ///
  /// Where the system can exchange two names there is no moment without a folder of that name. What
  /// is in the new folder must be on the medium; afterwards its names are too. The former folder is
  /// left under the working name, for ``removeTree(_:)``.
  ///
  /// - Returns: Where the former folder is now; nothing when there was none.
  public static func publish(_ working: String, as path: String) throws(FileFault) -> String? {
    assert(working != path, "A folder is made under another name than its own.")
    let folder = PathParts.split(path).folder
    try FileCalls.syncFolder(working)
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      try FileCalls.rename(working, to: path)
      try FileCalls.syncFolder(folder)
      return nil
    }
    if try FileCalls.exchange(working, path) {
      try FileCalls.syncFolder(folder)
      return working
    }
    // Without the exchange there is a moment in which the former folder has another name; a process
    // killed in it is made good by the next.
    let former = working + UnfinishedName.formerMark
    try FileCalls.rename(path, to: former)
    do throws(FileFault) {
      try FileCalls.rename(working, to: path)
    } catch {
      try FileCalls.rename(former, to: path)
      throw error
    }
    try FileCalls.syncFolder(folder)
    return former
  }

  /// Makes a folder with the folders above it.
  public static func makeAll(_ path: String) throws(FileFault) {
    var status = stat()
    if path.isEmpty { return }
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw FileFault(.makeFolder, path, ENOTDIR)
      }
      return
    }
    try makeAll(PathParts.split(path).folder)
    do throws(FileFault) {
      try FileCalls.makeFolder(path)
    } catch {
      // Another process may have made it meanwhile.
      guard error.number == EEXIST else { throw error }
    }
  }

  /// Removes a file, or a folder with all that is in it; links are removed and not followed.
  public static func removeTree(_ path: String) throws(FileFault) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else { return try FileCalls.remove(path) }
    for name in names(in: path) { try removeTree("\(path)/\(name)") }
    try FileCalls.removeFolder(path)
  }

  /// The names in a folder, in the order of their bytes; none when it cannot be read.
  public static func names(in path: String) -> [String] {
    do throws(FileFault) { return try readEntries(in: path).map(\.name) } catch { return [] }
  }

  /// What stands in a folder.
  struct Entry {
    /// The name, with a replacement character for what is no UTF-8.
    var name: String
    /// Whether the name is UTF-8, and so the name of what stands there.
    var isText: Bool
    /// Whether it is a folder, as far as is known without its name.
    var mayBeFolder: Bool
  }

  /// What stands in a folder, in the order of the names' bytes.
  static func readEntries(in path: String) throws(FileFault) -> [Entry] {
    guard let folder = unsafe opendir(path.isEmpty ? "." : path) else {
      throw FileFault(.open, path, errno)
    }
    defer { unsafe closedir(folder) }
    var entries: [Entry] = []
    while let entry = unsafe readdir(folder) {
      let kind = unsafe Int(entry.pointee.d_type)
      let mayBeFolder = kind == Int(DT_DIR) || kind == Int(DT_UNKNOWN)
      let found = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) {
          let text = unsafe String(validatingCString: $0)
          return unsafe Entry(
            name: text ?? String(cString: $0), isText: text != nil, mayBeFolder: mayBeFolder)
        }
      }
      if found.name != ".", found.name != ".." { entries.append(found) }
    }
    return entries.sorted { $0.name < $1.name }
  }
}
