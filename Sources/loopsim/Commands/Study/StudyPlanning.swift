import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Studies
import Synchronization

/// Makes a plan from a study's file.
struct StudyPlanning {
  var plan: StudyPlan
  /// A run of each arm, built.
  let arms: [BuiltRun]
  /// Warnings and notes of the file.
  let remarks: [TextProblem]
  /// The files that the study is made from.
  let inputs: [String]

  /// Reads and checks the file, and keeps every text it is made from.
  init(_ file: String, isStrict: Bool, allowsOutside: Bool = false) throws {
    let files = RecordedFiles()
    var reader = ScenarioReader(files: files, root: nil, allowsOutside: allowsOutside)
    let problems = ProblemList()
    let runs = ScenarioCheck.plan(file, reader: &reader, problems: problems)
    let isStopped = problems.sorted.contains { $0.severity.stops(isStrict) }
    guard !isStopped, let runs else {
      if let runs { ScenarioCheck.build(Self.arms(of: runs), of: runs, problems: problems) }
      let stops = problems.sorted.filter { $0.severity.stops(isStrict) }
      throw Failure(stops.isEmpty ? problems.sorted : stops)
    }
    guard runs.study != nil else {
      throw Failure(
        .badInput,
        "\(file): this scenario has no block \"study\". Add one, or use loopsim run.")
    }
    let built = try Self.build(runs)
    arms = built.arms
    let warned = built.problems.filter { $0.severity.stops(isStrict) }
    guard warned.isEmpty else { throw Failure(warned) }
    let folder = FilePath.folder(of: FilePath.normalised(file))
    inputs = files.texts.map(\.path)
    let texts = files.texts.map { path, text in
      FrozenFiles.File(
        path: FilePath.relative(FilePath.normalised(path), from: folder), text: text)
    }
    plan = StudyPlan(
      of: runs, file: FilePath.relative(FilePath.normalised(file), from: folder),
      files: FrozenFiles(texts), version: Loopsim.version ?? "")
    let known = problems.sorted
    remarks = known + built.problems.filter { !known.contains($0) }
    // The plan must stand alone, wherever it is carried out.
    let alone = ProblemList()
    guard StudyProtocol(plan, digest: "", problems: alone) != nil else {
      throw Failure(
        .badInput,
        "\(file): the study cannot be read from its plan alone. Name its files by paths from the "
          + "files that name them.\n"
          + alone.sorted.map(\.description).joined(separator: "\n"))
    }
  }

  /// The plan with the programs that have a part in its runs.
  ///
  /// - Throws: ``Failure`` where one of them may not or cannot be started.
  func greeting(_ programs: StudyPrograms) throws -> StudyPlanning {
    var planning = self
    planning.plan.programs = try programs.greeted(by: arms)
    return planning
  }

  /// One case of each arm.
  private static func arms(of runs: RunPlan) -> [ExpandedRun] {
    runs.variantNames.indices.map { runs.run(variant: $0, point: 0, patient: 0, replicate: 0) }
  }

  /// Builds the cases of a study, one of each patient in each arm, so that what cannot be built is
  /// said before anything runs; in a large study as many of them as are checked one by one.
  ///
  /// What is worth knowing of a run is told once.
  ///
  /// - Returns: A case of each variant, and what was found.
  private static func build(
    _ runs: RunPlan
  ) throws -> (arms: [BuiltRun], problems: [TextProblem]) {
    var found: [TextProblem] = []
    let warnings = PlanWarnings(of: runs)
    func build(variant: Int, point: Int, patient: Int) throws -> BuiltRun? {
      let problems = ProblemList()
      let run = runs.run(variant: variant, point: point, patient: patient, replicate: 0)
      let built = RunBuilder.build(run, problems: problems)
      if problems.hasErrors { throw Failure(problems.sorted) }
      found += warnings.holding(problems.sorted, of: run).filter { !found.contains($0) }
      return built
    }
    let variants = runs.variantNames.indices
    var arms: [BuiltRun] = []
    for variant in variants {
      if let built = try build(variant: variant, point: 0, patient: 0) { arms.append(built) }
    }
    let perPatient = variants.count * runs.pointCount
    for number in arms.count..<max(arms.count, ScenarioCheck.maximumRuns) {
      let (patient, arm) = number.quotientAndRemainder(dividingBy: perPatient)
      guard patient < runs.patientCount else { break }
      let (point, variant) = arm.quotientAndRemainder(dividingBy: variants.count)
      _ = try build(variant: variant, point: point, patient: patient)
    }
    return (arms, found)
  }

  /// Where a study goes unless a folder is named: beside other results that are not kept, and not
  /// among those that are.
  static let folderHelp =
    "The folder of the study; \(KeptResult.passing)/studies/ID unless given."

  /// The folder of that place for this study.
  var folder: String { "\(KeptResult.passing)/studies/\(plan.id)" }

  /// Refuses a number of shards that no study has.
  static func check(shards: Int?) throws(Failure) {
    guard let shards, !(1...StudyPlan.maximumShards).contains(shards) else { return }
    throw Failure(.usage, "The number of shards must be from 1 to \(StudyPlan.maximumShards).")
  }

  /// How many shards a study gets that does not say: enough that a lost one costs little.
  static func shards(for plan: StudyPlan) -> Int {
    min(plan.units, max(1, min(64, plan.runs / 8)))
  }
}

/// The files of this machine, with a record of those that were read.
final class RecordedFiles: ScenarioFiles {
  private let files = MachineFiles()
  private let read = Mutex<[String: String]>([:])

  /// The texts that were read, by path.
  var texts: [(path: String, text: String)] {
    read.withLock { read in read.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    let bytes = try files.bytes(of: path)
    read.withLock { $0[path] = String(decoding: bytes, as: UTF8.self) }
    return bytes
  }

  func canonicalPath(of path: String) -> String { files.canonicalPath(of: path) }
}
