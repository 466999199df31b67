internal import Quantities

/// What keeps the app from following the pump, or from using the health store, and since when.
struct AppObstacles: Hashable, Sendable {
  /// Why the app does not follow the pump.
  enum Stop: Hashable, Sendable {
    case phoneOff, appKilled, appCrashed, bluetoothOff, pumpUnreachable

    /// What is so: "the phone has been off".
    var words: String {
      switch self {
      case .phoneOff: "the phone has been off"
      case .appKilled: "the app has been stopped in the background"
      case .appCrashed: "the app has not run after a crash"
      case .bluetoothOff: "Bluetooth has been off"
      case .pumpUnreachable: "the app has not been able to read the pump"
      }
    }

    /// What was so: "the phone was off".
    fileprivate var pastWords: String {
      switch self {
      case .phoneOff: "the phone was off"
      case .appKilled: "the app was stopped in the background"
      case .appCrashed: "the app did not run after a crash"
      case .bluetoothOff: "Bluetooth was off"
      case .pumpUnreachable: "the app could not read the pump"
      }
    }
  }

  /// What kept the app from following the pump, or from writing insulin, and is over.
  struct Past: Hashable, Sendable {
    var span: Range<Instant>
    /// What was so.
    var words: String
    /// Whether the app could only not write.
    var isDenial = false
    /// Whether it is the whole of several things, one after the other or at one time.
    var isMixed = false
  }

  private(set) var stop: Stop?
  /// Since when something has stopped the app without a break.
  private(set) var stoppedSince: Instant?
  /// All that has stopped it since then.
  private var stops: Set<Stop> = []
  private(set) var past: [Past] = []
  /// What keeps the app from writing insulin.
  private(set) var writingDenied: WritingDenial?
  private(set) var readingDeniedSince: Instant?
  /// What had kept the app from writing insulin when it stopped.
  private(set) var writingDeniedAtStop: WritingDenial?
  /// The stretches in which reading was denied, that are over.
  private(set) var pastReadingDenials: [ReadingDenial] = []
  /// When the app last looked at what others have written, and was allowed to.
  private(set) var lastLook: Instant?
  /// When the app last wrote what was due, and was allowed to.
  private(set) var lastWrite: Instant?

  /// When the loop last ran.
  private(set) var lastLoop: Instant?
  /// The stretch since then in which the app could follow the pump, and the loop did not run.
  private var idle: Past?

  /// A stretch in which the app cannot write insulin.
  struct WritingDenial: Hashable, Sendable {
    var since: Instant
    /// Whether the health store fails to take it, though the app may write it.
    var isFailure: Bool

    /// What is so: "the app has not been allowed to write insulin".
    var words: String {
      isFailure
        ? "the health store has taken no insulin" : "the app has not been allowed to write insulin"
    }

    /// What was so: "the app was not allowed to write insulin".
    fileprivate var pastWords: String {
      isFailure ? "the health store took no insulin" : "the app was not allowed to write insulin"
    }
  }

  /// A stretch in which the app was not allowed to read.
  struct ReadingDenial: Hashable, Sendable {
    var span: Range<Instant>
    /// When the app had last looked before it; what was written since was not seen then either.
    var lastLook: Instant?

    /// Whether the first look after an instant fell into the stretch.
    func hides(whatWasWrittenAt instant: Instant) -> Bool {
      instant < span.upperBound && (lastLook.map { instant > $0 } ?? true)
    }
  }

  /// What has stopped the app since then: "the phone has been off"; `nil` where nothing does.
  ///
  /// Of several things, one after the other, none has done so for all the time, and each keeps
  /// the app from reading the pump.
  var wordsOfStop: String? {
    guard let stop else { return nil }
    return stops.count == 1 ? stop.words : Stop.pumpUnreachable.words
  }

