internal import Glibc

/// The hidden name of what is not finished: `.NAME.partial-PID@HOST`, and `-former` at its end for
/// a folder that is being replaced.
///
/// The host belongs to it, as processes of several machines may write into one folder: whether a
/// process still lives can only be told of the own machine's.
public struct UnfinishedName: Hashable, Sendable {
  /// The name that the file or folder will have.
  public var name: String
  /// The number of the process that made it.
  public var process: Int32
  /// The machine of the process; `nil` where the name does not say.
  public var host: String?
  /// Whether it is what stood there before.
  public var isFormer: Bool

  /// The name of this machine, as names have it.
  public static let host: String = {
    let size = 256
    let bytes = unsafe [CChar](unsafeUninitializedCapacity: size) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = unsafe gethostname(start, size) == 0 ? size : 0
    }
    let text = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The end of a long name tells the machines of a cluster apart.
    let safe = text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return safe.isEmpty ? "localhost" : String(safe.suffix(32))
  }()

  /// The hidden name of what this process is writing.
  public static func own(_ name: String) -> String { ".\(name)\(mark)\(getpid())@\(host)" }

  /// Reads a name; `nil` where it is not one of something unfinished.
  public init?(_ text: String) {
    guard text.hasPrefix("."), let start = Self.last(Self.mark, in: text) else { return nil }
    var rest = text[text.index(start, offsetBy: Self.mark.count)...]
    isFormer = rest.hasSuffix("-former")
    if isFormer { rest = rest.dropLast("-former".count) }
    let parts = rest.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let process = parts.first.flatMap({ Int32($0) }), process > 0 else { return nil }
    self.process = process
    host = parts.count > 1 ? String(parts[1]) : nil
    name = String(text[..<start].dropFirst())
    if name.isEmpty { return nil }
  }

  /// Whether a path is that of something unfinished, or lies in it.
  public static func isPart(of path: some StringProtocol) -> Bool {
    path.contains(mark)
      && path.split(separator: "/").contains { UnfinishedName(String($0)) != nil }
  }

  /// What stands between the name and the process.
  private static let mark = ".partial-"

  /// Where the last occurrence of a word begins.
  private static func last(_ word: String, in text: String) -> String.Index? {
    var index = text.endIndex
    while index > text.startIndex {
      index = text.index(before: index)
      if text[index...].hasPrefix(word) { return index }
    }
    return nil
  }

  /// Whether nobody will finish it: its process was one of this machine, and is gone.
  public var isAbandoned: Bool {
    guard host == nil || host == Self.host else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
