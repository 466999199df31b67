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
  }

  private(set) var stop: Stop?
  /// Since when something has stopped the app without a break.
  private(set) var stoppedSince: Instant?
  private(set) var writingDeniedSince: Instant?
  private(set) var readingDeniedSince: Instant?
  /// Since when writing had been denied when the app stopped.
  private(set) var writingDeniedAtStop: Instant?
  /// The stretches in which reading was denied, that are over.
  private(set) var pastReadingDenials: [Range<Instant>] = []

  /// Takes note of how things are at an instant.
  mutating func note(_ stop: Stop?, canWrite: Bool, canRead: Bool, at now: Instant) {
    if stop != nil, self.stop == nil { writingDeniedAtStop = writingDeniedSince }
    if stop == nil { writingDeniedAtStop = nil }
    assert(stoppedSince.map { $0 <= now } ?? true, "An obstacle began before now.")
    assert(readingDeniedSince.map { $0 <= now } ?? true, "A refusal began before now.")
    if canRead, let since = readingDeniedSince { pastReadingDenials.append(since..<now) }
    self.stop = stop
    stoppedSince = stop == nil ? nil : stoppedSince ?? now
    writingDeniedSince = canWrite ? nil : writingDeniedSince ?? now
    readingDeniedSince = canRead ? nil : readingDeniedSince ?? now
    assert((self.stop == nil) == (stoppedSince == nil), "What stops the app began at some time.")
  }
}
