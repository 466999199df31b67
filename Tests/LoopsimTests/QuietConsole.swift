import Arguments
import Synchronization

@testable import loopsim

/// A console that keeps what is written to it, and may claim to be a terminal.
final class QuietConsole: Console {
  private let texts = Mutex((output: "", error: ""))
  private let isWatched: Bool
  let width = 80

  init(isWatched: Bool = false) { self.isWatched = isWatched }

  var output: String { texts.withLock { $0.output } }
  var error: String { texts.withLock { $0.error } }

  func write(_ text: String, to stream: ConsoleStream) {
    texts.withLock {
      switch stream {
      case .output: $0.output += text
      case .error: $0.error += text
      }
    }
  }

  func isTerminal(_ stream: ConsoleStream) -> Bool { isWatched }
}

/// What the program says to a command line, and its exit code.
func program(_ words: [String]) async -> (code: Int32, output: String, error: String) {
  let console = QuietConsole()
  let code = await Loopsim.run(words, to: console)
  return (code, console.output, console.error)
}
