internal import Determinism
public import StructuredText

/// A study that is fixed: everything its results depend on, in one file that never changes.
///
/// A *unit* is one patient and one replicate with all arms and points. Units are numbered by
/// patient and then by replicate; a shard is a range of them, so that no pair is ever divided.
public struct StudyPlan: Hashable, Sendable {
  /// The version of the file's format.
  public static let format = "loopsim-plan/1"
  /// The most shards of one study.
  public static let maximumShards = 100_000

  /// What a pilot showed, and what it asked for.
  public struct Pilot: Hashable, Sendable {
    /// How many patients it had; they are the first of the cohort and never analysed.
    public var patients: Int
    /// The standard deviation of its differences.
    public var deviation: Double
    /// Half the width of the interval that was asked for.
    public var halfWidth: Double
    /// The digest of its rows.
    public var rowsDigest: String

    /// Creates a `Pilot` from its parts; see the properties.
    public init(patients: Int, deviation: Double, halfWidth: Double, rowsDigest: String) {
      self.patients = patients
      self.deviation = deviation
      self.halfWidth = halfWidth
      self.rowsDigest = rowsDigest
    }
  }

  /// The version of loopsim that made the plan, and the only one that may carry it out.
  public var version: String
  /// The id of the study.
  public var id: String
  /// The title of the study.
  public var title: String
  /// The study's own file among ``files``.
  public var file: String
  /// Every text that the study is made from.
  public var files: FrozenFiles
  /// The seed of the scenario.
  public var seed: UInt64
  /// The patients of the cohort that belong to the study.
  public var firstPatient: Int
  /// How many patients take part.
  public var patients: Int
  /// How often each patient's days are repeated.
  public var replicates: Int
  /// The names of the arms.
  public var arms: [String]
  /// How many points the sweep has.
  public var points: Int
  /// The programs that have a part in the runs.
  public var programs: [StudyProgram] = []
  /// What a pilot showed; `nil` without one.
  public var pilot: Pilot?
  /// The digest of an earlier plan that this one goes on from, after its result was known.
  public var follows: String?

  /// Creates a `StudyPlan` from its parts; see the properties.
  public init(
    version: String, id: String, title: String, file: String, files: FrozenFiles, seed: UInt64,
    firstPatient: Int = 0, patients: Int, replicates: Int, arms: [String], points: Int
  ) {
    self.version = version
    self.id = id
    self.title = title
    self.file = file
    self.files = files
    self.seed = seed
    self.firstPatient = firstPatient
    self.patients = patients
    self.replicates = replicates
    self.arms = arms
    self.points = points
  }

  /// How many units there are.
  public var units: Int { patients * replicates }
  /// How many runs a unit has.
  public var runsPerUnit: Int { arms.count * points }
  /// How many runs there are.
  public var runs: Int { units * runsPerUnit }

  /// The units of a shard: contiguous, so that merging is joining.
  ///
  /// How many shards there are is no part of the plan: the results do not depend on it.
  public func units(ofShard shard: Int, of shards: Int) -> Range<Int> {
    assert(shards > 0 && shard >= 0 && shard < shards, "A plan has no shard beyond its count.")
    return (shard * units / shards)..<((shard + 1) * units / shards)
  }

  // MARK: - Bytes

  /// The plan's file.
  public var bytes: [UInt8] {
    var members: [JSONValue.Member] = [
      .init("format", .string(Self.format)),
      .init("version", .string(version)),
      .init("id", .string(id)),
      .init("title", .string(title)),
      .init("file", .string(file)),
      .init("seed", .string("\(seed)")),
      .init("first_patient", .integer(Int64(firstPatient))),
      .init("patients", .integer(Int64(patients))),
      .init("replicates", .integer(Int64(replicates))),
      .init("arms", .array(arms.map { .string($0) })),
      .init("points", .integer(Int64(points))),
      .init("units", .integer(Int64(units))),
      .init("runs", .integer(Int64(runs))),
    ]
    // Plans without programs keep the digests that they have always had.
    if !programs.isEmpty { members.append(.init("programs", .array(programs.map(\.json)))) }
    if let pilot {
      members.append(
        .init(
          "pilot",
          [
            "patients": .integer(Int64(pilot.patients)), "sd": .number(pilot.deviation),
            "half_width": .number(pilot.halfWidth), "rows_sha256": .string(pilot.rowsDigest),
          ]))
    }
    if let follows { members.append(.init("follows", .string(follows))) }
    members.append(.init("files", files.json))
    return JSONWriter().bytes(.object(members))
  }

  /// The digest of the plan's file: what a registry is given before anything runs.
  public static func digest(of bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }

  /// Reads a plan; what is wrong is reported, and `nil` is returned.
  public init?(_ bytes: [UInt8], file path: String, problems: ProblemList) {
    let reading = JSONReader.read(bytes, file: path)
    problems.add(reading.problems)
    guard let root = reading.root, !problems.hasErrors else { return nil }
    let field = JSONField(root, problems: problems)
    guard root.members != nil else {
      field.reportUnusable(expected: "a plan that loopsim study plan wrote")
      return nil
    }
    guard field.required("format").text() == Self.format else {
      field["format"].reportUnusable(expected: "\"\(Self.format)\", which this version reads")
      return nil
    }
    func count(_ key: String, _ range: ClosedRange<Int64>) -> Int? {
      field.required(key).integer(in: range).map(Int.init)
    }
    let most: Int64 = 100_000_000
    guard let version = field.required("version").text(), let id = field.required("id").text(),
      let title = field.required("title").text(), let file = field.required("file").text(),
      let seed = field.required("seed").text().flatMap({ UInt64($0) }),
      let first = count("first_patient", 0...most), let patients = count("patients", 1...most),
      let replicates = count("replicates", 1...1_000_000), let points = count("points", 1...most),
      let arms = field.required("arms").items()?.compactMap({ $0.text() }), !arms.isEmpty,
      let files = FrozenFiles(field.required("files"))
    else {
      if !problems.hasErrors { field.error("This is not a whole plan.") }
      return nil
    }
    self.init(
      version: version, id: id, title: title, file: file, files: files, seed: seed,
      firstPatient: first, patients: patients, replicates: replicates, arms: arms, points: points)
    // A product that is beyond every number is none that a plan has.
    let whole = [replicates, arms.count, points].reduce(patients) { product, factor in
      let (next, overflows) = product.multipliedReportingOverflow(by: factor)
      return overflows ? .max : next
    }
    guard count("runs", 1...most) == whole else {
      field["runs"].error("The numbers of the plan do not fit together: it is damaged.")
      return nil
    }
    let known = field["programs"].exists ? field["programs"].items() ?? [] : []
    programs = known.compactMap { StudyProgram($0) }
    guard programs.count == known.count else {
      if !problems.hasErrors { field["programs"].error("These are not the programs of a plan.") }
      return nil
    }
    follows = field["follows"].exists ? field["follows"].text() : nil
    let pilot = field["pilot"]
    if pilot.exists, let count = pilot.required("patients").integer(in: 1...most),
      let deviation = pilot.required("sd").number(),
      let width = pilot.required("half_width").number(),
      let digest = pilot.required("rows_sha256").text()
    {
      self.pilot = Pilot(
        patients: Int(count), deviation: deviation, halfWidth: width, rowsDigest: digest)
    }
  }
}
