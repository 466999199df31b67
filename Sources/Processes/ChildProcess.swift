internal import CProcess
internal import Glibc
internal import Synchronization

/// A program that is started as a child and speaks lines over its standard input and output.
///
/// What it writes to standard error is read at all times, so that it never has to wait for us, and
/// its end is kept for sentences. However the talk ends, nothing of the child is left: it has a
/// process group of its own, which ends before the child is waited for, so that its number cannot
/// be another's by then.
public final class ChildProcess {
  /// Why a child cannot be talked with.
  public enum Failure: Error, Hashable, Sendable {
    /// It could not be started, with the system's reason.
    case cannotStart(reason: String)
    /// No line came in time; it still runs.
    case timedOut
    /// It ended with an exit status.
    case exited(Int32)
    /// A signal ended it.
    case killed(signal: Int32)
    /// It closed its standard output and goes on.
    case closedOutput
    /// A line has more bytes than are read of one.
    case lineTooLong(limit: Int)
  }

  /// How long a child may take to end by itself, and then after it was asked to.
  public struct Patience: Hashable, Sendable {
    /// How long it may take to end by itself.
    public var toEnd: Duration
    /// How long it may take to end when it was asked to.
    public var toTerminate: Duration

    /// Creates a `Patience` from its parts; see the properties.
    public init(toEnd: Duration = .seconds(2), toTerminate: Duration = .seconds(2)) {
      self.toEnd = toEnd
      self.toTerminate = toTerminate
    }
  }

  /// How much of what the child wrote to standard error is kept, in bytes.
  public static let keptOfError = 8 << 10

  private let child: Int32
  private let lineLimit: Int
  private let patience: Patience
  private var input: Int32
  private var output: Int32
  private var error: Int32
  /// What was read and is not yet a line.
  private var read: [UInt8] = []
  private var errorTail: [UInt8] = []
  /// How the child ended.
  private var status: Int32?
  private var isReaped = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: The program and its words; a program without `/` is looked up in `PATH`.
  ///   - folder: Where it runs; empty for this process's own folder.
  ///   - environment: Its variables, as `name=value`.
  ///   - lineLimit: The longest line that is read of it, in bytes.
  ///   - patience: How long it may take to end.
  /// - Throws: ``Failure/cannotStart(reason:)``.
  public init(
    _ words: [String], in folder: String, environment: [String], lineLimit: Int = 1 << 20,
    patience: Patience = Patience()
  ) throws(Failure) {
    // A child that has gone is an error of a call, and no end of this process.
    _ = signal(SIGPIPE, SIG_IGN)
    var opened: [Int32] = []
    func pipe(ours: Int32) throws(Failure) -> [Int32] {
      var ends: [Int32] = [-1, -1]
      let fault = unsafe cprocess_pipe(&ends, ours)
      guard fault == 0 else {
        for descriptor in opened { close(descriptor) }
        throw .cannotStart(reason: Self.words(fault))
      }
      opened += ends
      return ends
    }
    let toChild = try pipe(ours: 1)
    let fromChild = try pipe(ours: 0)
    let errors = try pipe(ours: 0)
    var started: pid_t = 0
    let fault = unsafe Self.withCStrings(words) { words in
      unsafe Self.withCStrings(environment) { environment in
        unsafe cprocess_spawn(
          words, environment, folder, toChild[0], fromChild[1], errors[1], &started)
      }
    }
    for descriptor in [toChild[0], fromChild[1], errors[1]] { close(descriptor) }
    guard fault == 0 else {
      for descriptor in [toChild[1], fromChild[0], errors[0]] { close(descriptor) }
      throw .cannotStart(reason: Self.words(fault))
    }
    child = started
    (input, output, error) = (toChild[1], fromChild[0], errors[0])
    self.lineLimit = lineLimit
    self.patience = patience
    RunningChildren.add(started)
  }

  deinit { end() }

  /// The last that the child wrote to standard error.
  public var lastError: String { String(decoding: errorTail, as: UTF8.self) }

  // MARK: - Talking

  /// Sends a line, unless it is empty, and waits for one, which comes without its end.
  public func exchangeLine(_ line: String, within limit: Duration) throws(Failure) -> [UInt8] {
    var unsent = line.isEmpty ? [] : Array(line.utf8) + [UInt8(ascii: "\n")]
    return try talk(&unsent, awaitsLine: true, until: .now + limit) ?? []
  }

  /// Sends a line to which none is due.
  public func sendLine(_ line: String, within limit: Duration) throws(Failure) {
    var unsent = Array(line.utf8) + [UInt8(ascii: "\n")]
    _ = try talk(&unsent, awaitsLine: false, until: .now + limit)
  }

