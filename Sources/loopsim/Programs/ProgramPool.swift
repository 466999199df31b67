import Processes
import Scenarios
import Synchronization

/// The programs that wait for another run.
///
/// A program that says that it can (`"can":["reuse"]`) lives through many runs, one after the
/// other, so that an interpreter is loaded once for each run at a time and not once for each run.
/// What a run comes to does not depend on that as long as the program forgets the run before.
final class ProgramPool: Sendable {
  private let waiting = Mutex<[WaitingProgram]>([])

  /// A program that waits and was started in the same way; `nil` where there is none.
  ///
  /// Where there is none, one that waits for other runs is ended, so that there are never more
  /// programs than runs at a time need.
  func take(_ start: ProgramStart, for spec: ProgramSpec) -> StartedProgram? {
    let (found, given) = waiting.withLock { waiting -> (WaitingProgram?, WaitingProgram?) in
      if let place = waiting.lastIndex(where: { $0.start == start }) {
        return (waiting.remove(at: place), nil)
      }
      return (nil, waiting.isEmpty ? nil : waiting.removeFirst())
    }
    given?.child.end()
    guard let found else { return nil }
    guard let next = StartedProgram(found, spec) else {
      found.child.end()
      return nil
    }
    return next
  }

  /// Keeps a program whose run is over.
  func put(_ program: WaitingProgram) { waiting.withLock { $0.append(program) } }

  /// Ends the programs that wait.
  func end() {
    let programs = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for program in programs { program.child.end() }
  }
}
