public import Expectations
public import Simulation

/// A run that is ready to start: its setup, and what is expected of it.
public struct BuiltRun: Sendable {
  /// What the run is made from.
  public var setup: Setup
  /// The scenario's title; its id when it has none.
  public var title: String
  /// What must be true of it.
  public var expectations: [Expectation]
  /// The program that decides; `nil` where the app does.
  public var controller: ProgramSpec?
  /// The program that is the body; `nil` where the body is one of ours.
  public var body: ProgramSpec?
  /// What is kept of it.
  public var output: OutputSelection
  /// The digest of the scenario as it was expanded, in hexadecimal.
  public var scenarioDigest: String
  /// What of the therapy the scenario does not state, and where it comes from.
  public var derivedTherapy: String?
  /// What the run was built from: the scenario without chance.
  public var resolved: ResolvedScenario

  /// The programs that have a part in the run.
  public var programs: [ProgramSpec] { [body, controller].compactMap(\.self) }
}
