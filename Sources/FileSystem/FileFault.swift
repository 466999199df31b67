internal import Glibc

/// What was asked of the system.
public enum FileCall: String, Hashable, Sendable, CaseIterable {
  /// The call by its name.
  case open, read, write, sync, close, rename, exchange, remove, makeFolder, truncate, lock
}

/// Why the system did not do what it was asked, with the file and the system's number.
public struct FileFault: Error, Hashable, Sendable {
  /// What was asked.
  public let call: FileCall
  /// The file.
  public let path: String
  /// The system's number, such as `ENOSPC`.
  public let number: Int32

  /// Creates a `FileFault` from its parts; see the properties.
  public init(_ call: FileCall, _ path: String, _ number: Int32) {
    self.call = call
    self.path = path
    self.number = number
  }

  /// Whether the path is what is wrong, and not the machine.
  public var isOfName: Bool { Self.isOfName(number, for: path) }

  /// Whether a number of the system's says that a path is what is wrong.
  public static func isOfName(_ number: Int32, for path: String) -> Bool {
    switch number {
    case ENOENT, ENOTDIR, EISDIR: true
    case ENAMETOOLONG:
      // A path of names that are short enough may be that of a file, for who walks there.
      path.split(separator: "/").contains { $0.utf8.count > Int(NAME_MAX) }
    default: path.utf8.contains(0)
    }
  }

  /// The system's words for its number; of a name that it cannot be given, why.
  public var reason: String { Self.words(number, for: path) }

  /// The system's words for the number of a call with a path.
  public static func words(_ number: Int32, for path: String) -> String {
    if path.isEmpty { return "the name is empty" }
    return path.utf8.contains(0) ? "a name cannot hold the character U+0000" : words(number)
  }

  /// The system's words for a number; of what is not open that it is closed.
  public static func words(_ number: Int32) -> String {
    if number == EBADF { return "it is closed" }
    var buffer = [CChar](repeating: 0, count: 256)
    unsafe strerror_r(number, &buffer, buffer.count)
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FileFault: CustomStringConvertible {
  public var description: String { "\(path): \(call.rawValue): \(reason)" }
}
