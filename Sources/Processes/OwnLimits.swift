internal import CProcess

/// What the system lets the program itself have.
public enum OwnLimits {
  /// How many files beside the streams the system's libraries and one run have open at once.
  private static let files: Int32 = 8

  /// Why the program cannot do its work within its limits, in a sentence and what to do; `nil`
  /// where it can.
  ///
  /// Without that a thread that cannot be started is waited for without end, and the libraries end
  /// the program by a signal where they can open no file. Where addresses are limited threads have
  /// no memory of their own to take from, which would reserve more than it needs.
  ///
  /// - Parameter processors: How many processors there are; there may be a thread for each.
  /// - Returns: The sentence, or `nil`.
  public static func obstacle(processors: @autoclosure () -> Int) -> String? {
    guard cprocess_can_open(files) != 0 else {
      return "Too few files may be open at once. Raise the limit, as with ulimit -n 64."
    }
    // To start threads takes as long as half of all else that a short command does.
    guard cprocess_threads_are_limited() != 0 else { return nil }
    let processors = processors()
    let addresses = cprocess_address_limit()
    if addresses > 0 {
      cprocess_share_arena()
      // Each thread reserves a stack of 8 MiB, and there are some more than processors.
      let least = UInt64(256 + 16 * processors) << 20
      guard addresses >= least else {
        return "The limit on address space is \(addresses >> 10) kB, and \(least >> 10) kB are "
          + "needed. Raise it, as with ulimit -v \(least >> 10)."
      }
    }
    let threads = Int32(min(processors, 64) + 4)
    let begun = cprocess_try_threads(threads)
    guard begun == threads else {
      return "The system starts \(begun) of the \(threads) threads that are needed. Raise the "
        + "limit on processes (ulimit -u) or on address space (ulimit -v)."
    }
    return nil
  }
}
