import FileSystem
import FoundationEssentials
import Pages
import StructuredText
import Studies

/// The folder of a study: its plan, its shards, and what they come to.
struct StudyFolder {
  let path: String

  var planPath: String { "\(path)/plan.json" }
  var layoutPath: String { "\(path)/layout.json" }
  var shardsPath: String { "\(path)/shards" }
  var attemptsPath: String { "\(path)/attempts" }
  /// What the check of the study's scenario warned of, a line each; no such file where nothing.
  ///
  /// It is no part of the results, which do not depend on it.
  var warningsPath: String { "\(path)/warnings.txt" }
  /// What else the check said that the figures do not, as that nobody can die; likewise.
  var notesPath: String { "\(path)/notes.txt" }
  func result(_ name: String) -> String { "\(path)/results.\(name)" }
  func shard(_ name: String) -> String { "\(shardsPath)/\(name)" }

  /// Whether there is a study in the folder.
  var isPlanned: Bool {
    [planPath, layoutPath].allSatisfy { FileManager.default.fileExists(atPath: $0) }
  }

  /// A study that was planned, with the number of its shards.
  struct Planned {
    let study: StudyProtocol
    let shards: Int
  }

  /// Removes what processes of this machine that were killed left in the study's folders.
  func clean() {
    for folder in [path, shardsPath, attemptsPath] { OutdatedOutput.cleanOnce(folder) }
  }

  /// Keeps what the check of the scenario warned of and noted beside the plan.
  func keep(_ remarks: [TextProblem]) throws {
    try keep(remarks.filter { $0.severity == .warning }, in: warningsPath)
    try keep(remarks.filter { $0.severity == .note }, in: notesPath)
  }

  private func keep(_ remarks: [TextProblem], in file: String) throws {
    guard !remarks.isEmpty else {
      try? FileCalls.remove(file)
      return
    }
    var filter = ProblemFilter()
    let lines = filter.lines(remarks) + filter.rest
    try Files.write(lines.map { "\($0)\n" }.joined(), to: file)
  }

  /// What the check of the scenario warned of when the study was planned.
  func warnings() throws -> [String] { try lines(of: warningsPath) }

  /// What the check of the scenario noted when the study was planned.
  func notes() throws -> [String] { try lines(of: notesPath) }

  /// What the check of the scenario said, warnings first.
  func remarks() throws -> [String] { try warnings() + notes() }

  /// The page of what the study found, with what the check of its scenario said.
  func page(_ analysis: StudyAnalysis, _ digest: StudyDigest) throws -> StudyPage {
    StudyPage(analysis, digest: digest, warnings: try warnings(), notes: try notes())
  }

