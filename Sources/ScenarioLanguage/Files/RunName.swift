/// The parts of a run's name, which is also the name of its results on disk.
public enum RunName {
  /// The longest part, in characters.
  public static let maximumLength = 64

  /// Whether a text consists of lower-case letters, digits and hyphens, not starting with a hyphen:
  /// a folder of such a name would be an option to other programs.
  public static func isSlug(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= maximumLength && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { byte in
        (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  /// What such a text is, for sentences.
  public static let slugWords =
    "a name of lower-case letters, digits and hyphens that does not begin with a hyphen, at most "
    + "\(maximumLength) characters"

  /// Whether a text can be a part of a file's path on any system: letters, digits, `-`, `_`, `.`
  /// and `#`, not starting with a dot.
  public static func isSafe(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= maximumLength && safe(text) == text
  }

  /// A text with every character that file systems might refuse replaced by a hyphen.
  public static func safe(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(maximumLength) {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "#": result.unicodeScalars.append(scalar)
      case "." where !result.isEmpty: result.unicodeScalars.append(scalar)
      default: result += "-"
      }
    }
    return result
  }
}
