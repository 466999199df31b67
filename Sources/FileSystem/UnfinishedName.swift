internal import Glibc

/// The hidden name of what is not finished: `.NAME.partial-PID@HOST`, and `-former` at its end for
/// a folder that is being replaced.
///
/// Where that would be longer than file systems allow for names, the end of NAME gives way to a
/// number made from all of it, so that what has a legal name can be written under a legal one.
///
/// The host belongs to it, as processes of several machines may write into one folder: whether a
/// process still lives can only be told of the own machine's.
public struct UnfinishedName: Hashable, Sendable {
  /// The name that the file or folder will have; `nil` where only its beginning is known.
  public var name: String?
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

  /// The hidden name of what this process is writing, from which `-former` may follow.
  public static func own(_ name: String) -> String {
    let end = "\(mark)\(getpid())@\(host)"
    let room = maximumLength - ".".utf8.count - end.utf8.count - formerMark.utf8.count
    return ".\(name.utf8.count > room ? shortened(name, to: room) : name)\(end)"
  }

  /// The most bytes of a hidden name: file systems that encrypt names allow 143, others 255.
  static let maximumLength = 140

  /// The beginning of a name, and a number by which names with one beginning differ.
  private static func shortened(_ name: String, to room: Int) -> String {
    // FNV-1a, which needs no more than to tell the few files apart that a process writes at once. A
    // module that knows only of files is not worth a dependency for these three lines.
    let sum = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(sum, radix: 16)
    let number = String(repeating: "0", count: sumLength - digits.utf8.count) + digits
    var start = Substring(name)
    while start.utf8.count > room - shortMark.utf8.count - sumLength { start.removeLast() }
    return "\(start)\(shortMark)\(number)"
  }

  /// What stands between the beginning of a name and its number, and how long that is.
  private static let shortMark = "~~"
  private static let sumLength = 16

  /// Whether a name is the beginning of another, with its number.
  private static func isShortened(_ name: String) -> Bool {
    let end = name.utf8.suffix(sumLength)
    return end.count == sumLength && name.dropLast(sumLength).hasSuffix(shortMark)
      && end.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Reads a name; `nil` where it is not one of something unfinished.
  public init?(_ text: String) {
    guard text.hasPrefix("."), let start = Self.last(Self.mark, in: text) else { return nil }
    var rest = text[text.index(start, offsetBy: Self.mark.count)...]
    isFormer = rest.hasSuffix(Self.formerMark)
    if isFormer { rest = rest.dropLast(Self.formerMark.count) }
    let parts = rest.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let process = parts.first.flatMap({ Int32($0) }), process > 0 else { return nil }
    self.process = process
    host = parts.count > 1 ? String(parts[1]) : nil
    let name = String(text[..<start].dropFirst())
    if name.isEmpty { return nil }
    self.name = Self.isShortened(name) ? nil : name
  }

  /// Whether a path is that of something unfinished, or lies in it.
  public static func isPart(of path: some StringProtocol) -> Bool {
    path.contains(mark)
      && path.split(separator: "/").contains { UnfinishedName(String($0)) != nil }
  }

  /// What stands between the name and the process.
  private static let mark = ".partial-"

  /// What ends the name of a folder that is being replaced.
  static let formerMark = "-former"

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
