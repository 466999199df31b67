internal import Determinism
public import StructuredText

/// The names of a shard's files and what its manifest says.
public struct ShardManifest: Hashable, Sendable {
  /// The version of the manifest's format.
  static let format: Int64 = 1

  /// The number of the shard.
  public var shard: Int
  /// How many shards there are.
  public var shards: Int
  /// The digest of the plan.
  public var planDigest: String
  /// The number of the first case.
  public var firstCase: Int
  /// How many cases it has.
  public var cases: Int
  /// How many of them failed.
  public var failed: Int
  /// The size of the file with the rows, in bytes.
  public var bytes: Int
  /// The digest of the rows.
  public var digest: String

  /// Creates a `ShardManifest` from its parts; see the properties.
  public init(
    shard: Int, shards: Int, planDigest: String, firstCase: Int, cases: Int, failed: Int,
    bytes: Int, digest: String
  ) {
    self.shard = shard
    self.shards = shards
    self.planDigest = planDigest
    self.firstCase = firstCase
    self.cases = cases
    self.failed = failed
    self.bytes = bytes
    self.digest = digest
  }

  /// The beginning of the names of a shard's files: `00003-of-00008`.
  public static func stem(_ shard: Int, of shards: Int) -> String {
    "\(digits(shard))-of-\(digits(shards))"
  }

  private static func digits(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, 5 - text.count)) + text
  }

  /// The name of the file with the rows.
  public var rowsName: String { Self.stem(shard, of: shards) + ".cases.csv" }
  /// The name of the file with the manifest.
  public var name: String { Self.stem(shard, of: shards) + ".manifest.json" }

  /// The manifest's file: one line, the same from every attempt.
  public var text: String {
    let value: JSONValue = [
      "cases": .integer(Int64(cases)), "failed": .integer(Int64(failed)),
      "files": [
        [
          "bytes": .integer(Int64(bytes)), "name": .string(rowsName),
          "rows": .integer(Int64(cases)), "sha256": .string(digest),
        ]
      ],
      "first_case": .integer(Int64(firstCase)), "format": .integer(Self.format),
      "of": .integer(Int64(shards)), "plan_sha256": .string(planDigest),
      "shard": .integer(Int64(shard)),
    ]
    return JSONWriter().line(value) + "\n"
  }

  /// Reads a manifest; what is wrong is reported, and `nil` is returned.
  public init?(_ bytes: [UInt8], file: String, problems: ProblemList) {
    let reading = JSONReader.read(bytes, file: file)
    problems.add(reading.problems)
    guard let root = reading.root, !problems.hasErrors else { return nil }
    let field = JSONField(root, problems: problems)
    let most: Int64 = 1 << 53
    func count(_ field: JSONField) -> Int? { field.integer(in: 0...most).map(Int.init) }
    let entry = field.required("files")[0]
    guard field.required("format").integer(in: Self.format...Self.format) != nil,
      let shard = count(field.required("shard")), let shards = count(field.required("of")),
      let digest = field.required("plan_sha256").text(),
      let first = count(field.required("first_case")), let cases = count(field.required("cases")),
      let failed = count(field.required("failed")), let size = count(entry.required("bytes")),
      let rows = entry.required("sha256").text()
    else {
      if !problems.hasErrors { field.error("This is no whole manifest of a shard.") }
      return nil
    }
    self.init(
      shard: shard, shards: shards, planDigest: digest, firstCase: first, cases: cases,
      failed: failed, bytes: size, digest: rows)
  }

  /// Why the manifest is not that of a shard of a plan, in a sentence; `nil` where it is.
  public func mismatch(
    with plan: StudyPlan, planDigest: String, shard: Int, of shards: Int
  ) -> String? {
    if self.planDigest != planDigest { return "it belongs to another plan" }
    let units = plan.units(ofShard: shard, of: shards)
    guard self.shard == shard, self.shards == shards,
      firstCase == units.lowerBound * plan.runsPerUnit, cases == units.count * plan.runsPerUnit
    else { return "its numbers are not those of shard \(shard)" }
    return nil
  }
}

/// Numbers of shards as a scheduler takes them: `3,7-9`.
public enum ShardList {
  /// The text of ascending numbers.
  public static func text(_ numbers: [Int]) -> String {
    var parts: [String] = []
    var index = 0
    while index < numbers.count {
      var end = index
      while end + 1 < numbers.count, numbers[end + 1] == numbers[end] + 1 { end += 1 }
      parts.append(
        end == index ? "\(numbers[index])" : "\(numbers[index])-\(numbers[end])")
      index = end + 1
    }
    return parts.joined(separator: ",")
  }

  /// The numbers of a text; `nil` where it is none.
  public static func numbers(_ text: String) -> [Int]? {
    var numbers: [Int] = []
    for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
        first >= 0, last >= first, last - first < StudyPlan.maximumShards
      else { return nil }
      numbers += Array(first...last)
    }
    return numbers
  }
}
