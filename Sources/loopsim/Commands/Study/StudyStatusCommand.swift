import Arguments
import FoundationEssentials
import StructuredText
import Studies

/// Says which shards of a study are there.
struct StudyStatusCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue { case text, list, json }

  static let name = "status"
  static let abstract = "Say how far a study has come."
  static let discussion = """
    Counts only: nothing of an outcome is shown before the study is whole. With --format list the \
    missing shards are printed as schedulers take them, such as 3,7-9. A shard whose rows are not \
    those of its manifest is damaged, and counts as missing. The exit code is 3 while shards are \
    missing, 0 when none is.
    """

  var folder = ""
  var format = Format.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("dir", \.folder, help: "The folder of the study.")
    it.option("format", \.format, help: "How to print it.")
  }

  func run(to console: any Console) async throws {
    let place = StudyFolder(path: folder)
    let planned = try place.load()
    let states = try place.incomplete(in: planned, hashing: true)
    let cases = states.complete.reduce(0) { $0 + $1.cases }
    let failed = states.complete.reduce(0) { $0 + $1.failed }
    let isMerged = FileManager.default.fileExists(atPath: place.result("manifest.json"))
    switch format {
    case .list:
      if !states.missing.isEmpty { console.print(ShardList.text(states.missing)) }
    case .json:
      let value: JSONValue = [
        "shards": .integer(Int64(planned.shards)),
        "complete": .integer(Int64(states.complete.count)),
        "missing": .array(states.missing.map { .integer(Int64($0)) }),
        "damaged": .array(states.damaged.map { .string($0) }),
        "cases": .integer(Int64(cases)), "failed": .integer(Int64(failed)),
        "runs": .integer(Int64(planned.study.plan.runs)), "merged": .bool(isMerged),
        "plan_sha256": .string(planned.study.digest),
      ]
      console.write(InertText.json(JSONWriter().line(value)) + "\n", to: .output)
    case .text:
      console.print(
        "\(planned.study.plan.id): \(states.complete.count) of "
          + "\(WordList.counted(planned.shards, "shard")), \(cases) "
          + "of \(WordList.counted(planned.study.plan.runs, "run")), \(failed) failed"
          + (isMerged ? Self.merged(missing: states.missing.count) : ""))
      if !states.missing.isEmpty {
        console.print("missing  \(ShardList.text(states.missing))")
      }
    }
    for sentence in states.damaged { console.note("Error: \(sentence)") }
    if !states.missing.isEmpty { throw CommandLineError.exit(.incomplete) }
  }

  /// What is told of results: where shards are missing now, that they are of all of them.
  private static func merged(missing: Int) -> String {
    missing == 0 ? ", merged" : ", merged while all shards were there"
  }
}
