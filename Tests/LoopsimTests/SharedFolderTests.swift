import Foundation
import Testing

@testable import loopsim

/// Folders of results in which other batches wrote, or were killed.
@Suite("Folders of results that others write to")
struct SharedFolderTests {
  private static let scenario = """
    { format: 'loopsim/1', id: 'day', clock: { duration: '1h' }, random: { replicates: 3 },
      patient: { model: 'tidepool-simple', initialGlucose: 120, needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      cgm: { model: 'ar1', noise: { sd: 4, phi: 0.7 } } }
    """

  /// A folder with the results of a batch of three runs, and the batch.
  private func batch() async throws -> (scratch: Scratch, files: BatchFiles) {
    let scratch = try Scratch()
    try Files.write(Self.scenario, to: scratch.file("day.json5"))
    var files = BatchFiles(shard: nil)
    let read = await ScenarioBatch.reading([scratch.file("day.json5")])
    _ = try await ScenarioBatch.carryOut(read.runs, jobs: 1, seed: nil) { finished in
      try RunFolder.write(finished, into: scratch.file("out/\(finished.id)"))
      files.add(finished)
      return true
    }
    return (scratch, files)
  }

  @Test("A batch whose results another replaced or removed meanwhile says so")
  func confirms() async throws {
    let (scratch, files) = try await batch()
    let out = scratch.file("out")
    try files.confirm(below: out)
    try FileManager.default.removeItem(atPath: "\(out)/day/r1")
    #expect {
      try files.confirm(below: out)
    } throws: { error in
      "\(error)".hasPrefix("Of 3 results 1 is gone, or not of this batch: \(out)/day/r1. ")
        && ExitCode(classifying: error) == .inputOutput
    }
    let words = ["run", scratch.file("day.json5"), "--out", out, "--seed", "8", "--run", "day/r0"]
    #expect(await program(words).code == 0)
    #expect {
      try files.confirm(below: out)
    } throws: { error in
      "\(error)".hasPrefix("Of 3 results 2 are gone, or not of this batch: \(out)/day/r0, ")
    }
  }

  /// What a killed process left has the rows until then, and perhaps half a row.
  @Test("What a killed batch left unfinished is no result")
  func leavesUnfinished() async throws {
    let (scratch, _) = try await batch()
    let out = scratch.file("out")
    let whole = try scratch.text(of: "out/day/r1/timeline.csv")
    let left = "\(out)/day/.r1.partial-1@elsewhere"
    try FileManager.default.moveItem(atPath: "\(out)/day/r1", toPath: left)
    try Files.write(String(whole.prefix(700)), to: "\(left)/timeline.csv")
    let measured = await program(["outcomes", out, "--metric", "mean", "--no-chart"])
    #expect(measured.code == 0, "\(measured)")
    #expect(measured.output.contains("day/r0/timeline.csv"))
    #expect(measured.output.contains("day/r2/timeline.csv"))
    #expect(!measured.output.contains("r1"))
    let report = await program(["report", out])
    #expect(report.code == 65)
    #expect(report.error.contains("day/r0") && !report.error.contains("r1"), "\(report.error)")
  }

  @Test("A batch that is cut short says that the tables beside it are those of an earlier one")
  func tellsOfEarlierTables() async throws {
    let scratch = try Scratch()
    try Files.write(Self.scenario, to: scratch.file("day.json5"))
    let words = ["run", scratch.file("day.json5"), "--out", scratch.file("out"), "-j1"]
    #expect(await program(words).code == 0)
    #expect(BatchFiles(shard: Shard("1/2")).formerWords(in: scratch.file("out")) == nil)
    // A folder in which something else lies does not give way.
    try Files.write("mine", to: scratch.file("out/day/r2/notes.txt"))
    let again = await program(words + ["--seed", "8"])
    #expect(again.code == 74)
    let out = scratch.file("out")
    #expect(
      again.error.contains("runs.csv and batch.json in \(out) are of an earlier batch."),
      "\(again.error)")
    try FileManager.default.removeItem(atPath: scratch.file("out/batch.json"))
    #expect(
      BatchFiles(shard: nil).formerWords(in: out) == "runs.csv in \(out) is of an earlier batch.")
  }
}
