internal import CLoopsim
internal import Glibc
internal import Synchronization

/// What the functions answer.
enum Code {
  static let ok: Int32 = 0
  static let usage: Int32 = 64
  static let badInput: Int32 = 65
  static let noHandle: Int32 = 66
  static let busy: Int32 = 75
}

/// What was wrong with the last failed call of each thread.
enum LastError {
  /// Threads that have ended are not known, so that their sentences go when there are too many.
  private static let mostThreads = 1_024
  private static let texts = Mutex<[UInt: String]>([:])

  static var text: String { texts.withLock { $0[thread] ?? "" } }

  /// Keeps a sentence and gives the code that goes with it.
  static func say(_ code: Int32, _ text: String) -> Int32 {
    texts.withLock {
      if $0.count >= mostThreads { $0 = [:] }
      $0[thread] = text
    }
    return code
  }

  static func noHandle(_ kind: String) -> Int32 {
    say(Code.noHandle, "This is not an open handle of a \(kind).")
  }

  static func missing(_ name: String) -> Int32 {
    say(Code.usage, "\"\(name)\" must not be null.")
  }

  static var busy: Int32 { say(Code.busy, "Another thread uses this handle.") }

  private static var thread: UInt { UInt(pthread_self()) }
}

/// Computes with the usual arithmetic, whatever the host has set.
func computing<Result>(_ body: () -> Result) -> Result {
  var host = fenv_t()
  unsafe cloopsim_enter(&host)
  defer { unsafe cloopsim_leave(&host) }
  return body()
}