  /// Writes and reads at the same time: a child that writes while we write would otherwise wait for
  /// us for ever, and we for it.
  private func talk(
    _ unsent: inout [UInt8], awaitsLine: Bool, until deadline: ContinuousClock.Instant
  ) throws(Failure) -> [UInt8]? {
    while true {
      if awaitsLine, unsent.isEmpty, let line = try nextLine() { return line }
      if !awaitsLine, unsent.isEmpty { return nil }
      let left = deadline - ContinuousClock.now
      guard left > .zero else { throw .timedOut }
      wait(atMost: min(left, .milliseconds(100)), writes: !unsent.isEmpty)
      readError()
      let isOpen = readOutput()
      if !unsent.isEmpty { try write(&unsent) }
      guard !isOpen || lookForEnd() else { continue }
      // What it wrote before it ended is still read.
      drain()
      readError()
      if awaitsLine, unsent.isEmpty, let line = try nextLine() { return line }
      throw gone()
    }
  }

  private func nextLine() throws(Failure) -> [UInt8]? {
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

  private func write(_ unsent: inout [UInt8]) throws(Failure) {
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
  private func readOutput() -> Bool {
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
  private func drain() {
    var before = -1
    while read.count != before, read.count <= lineLimit {
      before = read.count
      _ = readOutput()
    }
  }

  private func readError() {
    while error >= 0, let bytes = Self.bytes(of: error) {
      guard !bytes.isEmpty else {
        close(error)
        error = -1
        return
      }
      errorTail = (errorTail + bytes).suffix(Self.keptOfError)
      if bytes.count < Self.readAtOnce { return }
    }
  }

  private static let readAtOnce = 1 << 16

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
  private func lookForEnd() -> Bool {
    if status != nil { return true }
    var found: Int32 = 0
    guard unsafe cprocess_has_ended(child, &found) == 1 else { return false }
    status = found
    return true
  }

  private func gone() -> Failure {
    // A child that closed its output is often about to end, and its status says more.
    let patience = ContinuousClock.now + .milliseconds(200)
    while !lookForEnd(), ContinuousClock.now < patience { usleep(5_000) }
    readError()
    guard let status else { return .closedOutput }
    return status < 0 ? .killed(signal: -status) : .exited(status)
  }

  /// Ends the child, if it has not ended: its input is closed, then it is asked, then it is killed,
  /// with all that it started.
  public func end() {
    guard !isReaped else { return }
    close(input)
    waitForEnd(patience.toEnd)
    if status == nil { _ = Glibc.kill(-child, SIGTERM) }
    waitForEnd(patience.toTerminate)
    _ = Glibc.kill(-child, SIGKILL)
    var ignored: Int32 = 0
    while unsafe waitpid(child, &ignored, 0) < 0, errno == EINTR {}
    isReaped = true
    RunningChildren.remove(child)
    if output >= 0 { close(output) }
    if error >= 0 { close(error) }
    (input, output, error) = (-1, -1, -1)
  }

  /// Ends the child at once, with all that it started.
  public func kill() {
    _ = Glibc.kill(-child, SIGKILL)
    end()
  }

  /// Waits for the end, and reads on, so that the child does not wait for us.
  private func waitForEnd(_ limit: Duration) {
    let deadline = ContinuousClock.now + limit
    while !lookForEnd(), ContinuousClock.now < deadline {
      wait(atMost: .milliseconds(20), writes: false)
      readError()
      read = []
      _ = readOutput()
    }
  }

  // MARK: - Words

  private static func words(_ fault: Int32) -> String {
    guard let text = unsafe strerror(fault) else { return "error \(fault)" }
    return unsafe String(cString: text)
  }

  /// Calls with an array of C strings that ends with a null.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer {
      for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
    return unsafe pointers.withUnsafeBufferPointer { buffer in
      // The array has at least its null.
      unsafe body(buffer.baseAddress.unsafelyUnwrapped)
    }
  }
}

extension ChildProcess.Failure: CustomStringConvertible {
  /// What became of the child: "ended with exit status 3".
  public var description: String {
    switch self {
    case .cannotStart(let reason): "cannot be started: \(reason)"
    case .timedOut: "gave no answer in time"
    case .exited(let status): "ended with exit status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .closedOutput: "closed its standard output"
    case .lineTooLong(let limit): "wrote a line of more than \(limit) bytes"
    }
  }
}

/// The children of this process that have not been waited for.
public enum RunningChildren {
  private static let children = Mutex<Set<Int32>>([])

  static func add(_ child: Int32) { _ = children.withLock { $0.insert(child) } }
  static func remove(_ child: Int32) { _ = children.withLock { $0.remove(child) } }

  /// How many there are.
  public static var count: Int { children.withLock { $0.count } }

  /// Kills all of them with everything that they started, as when this process is interrupted.
  public static func killAll() {
    children.withLock { children in
      for child in children.sorted() { _ = Glibc.kill(-child, SIGKILL) }
    }
  }
}
