import Foundation

/// Where scenario files and the tables they name come from.
public protocol ScenarioFiles: Sendable {
  /// The bytes of a file.
  func bytes(of path: String) throws(FileTrouble) -> [UInt8]

  /// The one name of a file among those that symbolic links and dots give it.
  func canonicalPath(of path: String) -> String
}

/// Why a file could not be read.
public enum FileTrouble: Error, Hashable, Sendable, CustomStringConvertible {
  case missing(String)
  case unreadable(String, reason: String)
  case tooLarge(String, bytes: Int, limit: Int)

  public var description: String {
    switch self {
    case .missing(let path):
      "There is no file \"\(path)\". Check its name; paths are relative to the file that names "
        + "them."
    case .unreadable(let path, let reason):
      "The file \"\(path)\" cannot be read: \(reason)."
    case .tooLarge(let path, let bytes, let limit):
      "The file \"\(path)\" has \(bytes) bytes; at most \(limit) are read."
    }
  }
}

/// The files of this machine.
public struct MachineFiles: ScenarioFiles {
  /// The largest file that is read, in bytes.
  public static let maximumBytes = 64 * 1_024 * 1_024

  public init() {}

  public func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    guard unsafe manager.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .missing(path)
    }
    guard !isFolder.boolValue else { throw .unreadable(path, reason: "it is a folder") }
    let attributes = try? manager.attributesOfItem(
      atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    // A device or a pipe may have no end, and its size says nothing.
    if let kind = attributes?[.type] as? FileAttributeType, kind != .typeRegular {
      throw .unreadable(path, reason: "it is no regular file")
    }
    let size = attributes?[.size] as? Int ?? 0
    guard size <= Self.maximumBytes else {
      throw .tooLarge(path, bytes: size, limit: Self.maximumBytes)
    }
    guard let data = manager.contents(atPath: path) else {
      throw .unreadable(path, reason: "the system refuses; check its permissions")
    }
    return [UInt8](data)
  }

  public func canonicalPath(of path: String) -> String {
    // What does not exist yet is where the nearest folder that does would have it.
    var head = URL(fileURLWithPath: path).path
    var missing: [String] = []
    while head.count > 1 {
      if let real = Self.realPath(head) {
        return FilePath.normalised(([real] + missing.reversed()).joined(separator: "/"))
      }
      missing.append(String(head.split(separator: "/").last ?? ""))
      head = FilePath.folder(of: head)
    }
    return FilePath.normalised("/" + missing.reversed().joined(separator: "/"))
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

/// Files that exist only in memory, by path.
public struct MemoryFiles: ScenarioFiles {
  /// The text of each file.
  public var texts: [String: String]

  public init(_ texts: [String: String]) { self.texts = texts }

  public func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    guard let text = texts[FilePath.normalised(path)] else { throw .missing(path) }
    return Array(text.utf8)
  }

  public func canonicalPath(of path: String) -> String { FilePath.normalised(path) }
}
