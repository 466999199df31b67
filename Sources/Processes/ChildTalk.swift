internal import CProcess
internal import Glibc

/// What is known of a child that runs, and how lines go to it and come from it.
struct ChildTalk {
  private let child: Int32
  private let lineLimit: Int
  private let patience: ChildProcess.Patience
  private var input: Int32
  private var output: Int32
  private var error: Int32
  /// What was read and is not yet a line.
  private var read: [UInt8] = []
  /// What is to be sent and was not taken yet: a child that reads late gets every line whole, also
  /// those to which an answer is no longer waited for.
  private var unsent: [UInt8] = []
  private var errorTail: [UInt8] = []
  /// How the child ended.
  private var status: Int32?
  private var isReaped = false

  init(
    child: Int32, lineLimit: Int, patience: ChildProcess.Patience, input: Int32, output: Int32,
    error: Int32
  ) {
    self.child = child
    self.lineLimit = lineLimit
    self.patience = patience
    (self.input, self.output, self.error) = (input, output, error)
  }

  /// The last that the child wrote to standard error.
  var lastError: String { String(decoding: errorTail, as: UTF8.self) }

  /// Forgets what the child wrote to standard error so far.
  mutating func forgetErrors() {
    readError()
    errorTail = []
  }

  // MARK: - Talking

  /// Sends a line, unless it is empty, and waits for one, which comes without its end.
  mutating func exchangeLine(_ line: String, within limit: Duration) throws(ChildProcess.Failure)
    -> [UInt8]
  {
    if !line.isEmpty { queue(line) }
    return try talk(awaitsLine: true, until: .now + limit) ?? []
  }

  /// A line that has come although none is waited for.
  mutating func unaskedLine() throws(ChildProcess.Failure) -> [UInt8]? {
    _ = readOutput()
    return try nextLine()
  }

  /// Sends a line to which none is due.
  mutating func sendLine(_ line: String, within limit: Duration) throws(ChildProcess.Failure) {
    queue(line)
    _ = try talk(awaitsLine: false, until: .now + limit)
  }

  /// Puts a line behind those that the child has not taken yet.
  private mutating func queue(_ line: String) {
    unsent += line.utf8
    unsent.append(UInt8(ascii: "\n"))
  }

  /// Writes and reads at the same time: a child that writes while we write would otherwise wait for
  /// us for ever, and we for it.
  private mutating func talk(
    awaitsLine: Bool, until deadline: ContinuousClock.Instant
  ) throws(ChildProcess.Failure) -> [UInt8]? {
    while true {
      if awaitsLine, unsent.isEmpty, let line = try nextLine() { return line }
      if !awaitsLine, unsent.isEmpty { return nil }
      let left = deadline - ContinuousClock.now
      guard left > .zero else { throw .timedOut }
      wait(atMost: min(left, .milliseconds(100)), writes: !unsent.isEmpty)
      readError()
      let isOpen = readOutput()
      if !unsent.isEmpty { write() }
      guard !isOpen || lookForEnd() else { continue }
      // What it wrote before it ended is still read.
      drain()
      readError()
      if awaitsLine, unsent.isEmpty, let line = try nextLine() { return line }
      throw gone()
    }
  }

  private mutating func nextLine() throws(ChildProcess.Failure) -> [UInt8]? {
    guard let end = read.firstIndex(of: UInt8(ascii: "\n")) else {
      if read.count > lineLimit { throw .lineTooLong(limit: lineLimit) }
      return nil
    }
    guard end <= lineLimit else { throw .lineTooLong(limit: lineLimit) }
    var line = Array(read[..<end])
    read.removeSubrange(...end)
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }

