import RunPlans
import Scenarios
import StructuredText

/// One run of a scenario file, chosen by its id.
struct RunSelection {
  let planned: PlannedRun
  /// What is worth knowing about the file; none of it is an error.
  let problems: [TextProblem]

  /// Reads a file and chooses a run of it.
  ///
  /// - Parameters:
  ///   - id: The run's id; may be left out where the file has one run.
  ///   - file: The scenario file.
  ///   - allowsOutside: Whether the scenario may name files outside its folder.
  ///   - isNamedInWord: Whether the run is named in one word with the file, and not with `--run`.
  /// - Throws: ``Failure`` when the file has no such run, with the nearest id.
  init(
    _ id: String?, in file: String, allowsOutside: Bool = false, isNamedInWord: Bool = false
  ) throws {
    let batch = ScenarioBatch([file], allowsOutside: allowsOutside)
    let errors = batch.problems.filter { $0.severity == .error }
    guard errors.isEmpty, let first = batch.runs.first else {
      throw Failure(
        batch.inputCode,
        errors.isEmpty
          ? "\(file) has no run." : errors.map(\.description).joined(separator: "\n"))
    }
    problems = batch.problems
    guard let id else {
      guard batch.runs.count == 1 else {
        let way =
          isNamedInWord
          ? "behind the file, such as \(ShellWord.quoted("\(file)@\(first.run.id)"))"
          : "with --run, such as --run \(ShellWord.quoted(first.run.id))"
        throw Failure(
          .usage, "\(file) has \(batch.runs.count) runs. Say which \(way); \(Self.list(of: file))")
      }
      planned = first
      return
    }
    guard let run = batch.runs.first(where: { $0.run.id == id }) else {
      throw Self.noRun(id, in: file, among: batch.runs.map(\.run.id))
    }
    planned = run
  }

  /// Says that a file has no run with an id, with the nearest of those that it has.
  static func noRun(_ id: String, in file: String, among ids: [String]) -> Failure {
    let near = NearestName.suggestion(for: id, among: ids)
    return Failure(.badInput, "\(file) has no run \"\(id)\".\(near) \(list(of: file))")
  }

  /// How to see the ids of the runs of a file.
  private static func list(of file: String) -> String {
    "\(ShellWord.line(["loopsim", "expand", "--list", file])) shows the ids."
  }

  /// The runs of a batch that have one of some ids, or stand below one, such as all patients of a
  /// variant; the whole batch when there are no ids.
  ///
  /// - Throws: ``Failure`` when a file can be read and no run has such an id, with the nearest one.
  static func runs(_ ids: [String], of batch: ScenarioBatch) throws -> ScenarioBatch {
    guard !ids.isEmpty, !batch.runs.isEmpty else { return batch }
    func isBelow(_ run: PlannedRun, _ id: String) -> Bool {
      run.run.id == id || run.run.id.hasPrefix("\(id)/")
    }
    for id in ids where !batch.runs.contains(where: { isBelow($0, id) }) {
      let near = NearestName.suggestion(for: id, among: batch.runs.map(\.run.id))
      throw Failure(
        .badInput, "There is no run \"\(id)\".\(near) loopsim expand --list FILE shows the ids.")
    }
    var chosen = batch
    chosen.runs = batch.runs.filter { run in ids.contains { isBelow(run, $0) } }
    var planned: [String: Int] = [:]
    for run in batch.runs { planned[run.file, default: 0] += 1 }
    for run in chosen.runs { planned[run.file, default: 0] -= 1 }
    for index in chosen.runs.indices {
      chosen.runs[index].isPart = planned[chosen.runs[index].file] != 0
    }
    return chosen
  }

  /// Refuses a place for output at which a file stands of which the scenario is made.
  func keepFiles(apartFrom outputs: [String?]) throws(Failure) {
    try Files.keep(files, apartFrom: outputs)
  }

  /// The files of which the scenario is made, itself first.
  var files: [String] { [planned.file] + planned.run.tree.files.sorted() }

  /// Builds the run.
  ///
  /// - Throws: ``Failure`` with the scenario's errors when it cannot be built.
  func build(seed: UInt64? = nil) throws -> BuiltRun {
    let list = ProblemList()
    if let built = RunBuilder.build(planned.run, seed: seed, problems: list) { return built }
    throw Failure(.badInput, list.sorted.map(\.description).joined(separator: "\n"))
  }
}
