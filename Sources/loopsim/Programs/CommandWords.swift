/// The words of a command that is written in one text, as a shell would divide it, without a shell.
enum CommandWords {
  /// What a shell would do with a character that stands alone, and nothing here does.
  private static let refused: Set<Character> = ["$", "`", "|", "&", ";", "<", ">", "*", "?"]

  /// What a backslash takes within double quotes, where it stays before all else.
  private static let special: Set<Character> = ["$", "`", "\"", "\\"]

  /// The words: blanks divide, quotes group, and a backslash takes the next character as it is;
  /// within double quotes only one that means something there, and within single quotes none.
  ///
  /// IEEE Std 1003.1, Shell Command Language, 2.2 "Quoting".
  static func words(of text: String) throws -> [String] {
    var words: [String] = []
    var word = ""
    var isWord = false
    var quote: Character?
    var characters = text.makeIterator()
    while let character = characters.next() {
      if character == "\\", quote != "'" {
        guard let next = characters.next() else {
          throw Failure(.usage, "The command ends with a backslash that takes nothing: \(text)")
        }
        if quote != nil, !special.contains(next) { word.append(character) }
        word.append(next)
        isWord = true
      } else if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        isWord = true
      } else if character == " " || character == "\t" {
        if isWord { words.append(word) }
        (word, isWord) = ("", false)
      } else if refused.contains(character) {
        throw Failure(
          .usage, "No shell runs here: quote the \"\(character)\" in the command \(text)")
      } else {
        word.append(character)
        isWord = true
      }
    }
    if quote != nil { throw Failure(.usage, "A quote is not closed in the command \(text)") }
    if isWord { words.append(word) }
    guard words.first?.isEmpty == false else {
      throw Failure(.usage, "The command is empty; write the program and its words.")
    }
    return words
  }
}
