import Expectations
import Scenarios

extension ScenarioBatch {
  /// How many results may wait for one that takes long, so that memory stays bounded.
  private static let waitingLimit = 16

  /// How many results may wait for the medium while other runs go on.
  private static let publishingLimit = 8

  /// What a run has come to, by its place in the plan.
  private enum Step {
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
      var started = 0
      var underway = 0
      var publishing = 0
      // Few, as no more are started than can wait.
      var finished: [(index: Int, run: FinishedRun)] = []
      var next = 0
      var joint = JointExpectations(file: runs.first?.file ?? "")
      var deadlines: [String: ContinuousClock.Instant] = [:]
      func startMore() {
        while underway < max(1, jobs), publishing < publishingLimit, started < runs.count,
          started - next < max(1, jobs) + waitingLimit
        {
          let (index, planned) = (started, runs[started])
          let deadline = deadlines[planned.file] ?? planned.timeLimit.map { .now + $0 }
          deadlines[planned.file] = deadline
          group.addTask {
            let run = carryOut(
              planned, seed: seed, checksStep: checksStep, forPage: forPages, in: surroundings,
              until: deadline, watching: progress)
            return .carriedOut(index, run, try keep(run))
          }
          started += 1
          underway += 1
        }
      }
      startMore()
      while let step = try await group.next() {
        switch step {
        case .carriedOut(let index, let run, let folder?):
          underway -= 1
          publishing += 1
          group.addTask {
            try await folder.publish()
            return .published(index, run)
          }
        case .carriedOut(let index, let run, nil):
          underway -= 1
          finished.append((index, run))
        case .published(let index, let run):
          publishing -= 1
          finished.append((index, run))
        }
        while let place = finished.firstIndex(where: { $0.index == next }) {
          var ready = finished.remove(at: place).run
          joint.take(ready.contributions)
          if ready.result == nil { joint.miss(runs[next].run.place) }
          ready.contributions = []
          next += 1
          if next == runs.count || runs[next].file != ready.file {
            ready.joint += joint.results().map { withReplay($0, seed: seed) }
            joint = JointExpectations(file: next < runs.count ? runs[next].file : "")
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
