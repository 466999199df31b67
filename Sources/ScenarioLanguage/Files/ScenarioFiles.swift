internal import FileSystem
internal import Glibc

/// Where scenario files and the tables they name come from.
public protocol ScenarioFiles: Sendable {
  /// The bytes of a file.
  func bytes(of path: String) throws(FileTrouble) -> [UInt8]

  /// The one name of a file among those that symbolic links and dots give it.
  func canonicalPath(of path: String) -> String
}

/// Why a file could not be read.
public enum FileTrouble: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such file.
  case missing(String)
  /// The system did not let it be read.
  case unreadable(String, reason: String)
  /// It is a folder or a device, or nothing can have its name.
  case noFile(String, what: String)
  /// It has more bytes than are read of a file.
  case tooLarge(String, limit: Int)

  /// The code of the problem when the system failed to read a file that is there.
  public static let readCode = "E-READ"

  /// The code of the problem, where it has one.
  var code: String? {
    if case .unreadable = self { Self.readCode } else { nil }
  }

  public var description: String {
    switch self {
    case .missing(let path):
      "There is no file \"\(path)\". Check its name; paths are relative to the file that names "
        + "them."
    case .unreadable(let path, let reason), .noFile(let path, let reason):
      "The file \"\(path)\" cannot be read: \(reason)."
    case .tooLarge(let path, let limit):
      "The file \"\(path)\" is larger than \(limit >> 20) MiB, the most that is read."
    }
  }
}

/// The files of this machine.
public struct MachineFiles: ScenarioFiles {
  /// The largest file that is read, in bytes.
  public static let maximumBytes = 64 * 1_024 * 1_024

  /// Creates access to the files of this machine.
  public init() {}

  public func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    do throws(InputFile.Refusal) {
      return try InputFile.bytes(of: path, limit: Self.maximumBytes)
    } catch {
      switch error {
      case .fault(let fault) where fault.number == ENOENT || fault.number == ENOTDIR:
        throw .missing(path)
      case .fault(let fault) where fault.isOfName:
        throw .noFile(path, what: fault.reason)
      case .fault(let fault): throw .unreadable(path, reason: fault.reason)
      case .isFolder: throw .noFile(path, what: "it is a folder")
      case .isDevice: throw .noFile(path, what: "it is a device, which may have no end")
      case .tooLarge(let limit): throw .tooLarge(path, limit: limit)
      }
    }
  }

  public func canonicalPath(of path: String) -> String {
    // What does not exist yet is where the nearest folder that does would have it.
    var head = path.hasPrefix("/") ? path : "\(Self.realPath(".") ?? "")/\(path)"
    var missing: [String] = []
    while head.count > 1 {
      if head.hasSuffix("/") {
        head.removeLast()
        continue
      }
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

  /// Creates files of texts by their paths.
  public init(_ texts: [String: String]) { self.texts = texts }

  public func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    guard let text = texts[FilePath.normalised(path)] else { throw .missing(path) }
    return Array(text.utf8)
  }

  public func canonicalPath(of path: String) -> String { FilePath.normalised(path) }
}

/// Files of which one is a text that stands in none of them, or in place of what is there.
package struct TextAmongFiles: ScenarioFiles {
  private let text: String
  /// The path under which the text is read.
  private let path: String
  private let others: any ScenarioFiles

  /// Puts a text under a path among other files.
  package init(_ text: String, at path: String, among others: any ScenarioFiles) {
    self.text = text
    self.path = path
    self.others = others
  }

  package func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    if path == self.path || canonicalPath(of: path) == canonicalPath(of: self.path) {
      return Array(text.utf8)
    }
    return try others.bytes(of: path)
  }

  package func canonicalPath(of path: String) -> String { others.canonicalPath(of: path) }
}
