import Foundation
import TestSupport
import Testing

@testable import loopsim

@Suite("Files of the user in a folder of results")
struct ForeignFileTests {
  /// A folder with the user's file of a name.
  private func folder(with name: String, in scratch: Scratch) throws -> String {
    let out = scratch.file("out")
    try Files.makeFolder(out)
    try Files.write("mine", to: "\(out)/\(name)")
    return out
  }

  @Test(
    "None is removed or replaced by a study",
    arguments: ["notes.txt", "warnings.txt", "layout.json", "results.text.txt"])
  func besideStudy(name: String) async throws {
    let scratch = try StudyCommandTests().smallScratch()
    let out = try folder(with: name, in: scratch)
    for words in [["study", "plan"], ["study"]] {
      let result = await program(words + [scratch.file("study.json5"), "--out", out])
      #expect(result.code == 65)
      #expect(result.error.contains("holds \(name) and no study, which would be lost."))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == [name])
    #expect(try scratch.text(of: "out/\(name)") == "mine")
  }

  @Test("Planning that was interrupted is begun anew in the same folder")
  func interruptedPlan() async throws {
    let scratch = try StudyCommandTests().smallScratch()
    let out = scratch.file("out")
    let words = ["study", "plan", scratch.file("study.json5"), "--out", out]
    #expect(await program(words).code == 0)
    // The layout is written first, before the plan and what was said of it.
    for name in ["plan.json", "warnings.txt", "notes.txt"] {
      try? FileManager.default.removeItem(atPath: "\(out)/\(name)")
    }
    #expect(await program(words).code == 0)
  }

  @Test(
    "None is replaced by the tables and the page of a batch",
    arguments: ["runs.csv", "batch.json", "report.html"])
  func besideBatch(name: String) async throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'short', clock: { duration: '1h' }, random: { replicates: 2 },
        patient: { model: 'tidepool-simple', initialGlucose: 120, needs: {
          basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        output: { save: [] } }
      """, to: scratch.file("short.json5"))
    let out = try folder(with: name, in: scratch)
    let words = ["run", scratch.file("short.json5"), "--report", "--out", out]
    let result = await program(words)
    #expect(result.code != 0)
    #expect(result.error.contains("\(out)/\(name)"))
    #expect(result.error.contains("would be lost"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == [name])
    #expect(try scratch.text(of: "out/\(name)") == "mine")
    // What a batch has written gives way to the next.
    try FileManager.default.removeItem(atPath: "\(out)/\(name)")
    #expect(await program(words).code == 0)
    #expect(await program(words).code == 0)
  }
}
