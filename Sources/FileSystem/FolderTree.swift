internal import Glibc

/// What lies below a folder.
public enum FolderTree {
  /// The paths of the files and folders below a folder, from there, at most so many of them.
  ///
  /// Links below it are paths and are not followed; the folder itself may be named by one. Of a
  /// folder that cannot be read nothing is told but its own path; ``listing(below:atMost:)`` tells
  /// why.
  public static func paths(below folder: String, atMost limit: Int = .max) -> [String] {
    listing(below: folder, atMost: limit).paths
  }

  /// What is found below a folder.
  public struct Listing: Hashable, Sendable {
    /// The paths of the files and folders, from the folder that was searched.
    public var paths: [String] = []
    /// The folders that could not be read, by their paths from there, and why.
    ///
    /// The folder that was searched is the empty path. One whose name is no UTF-8 has the number
    /// `EILSEQ`.
    public var unread: [String: FileFault] = [:]
    /// Which of the paths are links to folders, and are not followed.
    public var linked: [String] = []
  }

  /// The paths below a folder as ``paths(below:atMost:)`` tells them, and what could not be read.
  public static func listing(below folder: String, atMost limit: Int = .max) -> Listing {
    var listing = Listing()
    var waiting: [String] = []
    func place(of path: String) -> String { path.isEmpty ? folder : PathParts.join(folder, path) }
    func look(at path: String) {
      do throws(FileFault) {
        switch try kind(of: place(of: path)) {
        case .folder: waiting.append(path)
        case .linkToFolder:
          if path.isEmpty { waiting.append(path) } else { listing.linked.append(path) }
        case .other: break
        }
      } catch {
        listing.unread[path] = error
      }
    }
    look(at: "")
    while let inner = waiting.popLast() {
      let names: [NewFolder.Entry]
      do throws(FileFault) {
        names = try NewFolder.readEntries(in: place(of: inner))
      } catch {
        // What has gone meanwhile lacks nothing.
        if error.number != ENOENT { listing.unread[inner] = error }
        continue
      }
      for entry in names {
        guard listing.paths.count < limit else { return listing }
        let path = inner.isEmpty ? entry.name : "\(inner)/\(entry.name)"
        listing.paths.append(path)
        if entry.isText {
          look(at: path)
        } else if entry.mayBeFolder {
          listing.unread[path] = FileFault(.open, place(of: path), EILSEQ)
        }
      }
    }
    return listing
  }

  /// What a path may be, as far as it matters here.
  private enum Kind { case folder, linkToFolder, other }

  /// What a path is; what has gone meanwhile is no folder, and neither is what a link misses.
  private static func kind(of path: String) throws(FileFault) -> Kind {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      guard errno != ENOENT, errno != ENOTDIR else { return .other }
      throw FileFault(.open, path, errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFLNK:
      let isThere = unsafe stat(path, &status) == 0
      return isThere && status.st_mode & S_IFMT == S_IFDIR ? .linkToFolder : .other
    default: return .other
    }
  }
}
