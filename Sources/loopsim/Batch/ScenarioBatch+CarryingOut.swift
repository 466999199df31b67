import Expectations
import Scenarios

extension ScenarioBatch {
  /// What a run has come to, by its place in the plan; handed on by its address, since it takes
  /// some kilobytes.
  private indirect enum Step {
    /// It is lived through; its folder, if it has one, is not in its place yet.
    case carriedOut(Int, FinishedRun, UnpublishedFolder?)
    /// Its folder is in its place.
    case published(Int, FinishedRun)
  }

  /// Carries runs out, at most `jobs` at a time, and hands each over in the order of the plan.
  ///
  /// With the last run of a scenario comes what its runs together are held to. `keep` is called
  /// for each run as it finishes, in no order and for several at a time; the folder that it gives
  /// back is put in its place, while other runs go on, before the run is handed over.
  ///
  /// - Returns: False when `receive` asked to stop early.
  @discardableResult
  static func carryOut(
    _ runs: [PlannedRun], jobs: Int, seed: UInt64?, checksStep: Bool = false,
    forPages: Bool = true, in surroundings: GoldenFiles = BatchGoldenFiles.comparing,
    watching progress: RunProgress? = nil,
    keep: @escaping @Sendable (FinishedRun) throws -> UnpublishedFolder? = { _ in nil },
    receive: (FinishedRun) throws -> Bool
  ) async throws -> Bool {
    try await withThrowingTaskGroup(of: Step.self) { group in
      var queue = RunQueue(of: runs.count, jobs: jobs)
      var joint = JointExpectations(file: runs.first?.file ?? "")
      var deadlines: [String: ContinuousClock.Instant] = [:]
      func startMore() {
        while let place = queue.start() {
          let planned = runs[place]
          // The time of a scenario is that of all its runs together.
          let deadline = deadlines[planned.file] ?? planned.timeLimit.map { .now + $0 }
          deadlines[planned.file] = deadline
          group.addTask {
            let run = carryOut(
              planned, seed: seed, checksStep: checksStep, forPage: forPages, in: surroundings,
              until: deadline, watching: progress)
            return .carriedOut(place, run, try keep(run))
          }
        }
      }
      startMore()
      while let step = try await group.next() {
        switch step {
        case .carriedOut(let place, let run, let folder?):
          queue.publish()
          group.addTask {
            try await folder.publish()
            return .published(place, run)
          }
        case .carriedOut(let place, let run, nil): queue.finish(run, at: place, wasPublished: false)
        case .published(let place, let run): queue.finish(run, at: place, wasPublished: true)
        }
        while let (place, run) = queue.handOver() {
          var ready = run
          joint.take(ready.contributions)
          if ready.result == nil { joint.miss(runs[place].run.place) }
          ready.contributions = []
          let following = place + 1 < runs.count ? runs[place + 1].file : nil
          if following != ready.file {
            ready.joint += joint.results().map { withReplay($0, of: runs[place], seed: seed) }
            joint = JointExpectations(file: following ?? "")
          }
          if try !receive(ready) {
            group.cancelAll()
            return false
          }
        }
        startMore()
      }
      return true
    }
  }
}

/// Which runs of a batch live, wait for the medium, or wait for one before them.
///
/// A run is started, in the order of the plan; it lives; where it has a folder, that is put in its
/// place; and it is handed over once all before it are. As a run that has ended holds all that it
/// came to, no more are started than may wait.
private struct RunQueue {
  /// How many runs that have ended may wait for one before them that takes long.
  private static let waitingLimit = 16
  /// How many folders may wait for the medium while other runs go on.
  private static let publishingLimit = 8

  private let count: Int
  private let jobs: Int
  /// How many were started: the first so many of the plan.
  private var started = 0
  /// How many of these live.
  private var living = 0
  /// How many of these have folders that are being put in their places.
  private var publishing = 0
  /// Those that have ended and are not handed over, by their places in the plan.
  private var ended: [Int: FinishedRun] = [:]
  /// How many were handed over: the first so many of the plan.
  private var handedOver = 0

  init(of count: Int, jobs: Int) {
    self.count = count
    self.jobs = max(1, jobs)
  }

  /// Starts the next run, if there is one and it need not wait.
  ///
  /// - Returns: Its place in the plan; `nil` where none starts now.
  mutating func start() -> Int? {
    guard started < count, living < jobs, publishing < Self.publishingLimit,
      started - handedOver < jobs + Self.waitingLimit
    else { return nil }
    living += 1
    started += 1
    return started - 1
  }

  /// Notes that a run has lived, and that its folder is being put in its place.
  mutating func publish() {
    living -= 1
    publishing += 1
  }

  /// Notes that a run can be handed over: that its folder is in its place, or that it has none.
  mutating func finish(_ run: FinishedRun, at place: Int, wasPublished: Bool) {
    if wasPublished { publishing -= 1 } else { living -= 1 }
    ended[place] = run
  }

  /// Hands the next run over, if it has ended.
  mutating func handOver() -> (place: Int, run: FinishedRun)? {
    guard let run = ended.removeValue(forKey: handedOver) else { return nil }
    handedOver += 1
    return (handedOver - 1, run)
  }
}
