import Bridge
import Quantities
import Scenarios
import Simulation

extension Run {
  /// Lives through a run, of which only its result and what was seen of it remain.
  ///
  /// - Returns: `nil` if the time was used up before its end.
  static func lived(
    _ setup: Setup, keeping output: OutputSelection, forPage: Bool,
    until deadline: ContinuousClock.Instant?, watching progress: RunProgress?,
    answeredBy programs: RunPrograms
  ) throws(ProgramFailure) -> (result: RunResult, observation: RunObservation)? {
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
    var result = (consume run).finish()
    if !output.files.contains(.healthStore) { result.releaseStore() }
    return (result, observation)
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