  private func lines(of file: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    return String(decoding: try Files.read(file), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Reads plan and layout.
  func load() throws -> Planned {
    try confirmPlanned()
    let bytes = try Files.read(planPath)
    let digest = StudyPlan.digest(of: bytes)
    let problems = ProblemList()
    guard let plan = StudyPlan(bytes, file: planPath, problems: problems) else {
      throw Failure(problems.sorted)
    }
    let version = Loopsim.version ?? ""
    guard plan.version == version else {
      throw Failure(
        .badInput,
        "\(planPath): the plan was made by version \(plan.version), this is \(version). Use that "
          + "version, or plan anew.")
    }
    guard let study = StudyProtocol(plan, digest: digest, problems: problems) else {
      throw Failure(problems.sorted)
    }
    let layoutBytes = try Files.read(layoutPath)
    guard let layout = StudyLayout(layoutBytes, file: layoutPath), layout.planDigest == digest
    else {
      throw Failure(
        .badInput,
        "\(layoutPath): this does not belong to plan.json: one of them was changed. Plan the study "
          + "anew in another folder.")
    }
    return Planned(study: study, shards: layout.shards)
  }

  /// Says what to do where the path is not that of a folder with a plan.
  private func confirmPlanned() throws(Failure) {
    guard let isFolder = Files.isFolder(path) else {
      throw Failure(.badInput, "There is no folder \"\(path)\". Check the path.")
    }
    guard isFolder else {
      throw Failure(
        .badInput,
        "\"\(path)\" is a file, where the folder of a study is wanted. Do the study of a scenario "
          + "with: \(ShellWord.line(["loopsim", "study", path]))")
    }
    guard FileManager.default.fileExists(atPath: planPath) else {
      throw Failure(
        .badInput,
        "\"\(path)\" holds no study: there is no plan.json. Plan one there with: "
          + "\(ShellWord.line(["loopsim", "study", "plan"])) SCENARIO "
          + "\(ShellWord.line(["--out", path]))")
    }
  }

  /// Puts plan and layout into a folder that has none, or has the same.
  func begin(_ plan: StudyPlan, shards: Int) throws -> String {
    let bytes = plan.bytes
    let digest = StudyPlan.digest(of: bytes)
    clean()
    let isPlanned = FileManager.default.fileExists(atPath: planPath)
    if !isPlanned, let stranger {
      throw Failure(
        .badInput,
        "\(path) holds \(stranger) and no study, which would be lost. Move it, or choose another "
          + "folder.")
    }
    for folder in [path, shardsPath, attemptsPath] { try Files.makeFolder(folder) }
    if isPlanned {
      let former = try Files.read(planPath)
      guard former == bytes, let planned = try? load() else {
        throw Failure(
          .badInput,
          "\(path) holds another plan already. A plan never changes: choose another folder.")
      }
      guard planned.shards == shards else {
        throw Failure(
          .badInput,
          "\(path) holds this plan already, in \(WordList.counted(planned.shards, "shard")) and "
            + "not in \(shards). Give --shards \(planned.shards), or choose another folder.")
      }
      return digest
    }
    try Files.write(
      Array(StudyLayout(shards: shards, planDigest: digest).text.utf8), to: layoutPath)
    try Files.write(bytes, to: planPath)
    return digest
  }

  /// A file in place of which a study would put one of its own, or which it would remove; `nil` if
  /// there is none.
  ///
  /// The layout is written before the plan: without a plan it is that of a study whose planning was
  /// interrupted.
  private var stranger: String? {
    NewFolder.names(in: path).sorted().first { name in
      let place = "\(path)/\(name)"
      if place == layoutPath {
        return StudyLayout((try? Files.read(place)) ?? [], file: place) == nil
      }
      return [warningsPath, notesPath].contains(place) || place.hasPrefix(result(""))
    }
  }

  /// What is known of a shard's files.
  enum ShardState: Equatable {
    case complete(ShardManifest)
    case missing
    /// A file is there and wrong: the sentence says which.
    case damaged(String)
  }

  /// Looks at a shard; with `hashing` its rows are read and their digest compared.
  func state(of shard: Int, in planned: Planned, hashing: Bool) throws -> ShardState {
    let stem = ShardManifest.stem(shard, of: planned.shards)
    let place = self.shard("\(stem).manifest.json")
    guard FileManager.default.fileExists(atPath: place) else { return .missing }
    let problems = ProblemList()
    guard let manifest = ShardManifest(try Files.read(place), file: place, problems: problems)
    else { return .damaged("\(place): this is no manifest of a shard") }
    if let mismatch = manifest.mismatch(
      with: planned.study.plan, planDigest: planned.study.digest, shard: shard,
      of: planned.shards)
    {
      return .damaged("\(place): \(mismatch)")
    }
    let rows = self.shard(manifest.rowsName)
    guard FileManager.default.fileExists(atPath: rows) else {
      return .damaged("\(rows): the file is missing that its manifest names")
    }
    guard hashing else { return .complete(manifest) }
    let bytes = try Files.read(rows)
    guard bytes.count == manifest.bytes, StudyPlan.digest(of: bytes) == manifest.digest else {
      return .damaged("\(rows): its content is not what its manifest says")
    }
    return .complete(manifest)
  }

  /// The shards that are not complete, and what is wrong with those that are damaged.
  func incomplete(
    in planned: Planned, hashing: Bool
  ) throws -> (missing: [Int], damaged: [String], complete: [ShardManifest]) {
    var missing: [Int] = []
    var damaged: [String] = []
    var complete: [ShardManifest] = []
    for shard in 0..<planned.shards {
      switch try state(of: shard, in: planned, hashing: hashing) {
      case .complete(let manifest): complete.append(manifest)
      case .missing: missing.append(shard)
      case .damaged(let sentence):
        missing.append(shard)
        damaged.append(sentence)
      }
    }
    return (missing, damaged, complete)
  }
}
