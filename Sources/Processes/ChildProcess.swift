internal import CProcess
internal import Glibc
internal import Synchronization

/// A program that is started as a child and speaks lines over its standard input and output.
///
/// What it writes to standard error is read at all times, so that it never has to wait for us, and
/// its end is kept for sentences. However the talk ends, nothing of the child is left: it has a
/// process group of its own, which ends before the child is waited for, so that its number cannot
/// be another's by then.
public final class ChildProcess: Sendable {
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
    /// It ended so, or closed its output, in the middle of a line.
    indirect case lineWithoutEnd(Failure)
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

  private let talk: Mutex<ChildTalk>

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
    let (started, fault) = RunningChildren.start {
      var started: pid_t = 0
      let fault = unsafe Self.withCStrings(words) { words in
        unsafe Self.withCStrings(environment) { environment in
          unsafe cprocess_spawn(
            words, environment, folder, toChild[0], fromChild[1], errors[1], &started)
        }
      }
      return (started, fault)
    }
    for descriptor in [toChild[0], fromChild[1], errors[1]] { close(descriptor) }
    guard fault == 0 else {
      for descriptor in [toChild[1], fromChild[0], errors[0]] { close(descriptor) }
      throw .cannotStart(reason: Self.words(fault))
    }
    talk = Mutex(
      ChildTalk(
        child: started, lineLimit: lineLimit, patience: patience, input: toChild[1],
        output: fromChild[0], error: errors[0]))
  }

  deinit { end() }

  /// The last that the child wrote to standard error.
  public var lastError: String { talk.withLock { $0.lastError } }

  /// Forgets what the child wrote to standard error so far.
  public func forgetErrors() { talk.withLock { $0.forgetErrors() } }

  /// Sends a line, unless it is empty, and waits for one, which comes without its end.
  public func exchangeLine(_ line: String, within limit: Duration) throws(Failure) -> [UInt8] {
    try talk.withLock { talk throws(Failure) in try talk.exchangeLine(line, within: limit) }
  }

  /// A line that has come although none is waited for; it comes without its end.
  public func unaskedLine() throws(Failure) -> [UInt8]? {
    try talk.withLock { talk throws(Failure) in try talk.unaskedLine() }
  }

  /// Sends a line to which none is due.
  public func sendLine(_ line: String, within limit: Duration) throws(Failure) {
    try talk.withLock { talk throws(Failure) in try talk.sendLine(line, within: limit) }
  }

  /// Ends the child, if it has not ended: its input is closed, then it is asked, then it is killed,
  /// with all that it started.
  public func end() { talk.withLock { $0.end() } }

  /// Ends the child at once, with all that it started.
  public func kill() { talk.withLock { $0.kill() } }

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
    case .lineWithoutEnd(let failure): "\(failure) before the newline that ends its line"
    }
  }
}

/// The children of this process that have not been waited for.
public enum RunningChildren {
  private struct State {
    var children: Set<Int32> = []
    /// Whether no more may be started.
    var isClosed = false
  }

  private static let state = Mutex(State())

  /// Starts a child, unless all have been killed: one that is being started meanwhile is known
  /// before that, and none is left behind.
  static func start(_ body: () -> (child: Int32, fault: Int32)) -> (child: Int32, fault: Int32) {
    state.withLock { state in
      guard !state.isClosed else { return (0, ECANCELED) }
      let started = body()
      if started.fault == 0 { state.children.insert(started.child) }
      return started
    }
  }

  static func remove(_ child: Int32) { _ = state.withLock { $0.children.remove(child) } }

  /// How many there are.
  public static var count: Int { state.withLock { $0.children.count } }

  /// Kills all of them with everything that they started, and lets none be started from then on, as
  /// when this process is interrupted.
  public static func killAll() {
    state.withLock { state in
      state.isClosed = true
      for child in state.children.sorted() { _ = Glibc.kill(-child, SIGKILL) }
    }
  }
}
