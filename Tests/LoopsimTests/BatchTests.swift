import Expectations
import Foundation
import Scenarios
import StructuredText
import Testing

@testable import loopsim

@Suite("Batches of scenarios")
struct BatchTests {
  /// A folder with scenarios of the ids given, in files named by their place.
  private func folder(_ ids: [String]) throws -> Scratch {
    let scratch = try Scratch()
    for (place, id) in ids.enumerated() {
      let text = scenario().replacing("quiet-night", with: id)
      try Files.write(text, to: scratch.file("\(place + 100).json5"))
    }
    return scratch
  }

  @Test("A scenario with the id of another is refused with its place; the others run")
  func sharedID() async throws {
    let scratch = try folder(["one", "two", "one"])
    let out = scratch.file("out")
    let folder = scratch.url.path
    let result = await program(["run", folder, "--out", out])
    #expect(result.code == 65)
    #expect(result.error.contains("102.json5:"))
    #expect(result.error.contains("The id \"one\" is that of \(folder)/100.json5 too"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out).sorted()
        == ["batch.json", "one", "runs.csv", "two"])
    #expect(result.output.contains("3 runs, 4 expectations hold, 1 fail."))
    #expect(await program(["check", folder]).code == 65)
    // A file that is named beside its folder is the same file.
    let file = scratch.file("101.json5")
    let named = await program(["run", file, file, "--out", scratch.file("again")])
    #expect(named.code == 0)
  }

  @Test("Files read on all processors are those read one after the other")
  func readsInOrder() async throws {
    let scratch = try folder((0..<80).map { "s\($0)" })
    try Files.write("{ format: 'loopsim/1', id: 'bad' ", to: scratch.file("140a.json5"))
    try Files.write("{ format: 'loopsim/1', id: 'worse', x: 1 }", to: scratch.file("150a.json5"))
    let files = try ScenarioFolder.files([scratch.url.path])
    let together = await ScenarioBatch.reading(files)
    let alone = ScenarioBatch(files)
    #expect(files.count == 82)
    #expect(together.runs.map(\.run.id) == alone.runs.map(\.run.id))
    #expect(together.runs.map(\.unit) == alone.runs.map(\.unit))
    #expect(together.problems == alone.problems)
    #expect(!alone.problems.isEmpty)
    #expect(together.unreadable.map(\.file) == alone.unreadable.map(\.file))
  }

  @Test("Stopping at the first failure leaves nothing of what comes after it")
  func failsFast() async throws {
    let scratch = try folder((0..<12).map { "s\($0)" })
    let text = scenario(expectedUnits: 9).replacing("quiet-night", with: "wrong")
    try Files.write(text, to: scratch.file("103a.json5"))
    let out = scratch.file("out")
    let result = await program(["run", scratch.url.path, "--fail-fast", "--out", out])
    #expect(result.code == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out).sorted()
        == ["batch.json", "runs.csv", "s0", "s1", "s2", "s3", "wrong"])
  }
}
