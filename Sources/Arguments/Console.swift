/// Where a command's text goes.
public enum ConsoleStream: Hashable, Sendable {
  /// Results: standard output.
  case output
  /// Everything else, errors and progress: standard error.
  case error
}

/// Where a command writes, and what its reader can see.
public protocol Console: Sendable {
  /// Writes text as it stands, without adding a line break.
  func write(_ text: String, to stream: ConsoleStream)

  /// The number of columns to which help is wrapped.
  var width: Int { get }

  /// Whether a person watches the stream on a terminal.
  func isTerminal(_ stream: ConsoleStream) -> Bool

  /// A line as the console's readers may get it: text of files must not be obeyed by a terminal.
  func shown(_ line: String) -> String
}

extension Console {
  public func shown(_ line: String) -> String { line }

  /// Writes a line of results to standard output.
  public func print(_ line: String) { write(shown(line) + "\n", to: .output) }

  /// Writes a line of remarks to standard error.
  public func note(_ line: String) { write(shown(line) + "\n", to: .error) }
}
