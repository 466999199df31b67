internal import StructuredText

/// Turns of phrase that several messages share.
enum Wording {
  /// The invitation to use one of a closed set of words, to follow a message without a full stop.
  static func choices(_ words: [String]) -> String {
    let quoted = words.map { "'\($0)'" }
    guard let last = quoted.last else { return "" }
    switch quoted.count {
    case 1: return ". Please provide \(last)."
    case 2: return ". Please provide one of \(quoted[0]) and \(last)."
    case 3...5:
      return ". Please provide one of \(quoted.dropLast().joined(separator: ", ")) or \(last)."
    default:
      let list = words.map { "  - \($0)" }.joined(separator: "\n")
      return ". Please provide one of the following:\n\(list)"
    }
  }

  /// The question whether the nearest of some words is meant, to follow a message without a full
  /// stop.
  static func suggestion(for word: String, among words: [String]) -> String {
    NearestName.nearest(to: word, among: words).map { ". Did you mean '\($0)'?" } ?? ""
  }

  /// Breaks text into lines of at most `width` columns, each after `indent` spaces.
  ///
  /// Line breaks in the text stay; a word longer than a line is not broken.
  static func wrapped(_ text: String, width: Int, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    let room = max(width - indent, 20)
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty && line.count + 1 + word.count > room {
          lines.append(line)
          line = ""
        }
        line += line.isEmpty ? String(word) : " \(word)"
      }
      lines.append(line)
    }
    return lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
  }
}
