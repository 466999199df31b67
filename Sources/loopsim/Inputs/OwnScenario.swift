import Determinism

/// The scenario that stands beside a result, to repeat the run of a client.
///
/// A result gives way to a newer one as a whole, and so does its scenario while nobody has changed
/// it: its first line has the digest of the others.
enum OwnScenario {
  /// The name of the file.
  static let name = "scenario.json5"
  private static let mark =
    "// A newer result takes the place of this file while nobody changes it: "

  /// The text of the file.
  static func text(_ scenario: String) -> String {
    "\(mark)\(digest(of: Substring(scenario)))\n\(scenario)"
  }

  /// Whether a file is as it was written.
  static func isUntouched(_ path: String) -> Bool {
    guard let bytes = try? Files.read(path) else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(mark), let end = text.firstIndex(of: "\n") else { return false }
    return text[..<end] == mark + digest(of: text[text.index(after: end)...])
  }

  private static func digest(of scenario: Substring) -> String {
    var digest = RunningDigest()
    digest.absorb(scenario.utf8)
    return digest.hexadecimal
  }
}
