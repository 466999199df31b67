/// Words as a shell takes each for one.
public enum ShellWord {
  /// The word, in single quotes where it holds more than letters, digits and `-_./:+=,@%`.
  public static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-_./:+=,@%".utf8.contains(byte)
      }
    }
    return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }

  /// Words as a line for a shell.
  public static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }
}
