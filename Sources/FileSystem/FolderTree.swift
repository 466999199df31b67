internal import Glibc

/// What lies below a folder.
public enum FolderTree {
  /// The paths of the files and folders below a folder, from there, at most so many of them.
  ///
  /// Links are paths and are not followed. Of a folder that cannot be read nothing is told but its
  /// own path.
  public static func paths(below folder: String, atMost limit: Int = .max) -> [String] {
    var paths: [String] = []
    var waiting = isFolder(folder) ? [""] : []
    while let inner = waiting.popLast() {
      for name in NewFolder.names(in: PathParts.join(folder, inner)) {
        guard paths.count < limit else { return paths }
        let path = inner.isEmpty ? name : "\(inner)/\(name)"
        paths.append(path)
        if isFolder(PathParts.join(folder, path)) { waiting.append(path) }
      }
    }
    return paths
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
