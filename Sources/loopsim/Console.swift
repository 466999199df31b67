import Arguments
import FileSystem
import FoundationEssentials
import Glibc
import StructuredText
import Synchronization

/// The process's own standard output and standard error.
///
/// Text goes straight to the descriptors with `write(2)`, so that nothing waits in a buffer when
/// the program ends.
struct StandardConsole: Console {
  private let hasTerminal: (output: Bool, error: Bool)
  let width: Int

  /// Reads `CI` and `COLUMNS` once.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let isAutomated = environment["CI"].map { !$0.isEmpty && $0 != "false" } ?? false
    hasTerminal = (
      output: !isAutomated && isatty(STDOUT_FILENO) == 1,
      error: !isAutomated && isatty(STDERR_FILENO) == 1
    )
    // A number below 1 is that of no terminal, and says nothing.
    let stated = environment["COLUMNS"].flatMap { Int($0) } ?? 0
    width = stated > 0 ? stated : Self.terminalWidth ?? 80
  }

  func isTerminal(_ stream: ConsoleStream) -> Bool {
    switch stream {
    case .output: hasTerminal.output
    case .error: hasTerminal.error
    }
  }

  func shown(_ line: String) -> String { InertText.lines(line) }

  func write(_ text: String, to stream: ConsoleStream) {
    let descriptor = stream == .output ? STDOUT_FILENO : STDERR_FILENO
    guard let fault = Self.write(Array(text.utf8), to: descriptor), stream == .output else {
      return
    }
    if fault == EPIPE, PartialOutput.diesOfBrokenPipe.load(ordering: .relaxed) {
      PartialOutput.end { PartialOutput.die(of: SIGPIPE) }
    }
    let failure = Failure(
      .inputOutput,
      "Standard output cannot be written: \(FileFault.words(fault)). Send it elsewhere.")
    _ = Self.write(Array("Error: \(failure)\n".utf8), to: STDERR_FILENO)
    PartialOutput.end(by: failure) { exit(failure.exitCode.rawValue) }
  }

  /// Writes all bytes to a descriptor; the system's reason, as an `errno`, when it cannot.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if count >= 0 {
        start += count
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// The columns of the terminal, when one is attached.
  private static var terminalWidth: Int? {
    var size = winsize()
    for descriptor in [STDOUT_FILENO, STDERR_FILENO]
    where unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return nil
  }
}

extension Console {
  /// Writes a value to standard output as JSON, which programs read and no terminal obeys.
  func printJSON(_ value: JSONValue) {
    write(InertText.json(JSONWriter().text(value)), to: .output)
  }
}
