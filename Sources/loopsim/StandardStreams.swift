import Glibc

/// The three streams that a process is started with.
enum StandardStreams {
  /// Puts something that cannot be used in the place of each stream that the process was started
  /// without.
  ///
  /// Without that the first file that is opened gets the stream's number, and with it what is
  /// printed. Who reads or writes the stand-in is told that it is closed.
  static func holdPlaces() {
    for (stream, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(stream, F_GETFD) == -1 {
      // The system gives the lowest number that is free, which is this one.
      _ = unsafe open("/dev/null", mode)
    }
  }

  /// Whether there is no standard input to read.
  static var isInputClosed: Bool {
    let flags = fcntl(STDIN_FILENO, F_GETFL)
    return flags == -1 || flags & O_ACCMODE == O_WRONLY
  }
}
