/// Reads JSON with comments: the parts of JSON5 that people write by hand.
///
/// Accepted beyond JSON: `//` and `/* */` comments, trailing commas, bare keys, single quotes,
/// hexadecimal integers, a leading `+`, `.5` and `5.`, line continuations in texts, and a byte
/// order mark. Not accepted: numbers that are not finite, and a key twice in one object.
///
/// Reading never traps, whatever the bytes. It goes on after problems that leave no doubt about
/// what follows (a repeated key, a missing comma, a bad escape, a word without quotes), so that one
/// pass reports them all; it stops at the first place where nothing sensible can follow.
public enum JSONReader {
  /// What a file may not exceed.
  public struct Limits: Hashable, Sendable {
    /// The largest file, in bytes.
    public var bytes = 512 * 1_024 * 1_024
    /// The deepest nesting of lists and objects.
    public var depth = 128
    /// The most problems that are reported before reading stops.
    public var problems = 100
    /// What a key that stands twice in one object means.
    public var repeatedKeys = RepeatedKeys.refused
    /// What the bytes are, for sentences.
    public var subject = Subject.file

    /// Creates the usual limits.
    public init() {}
  }

  /// What a key that stands twice in one object means.
  public enum RepeatedKeys: Hashable, Sendable {
    /// It is an error.
    case refused
    /// The last value counts, as in most programs; it is a warning.
    case lastCounts
  }

  /// What bytes are, by which sentences name them and the places in them.
  public enum Subject: String, Hashable, Sendable {
    /// A file, which has lines.
    case file
    /// What one program says to another in one line.
    case message
  }

  /// What reading gave.
  public struct Reading: Sendable {
    /// The value of the file; nothing when reading had to stop.
    public var root: JSONNode?
    /// The problems, in the order of the file; all are errors unless repeated keys are allowed.
    public var problems: [TextProblem]
    /// The keys that stand more than once in an object, where the last value counts.
    public var repeatedKeys: [RepeatedKey]
  }

  /// A key that stands more than once in one object, or in several.
  public struct RepeatedKey: Hashable, Sendable {
    /// The key.
    public var key: String
    /// How many values were replaced by a later one.
    public var count: Int
    /// Where the first key stands whose value replaces another.
    public var first: TextPosition
  }

  /// Reads one JSON value from the bytes of a file.
  ///
  /// The file's name appears in the places of nodes and problems.
  public static func read(
    _ bytes: [UInt8], file: String, limits: Limits = Limits()
  ) -> Reading {
    var parser = JSONParser(source: TextSource(bytes: bytes, file: file), limits: limits)
    let root = parser.parseFile()
    return Reading(root: root, problems: parser.problems, repeatedKeys: parser.repeatedKeys)
  }

  /// Reads one JSON value from a text.
  public static func read(
    text: String, file: String, limits: Limits = Limits()
  ) -> Reading {
    read(Array(text.utf8), file: file, limits: limits)
  }
}
