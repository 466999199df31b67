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
  }

  /// The paths below a folder as ``paths(below:atMost:)`` tells them, and what could not be read.
  public static func listing(below folder: String, atMost limit: Int = .max) -> Listing {
    var listing = Listing()
    var waiting: [String] = []
    func place(of path: String) -> String { path.isEmpty ? folder : PathParts.join(folder, path) }
    func look(at path: String) {
      do throws(FileFault) {
        if try isFolder(place(of: path), orLinkToOne: path.isEmpty) { waiting.append(path) }
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

  /// Whether a path is that of a folder, or of a link to one where these count; what has gone
  /// meanwhile is none.
  private static func isFolder(
    _ path: String, orLinkToOne followsLinks: Bool
  ) throws(FileFault) -> Bool {
    var status = stat()
    guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      guard errno != ENOENT, errno != ENOTDIR else { return false }
      throw FileFault(.open, path, errno)
    }
    return status.st_mode & S_IFMT == S_IFDIR
  }
}
