import FoundationEssentials

/// What lies below a folder.
enum FolderTree {
  /// The paths of all files and folders below a folder, from there; none where it cannot be read.
  ///
  /// Links are paths and are not followed.
  static func paths(below folder: String) -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  }
}

extension Substring {
  /// Whether a part of a path is of what systems do not show.
  var isHidden: Bool { hasPrefix(".") }
}
