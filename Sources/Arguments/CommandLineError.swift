/// Why a command line does not lead to a command that runs to its end.
public enum CommandLineError: Error, Hashable, Sendable {
  /// The words are wrong: exit code 64.
  ///
  /// - Parameters:
  ///   - message: What is wrong, without the word "Error".
  ///   - help: The line that explains the parameter concerned.
  ///   - usage: The usage line and where to read more.
  case usage(message: String, help: String?, usage: String)

  /// There is only something to print: exit code 0.
  case cleanExit(String)

  /// The command has spoken for itself and ends with this code.
  case exitCode(Int32)
}

/// A complaint of ``Command/validate()``: one sentence for the user, ending with what to do.
public struct ValidationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentence.
  public let description: String

  /// Creates an error of one sentence.
  public init(_ description: String) { self.description = description }
}
