/// A program that speaks lines: a child process, or a function of a test.
public protocol ProgramLines {
  /// Sends a line and waits for one, without its end.
  func exchange(_ line: String, within limit: Duration) throws(LineFailure) -> [UInt8]

  /// A line that has come although none is waited for, without its end; `nil` where there is none.
  func unasked() throws(LineFailure) -> [UInt8]?

  /// Sends a line to which no answer comes.
  func send(_ line: String) throws(LineFailure)
}

extension ProgramLines {
  /// Nothing comes of itself from what answers when it is called.
  public func unasked() throws(LineFailure) -> [UInt8]? { nil }
}

/// Why no line came.
public enum LineFailure: Error, Hashable, Sendable {
  /// The time was used up; the program still runs.
  case timedOut
  /// The program cannot answer any more; the words say what became of it: "ended with exit status
  /// 3".
  case failed(String)
}