  /// Waits until something can be read or written.
  private func wait(atMost limit: Duration, writes: Bool) {
    var entries = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: error, events: Int16(POLLIN), revents: 0),
    ]
    if writes { entries.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
    let parts = limit.components
    let milliseconds = parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000
    _ = unsafe poll(&entries, nfds_t(entries.count), Int32(max(1, milliseconds)))
  }

  private mutating func write() {
    let count = unsafe unsent.withUnsafeBytes {
      unsafe Glibc.write(input, $0.baseAddress, $0.count)
    }
    if count > 0 {
      unsent.removeFirst(count)
    } else if count < 0, errno == EPIPE {
      // It reads no more; that it ended is found out by the next look.
      unsent = []
    }
  }

  /// Reads what there is on standard output; false where it is closed.
  ///
  /// No more is read than one line too long needs, so that a child that writes without end waits.
  private mutating func readOutput() -> Bool {
    guard output >= 0 else { return false }
    guard read.count <= lineLimit else { return true }
    guard let bytes = Self.bytes(of: output) else { return true }
    guard !bytes.isEmpty else {
      close(output)
      output = -1
      return false
    }
    read += bytes
    return true
  }

  /// Reads what is left on standard output.
  private mutating func drain() {
    var before = -1
    while read.count != before, read.count <= lineLimit {
      before = read.count
      _ = readOutput()
    }
  }

  /// Reads what there is on standard error: of a child that writes without end only so much at a
  /// time, as no time that is set would otherwise count beside it.
  private mutating func readError() {
    for _ in 0..<Self.readsOfError {
      guard error >= 0, let bytes = Self.bytes(of: error) else { return }
      guard !bytes.isEmpty else {
        close(error)
        error = -1
        return
      }
      errorTail = (errorTail + bytes).suffix(ChildProcess.keptOfError)
      if bytes.count < Self.readAtOnce { return }
    }
  }

  private static let readAtOnce = 1 << 16
  /// The system's largest pipes hold as much together.
  private static let readsOfError = 16

  /// What can be read of a descriptor now, empty at its end; `nil` where there is nothing yet.
  private static func bytes(of descriptor: Int32) -> [UInt8]? {
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: readAtOnce) { buffer, filled in
      count = unsafe Glibc.read(descriptor, buffer.baseAddress, readAtOnce)
      filled = max(0, count)
    }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : [] }
    return bytes
  }

  // MARK: - Ending

  /// Whether the child has ended; a grandchild may hold its output open.
  private mutating func lookForEnd() -> Bool {
    if status != nil { return true }
    var found: Int32 = 0
    guard unsafe cprocess_has_ended(child, &found) == 1 else { return false }
    status = found
    return true
  }

  private mutating func gone() -> ChildProcess.Failure {
    // A child that closed its output is often about to end, and its status says more.
    let patience = ContinuousClock.now + .milliseconds(200)
    while !lookForEnd(), ContinuousClock.now < patience { usleep(5_000) }
    readError()
    let failure: ChildProcess.Failure =
      switch status {
      case nil: .closedOutput
      case let status?: status < 0 ? .killed(signal: -status) : .exited(status)
      }
    let isAmidLine = read.last.map { $0 != UInt8(ascii: "\n") } ?? false
    return isAmidLine ? .lineWithoutEnd(failure) : failure
  }

  /// Ends the child, if it has not ended: its input is closed, then it is asked, then it is killed,
  /// with all that it started.
  mutating func end() {
    guard !isReaped else { return }
    close(input)
    waitForEnd(patience.toEnd)
    if status == nil { _ = Glibc.kill(-child, SIGTERM) }
    waitForEnd(patience.toTerminate)
    _ = Glibc.kill(-child, SIGKILL)
    var ignored: Int32 = 0
    while unsafe waitpid(child, &ignored, 0) < 0, errno == EINTR {}
    isReaped = true
    // It may have ended before it was looked at, and its last words say why.
    readError()
    RunningChildren.remove(child)
    if output >= 0 { close(output) }
    if error >= 0 { close(error) }
    (input, output, error) = (-1, -1, -1)
  }

  /// Ends the child at once, with all that it started.
  mutating func kill() {
    // Its number may be another's since it was waited for.
    guard !isReaped else { return }
    _ = Glibc.kill(-child, SIGKILL)
    end()
  }

  /// Waits for the end, and reads on, so that the child does not wait for us.
  private mutating func waitForEnd(_ limit: Duration) {
    let deadline = ContinuousClock.now + limit
    while !lookForEnd(), ContinuousClock.now < deadline {
      wait(atMost: .milliseconds(20), writes: false)
      readError()
      read = []
      _ = readOutput()
    }
  }
}
