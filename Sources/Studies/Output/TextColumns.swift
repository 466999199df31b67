/// Text in the columns of a terminal.
enum TextColumns {
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
