public import ScenarioLanguage
public import Simulation

/// What expectations look at beside the run itself.
public struct GoldenFiles: Sendable {
  /// Where golden files and results of other runs are read.
  public var files: any ScenarioFiles
  /// The timeline of a run as a file of results holds it.
  public var timeline: @Sendable (RunResult) -> String
  /// Keeps a golden file anew and says what went wrong; nothing where golden files are compared.
  public var keepGolden: (@Sendable (_ path: String, _ text: String) -> String?)?

  /// Creates a `GoldenFiles` from its parts; see the properties.
  public init(
    files: any ScenarioFiles, timeline: @escaping @Sendable (RunResult) -> String,
    keepGolden: (@Sendable (_ path: String, _ text: String) -> String?)? = nil
  ) {
    self.files = files
    self.timeline = timeline
    self.keepGolden = keepGolden
  }
}
