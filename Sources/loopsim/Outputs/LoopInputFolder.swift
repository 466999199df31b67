import Bridge
import ClosedLoop
import Expectations
import Interchange
import Quantities
import ScenarioLanguage
import Scenarios
import Simulation

/// The inputs of the algorithm that a run's scenario keeps: one file for each cycle.
///
/// A run is deterministic, so that it is lived through a second time rather than all inputs held
/// until it is known which of them are wanted.
enum LoopInputFolder {
  static let name = "loop-inputs"
  /// How long before and after a failed expectation's moment inputs are kept.
  private static let surroundings = TimeSpan.minutes(30)

  /// Writes the inputs of a finished run into a folder of its results, where its scenario asks.
  static func write(_ finished: FinishedRun, in output: borrowing OutputFolder) throws {
    guard let choice = finished.output.loopInputs, let setup = finished.setup else { return }
    let windows = choice == .all ? nil : windows(around: finished.expectations)
    if let windows, windows.isEmpty { return }
    try output.makeFolder(named: name)
    var run = Run(setup)
    var earlier: Instant?
    var answers = Dictionary(
      finished.transcripts.map { ($0.header.role, $0.entries[...]) }, uniquingKeysWith: { $1 })
    while run.step() || Self.goOn(&run, &answers) {
      let now = run.now
      guard now != earlier, let input = run.cycleInput else { continue }
      earlier = now
      guard now >= setup.start, windows?.contains(where: { $0.contains(now) }) ?? true else {
        continue
      }
      try output.write(AlgorithmInputFile.text(input), named: "\(name)/\(fileName(now))")
    }
  }

  /// Gives a run that stands at a question the answer it got the first time.
  private static func goOn(
    _ run: inout Run, _ answers: inout [ProgramRole: ArraySlice<Transcript.Entry>]
  ) -> Bool {
    guard let role = run.question?.role, let entry = answers[role]?.popFirst() else { return false }
    return (try? run.answer(entry.answer)) != nil
  }

  /// The time in UTC without separators, so that names sort by time on every file system.
  static func fileName(_ instant: Instant) -> String {
    let text = WallClock.utc.iso8601(instant)
    let digits = text.prefix(19).filter { $0 != "-" && $0 != ":" }
    return "\(digits)Z.json"
  }

  /// The stretches around the moments at which expectations failed.
  private static func windows(around results: [ExpectationResult]) -> [ClosedRange<Instant>] {
    results.filter { $0.outcome == .failed }.compactMap { result in
      guard let time = result.moment?.time, case .absolute(let instant)? = TimeText(time) else {
        return nil
      }
      return (instant - surroundings)...(instant + surroundings)
    }
  }
}
