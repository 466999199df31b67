/// Text in the columns of a terminal.
enum TextColumns {
  /// A text in a column of its own: cut, or filled with spaces to the column's width.
  static func left(_ text: String, _ width: Int) -> String {
    let text = String(text.prefix(width))
    return text + String(repeating: " ", count: width - text.count)
  }

  /// A text at the right of its column, with a space before it at least.
  static func right(_ text: String, _ width: Int) -> String {
    let text = String(text.prefix(width - 1))
    return String(repeating: " ", count: width - text.count) + text
  }

  /// A text in lines of at most so many columns, broken between words.
  static func wrapped(_ text: String, width: Int = 80) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, line.count + word.count + 1 > width {
        lines.append(line)
        line = String(word)
      } else {
        line +=
          line.isEmpty && lines.isEmpty && word.isEmpty ? "" : (line.isEmpty ? "" : " ") + word
      }
    }
    return lines + [line]
  }
}