  /// Why the app writes nothing at present, whatever it is allowed to; `nil` where it does.
  var reasonOfNotWriting: String? {
    switch stop {
    case .phoneOff?, .appKilled?, .appCrashed?: stop?.words
    case .bluetoothOff?, .pumpUnreachable?, nil: nil
    }
  }

  /// The app looks at the health store, and may read it or not.
  ///
  /// A permission may have changed since ``note(_:canWrite:storeFails:canRead:at:)`` last told of
  /// it.
  mutating func noteLook(at now: Instant, canRead: Bool) {
    if canRead, readingDeniedSince == nil { lastLook = now }
  }

  /// The loop runs.
  mutating func noteLoop(at now: Instant) {
    lastLoop = now
    guard idle != nil else { return }
    past = past(until: now)
    idle = nil
  }

  /// The loop does not run in a cycle though nothing stops the app: "the loop was skipped".
  ///
  /// The app takes in and writes insulin in a loop that runs.
  mutating func noteIdle(_ words: String, at now: Instant) {
    let known = idle ?? Past(span: now..<now, words: words)
    idle = known
    if known.words != words || stop != nil { mixIdle() }
  }

  /// The loop has not run for more than one reason.
  private mutating func mixIdle() {
    idle?.words = "no loop ran"
    idle?.isMixed = true
  }

  /// What is over, and that the loop has not run until an instant.
  func past(until now: Instant) -> [Past] {
    guard var idle else { return past }
    idle.span = idle.span.lowerBound..<now
    return past + [idle]
  }

  /// The app writes to the health store, and may do so or not.
  mutating func noteWrite(at now: Instant, canWrite: Bool) {
    if canWrite, writingDenied == nil { lastWrite = now }
  }

  /// Takes note of how things are at an instant.
  ///
  /// - Parameters:
  ///   - stop: Why the app does not follow the pump; `nil` where it does.
  ///   - canWrite: Whether the app can write insulin.
  ///   - storeFails: Whether it cannot since the health store fails to take it.
  ///   - canRead: Whether the app may read insulin.
  ///   - now: The instant.
  mutating func note(
    _ stop: Stop?, canWrite: Bool, storeFails: Bool, canRead: Bool, at now: Instant
  ) {
    if stop != nil, self.stop == nil { writingDeniedAtStop = writingDenied }
    if stop == nil { writingDeniedAtStop = nil }
    assert(stoppedSince.map { $0 <= now } ?? true, "An obstacle began before now.")
    assert(readingDeniedSince.map { $0 <= now } ?? true, "A refusal began before now.")
    if canRead, let since = readingDeniedSince {
      pastReadingDenials.append(ReadingDenial(span: since..<now, lastLook: lastLook))
    }
    notePast(stop, canWrite: canWrite, at: now)
    self.stop = stop
    stoppedSince = stop == nil ? nil : stoppedSince ?? now
    if canWrite {
      writingDenied = nil
    } else {
      // Where the app was not allowed to for a part of the time, that is what is told.
      let isFailure = storeFails && writingDenied?.isFailure ?? true
      writingDenied = WritingDenial(since: writingDenied?.since ?? now, isFailure: isFailure)
    }
    readingDeniedSince = canRead ? nil : readingDeniedSince ?? now
    assert((self.stop == nil) == (stoppedSince == nil), "What stops the app began at some time.")
  }

  /// Takes note of what is over.
  private mutating func notePast(_ stop: Stop?, canWrite: Bool, at now: Instant) {
    if let stop {
      // What gives way to another thing at once has stopped nothing.
      if stoppedSince == now { stops = [] }
      stops.insert(stop)
      mixIdle()
    } else if let since = stoppedSince {
      let words = stops.count == 1 ? stops.first?.pastWords : nil
      past.append(Past(span: since..<now, words: words ?? "the app could not follow the pump"))
      stops = []
    }
    if canWrite, let denial = writingDenied {
      past.append(Past(span: denial.since..<now, words: denial.pastWords, isDenial: true))
    }
  }
}
