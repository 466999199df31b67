import Arguments

/// What the command line says of programs that files name.
struct ProgramOptions {
  /// Whether they may be started.
  var isAllowed = false
  /// Whether each run gets programs of its own.
  var areFresh = false

  /// Describes the flags of a command that starts programs for many runs; the help says what it
  /// does without consent.
  static func describe<Root>(
    _ it: inout Parameters<Root>, at path: WritableKeyPath<Root, ProgramOptions>,
    consent: String = ProgramDesk.help
  ) {
    it.flag("allow-programs", path.appending(path: \.isAllowed), help: consent)
    it.flag(
      "fresh-programs", path.appending(path: \.areFresh),
      help: "Start programs anew for every run, also those that can be reused.")
  }

  /// Describes the folder from which the programs of a planned study are started.
  static func describeFolder<Root>(
    _ it: inout Parameters<Root>, at path: WritableKeyPath<Root, String>
  ) {
    it.option(
      "programs", path, valueName: "folder",
      help: "The folder of the study's file, from which its programs are started.")
  }

  /// Says where programs are to be started anew, and none takes part, that this has no effect.
  func noteWhereIdle(_ hasProgram: Bool, on console: any Console) {
    guard areFresh, !hasProgram else { return }
    console.note("--fresh-programs has no effect: no program takes part.")
  }

  /// The programs that wait for another run; `nil` where every run gets its own.
  var pool: ProgramPool? { areFresh ? nil : ProgramPool() }
}
