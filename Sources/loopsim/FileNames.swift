import FoundationEssentials

/// Names that are no UTF-8, which the system allows and the program cannot say.
///
/// A string has the replacement character in place of such bytes, and is another name.
enum FileNames {
  /// The first of the words that the program was started with whose bytes are no UTF-8.
  static var wordThatIsNoText: String? {
    for place in 0..<Int(CommandLine.argc) {
      guard let bytes = unsafe CommandLine.unsafeArgv[place] else { break }
      guard unsafe String(validatingCString: bytes) != nil else {
        return unsafe String(cString: bytes)
      }
    }
    return nil
  }

  /// Refuses files that were found in folders, and that are not there under the names as text.
  static func check(_ paths: [String]) throws(Failure) {
    let other = paths.first { path in
      path.contains("\u{FFFD}") && !FileManager.default.fileExists(atPath: path)
    }
    if let other { throw Failure(.badInput, noText(other)) }
  }

  /// A sentence on a name that is no UTF-8.
  static func noText(_ name: String) -> String {
    "\"\(name)\" is not UTF-8 where \u{FFFD} stands. Rename the file, or write the word, in UTF-8."
  }
}
