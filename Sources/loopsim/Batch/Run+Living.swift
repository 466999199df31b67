import Bridge
import Quantities
import Scenarios
import Simulation

extension Run {
  /// What remains of a run: its result, what was seen of it, and its folder if that is begun.
  typealias Lived = (result: RunResult, observation: RunObservation, begun: BegunFolder?)

  /// Lives through a run, of which only its result and what was seen of it remain.
  ///
  /// With `folder` its health store, if it is kept, is written into a folder there while the result
  /// is gathered.
  ///
  /// - Returns: `nil` if the time was used up before its end.
  static func lived(
    _ setup: Setup, keeping output: OutputSelection, in folder: String?, forPage: Bool,
    until deadline: ContinuousClock.Instant?, watching progress: RunProgress?,
    answeredBy programs: RunPrograms
  ) throws(ProgramFailure) -> Lived? {
    var run = Self(setup)
    let interval: TimeSpan? =
      if output.hasWholePredictions { .zero } else if forPage || output.keepsPredictions {
        .minutes(30)
      } else { nil }
    var observation = RunObservation(
      run, predictionsEvery: interval, keepsValuesBetween: forPage,
      keepsCycles: output.files.contains(.cycles))
    guard
      try run.live(
        until: deadline, watching: progress, observation: &observation, answeredBy: programs)
    else { return nil }
    observation.end(run)
    let keepsStore = output.files.contains(.healthStore)
    var begun: BegunFolder?
    var result = (consume run).finish { store in
      guard keepsStore, let folder else { return }
      // What is wrong with the place is told when the rest is written there.
      begun = try? BegunFolder(at: folder, with: store)
    }
    if !keepsStore || begun != nil { result.releaseStore() }
    return (result, observation, begun)
  }

  /// Lives through the run; false when the time was used up before its end.
  private mutating func live(
    until deadline: ContinuousClock.Instant?, watching progress: RunProgress?,
    observation: inout RunObservation, answeredBy programs: RunPrograms
  ) throws(ProgramFailure) -> Bool {
    var steps = 0
    while true {
      if steps % 256 == 0 {
        if let deadline, ContinuousClock.now >= deadline { return false }
        progress?.update(self)
      }
      steps += 1
      observation.observe(self)
      if step() { continue }
      guard question != nil else { return true }
      try programs.answer(&self)
    }
  }
}
