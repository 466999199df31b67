import Arguments
import Glibc
import Quantities
import Simulation
import StructuredText
import Synchronization

/// One line on standard error that says how far long work has come.
///
/// It appears only on a terminal, only once the work has taken a second, and leaves when the work
/// is done. In continuous integration there is no terminal, and so there is no line.
struct ProgressLine {
  private let console: any Console
  private let isShown: Bool
  private let start = Self.now
  private var lastUpdate: Int64?
  private var isOnScreen = false

  private static let patience: Int64 = 1_000
  private static let interval: Int64 = 100

  init(on console: any Console) {
    self.console = console
    isShown = console.isTerminal(.error)
  }

  /// Says what is being done and which part of it is done, from 0 to 1.
  mutating func update(_ activity: String, done: Double) {
    guard isShown else { return }
    let now = Self.now
    let isDue = !isOnScreen || now - (lastUpdate ?? 0) >= Self.interval
    guard now - start >= Self.patience, isDue else { return }
    lastUpdate = now
    isOnScreen = true
    let percent = Int((min(max(done, 0), 1) * 100).rounded(.down))
    let room = max(console.width - 8, 8)
    console.write("\r\u{1B}[K\(percent)% \(InertText.line(activity).prefix(room))", to: .error)
  }

  /// Takes the line away, so that something can be printed; the next update shows it again.
  mutating func hide() {
    guard isOnScreen else { return }
    console.write("\r\u{1B}[K", to: .error)
    isOnScreen = false
  }

  /// Removes the line.
  mutating func finish() {
    hide()
    lastUpdate = nil
  }

  /// Milliseconds on a clock that only runs forward.
  private static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Says how far a run has come that is the only one, so that nothing else has to be told.
final class RunProgress: Sendable {
  private let line: Mutex<ProgressLine>

  init(on console: any Console) { line = Mutex(ProgressLine(on: console)) }

  /// Shows the run's name and the time that its phone would show.
  func update(_ run: borrowing Run) {
    let time = run.clock.iso8601(run.now).prefix(16).replacing("T", with: " ")
    let activity = "\(run.setup.id): \(time)"
    let done = run.progress
    line.withLock { $0.update(activity, done: done) }
  }

  func finish() { line.withLock { $0.finish() } }
}
