import Dispatch
import FileSystem
import FoundationEssentials
import Glibc
import Processes
import Synchronization

/// The unfinished folders of this process, which go away when it is interrupted.
enum PartialOutput {
  /// The paths of this process.
  static let paths = UnfinishedPaths()

  /// What is done first when the process ends before its work is done, with the failure that ends
  /// it; `nil` where it is interrupted.
  typealias LastWords = @Sendable (_ failure: Failure?) -> Void

  private static let lastWords = Mutex<LastWords?>(nil)

  /// Sets what is done first when the process is interrupted or cannot go on, such as writing what
  /// there is of a report; `nil` when there is nothing to do any more.
  static func setLastWords(_ body: LastWords?) { lastWords.withLock { $0 = body } }

  /// Takes back the last words, as their work is done; does not come back where they are said.
  static func takeBackLastWords() {
    let areThere = lastWords.withLock { words in
      defer { words = nil }
      return words != nil
    }
    if !areThere { waitWhereEnding() }
  }

  /// Whether the process ends by a signal where nobody reads its output any more, as others do.
  static let diesOfBrokenPipe = Atomic(false)

  /// Whether the process is being ended.
  private static let isEnding = Atomic(false)

  /// Ends what the process has begun, says its last words, and ends the process in some way.
  ///
  /// - Parameters:
  ///   - failure: Why it cannot go on; `nil` where it is interrupted.
  ///   - finish: Ends the process.
  static func end(by failure: Failure? = nil, _ finish: () -> Void) {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    RunningChildren.killAll()
    // They are said once: where they fail themselves nothing more is said.
    lastWords.withLock { words in
      defer { words = nil }
      return words
    }?(failure)
    paths.removeAll(then: finish)
  }

  /// Does not come back where the process is being ended: a run whose program was killed for it has
  /// not failed by itself, and the exit code of its batch is not the one that a shell is to see.
  static func waitWhereEnding() {
    while isEnding.load(ordering: .sequentiallyConsistent) { sleep(1) }
  }

  /// Ends the process by a signal, so that a shell sees why.
  static func die(of number: Int32) {
    signal(number, SIG_DFL)
    // The queue's threads take no signals, and no other thread need be there to take one.
    var own = sigset_t()
    unsafe sigemptyset(&own)
    unsafe sigaddset(&own, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
    raise(number)
    _exit(128 + number)
  }

  /// Removes unfinished folders when the process is interrupted or asked to end, or its terminal is
  /// gone, and lets it end by that signal, so that a shell sees why.
  ///
  /// SIGUSR1, SIGUSR2 and SIGXCPU are what clusters send some time before they kill a job.
  ///
  /// What the starter has the program ignore it ignores: SIGHUP where it is to outlive its
  /// terminal, as by `nohup`, and SIGINT where a script runs it in the background, so that Ctrl-C
  /// for what is in front does not end it.
  static func removeOnInterruption() {
    // A reader that has gone is an error of writing first, so that there is time to tidy up.
    if !OwnSignals.isIgnored(SIGPIPE) { diesOfBrokenPipe.store(true, ordering: .relaxed) }
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU]
    where number == SIGTERM || !OwnSignals.isIgnored(number) {
      signal(number, SIG_IGN)
      // A queue of its own: runs may hold all threads that the global one has.
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "loopsim.signals"))
      source.setEventHandler {
        // The handler holds on to its source, which nobody else does.
        withExtendedLifetime(source) {
          // A study stops by itself, at a place where nothing is lost.
          if StudyWork.stop.take() { return }
          end { die(of: number) }
        }
      }
      source.activate()
    }
  }
}
