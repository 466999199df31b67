import Foundation
import Testing

@testable import loopsim

/// What a batch leaves of the batches before it, and of its runs.
@Suite("Results of a batch")
struct FormerResultsTests {
  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test("With --clean results of former batches go, and nothing else does")
  func cleans() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    try Files.write(
      scenario().replacing("expect: [", with: "variants: { a: {}, b: {} }, expect: ["), to: file)
    #expect(await program(["run", file, "--quiet", "--report", "--out", out]).code == 0)
    #expect(exists(out + "/quiet-night/b/summary.json") && exists(out + "/report.html"))
    // Notes and a folder of results at another place are nobody's former results.
    try Files.write("mine", to: out + "/notes.txt")
    try FileManager.default.copyItem(
      atPath: out + "/quiet-night/b", toPath: out + "/kept-by-hand")
    try Files.write(scenario(), to: file)
    let again = await program(["run", file, "--quiet", "--out", out, "--clean"])
    #expect(again.code == 0, "\(again.error)")
    #expect(exists(out + "/quiet-night/summary.json"))
    #expect(!exists(out + "/quiet-night/a") && !exists(out + "/quiet-night/b"))
    #expect(!exists(out + "/report.html"))
    #expect(exists(out + "/notes.txt") && exists(out + "/kept-by-hand/summary.json"))
    // The way back: the result of a run whose name begins the names of others.
    try Files.write(
      scenario().replacing("expect: [", with: "variants: { a: {}, b: {} }, expect: ["), to: file)
    #expect(await program(["run", file, "--quiet", "--out", out, "--clean"]).code == 0)
    #expect(!exists(out + "/quiet-night/summary.json"))
    #expect(exists(out + "/quiet-night/a/summary.json"))
    let part = await program(["run", file, "--out", out, "--clean", "--shard", "1/2"])
    #expect(part.code == 64 && part.error.contains("--clean is for a whole batch"))
  }

  /// A batch that is refused writes no tables, and those of another batch would be left alone.
  @Test(
    "A batch that is refused as a whole removes nothing, and says whose tables are beside it",
    arguments: [
      "{", "{ format: 'loopsim/1', id: 'broken', patient: { modell: 'uva-padova-s2008' } }",
    ])
  func keepsWhereNothingReplaces(text: String) async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    try Files.write(scenario(), to: file)
    #expect(await program(["run", file, "--quiet", "--out", out]).code == 0)
    try Files.write(text, to: scratch.file("broken.json5"))
    for more in [[], ["--clean"]] {
      let words = ["run", scratch.file("broken.json5"), "--out", out] + more
      let refused = await program(words)
      #expect(refused.code == 65)
      #expect(
        refused.error.contains("runs.csv and batch.json in \(out) are of an earlier batch."),
        "\(refused.error)")
      #expect(exists(out + "/quiet-night/summary.json"))
    }
    let nothing = await program(["run", scratch.file("broken.json5"), "--out", out + "2"])
    #expect(!nothing.error.contains("earlier batch") && !exists(out + "2"))
  }

  @Test("Predictions are kept every half hour, and all of them when that is asked for")
  func keepsPredictions() async throws {
    let scratch = try Scratch()
    let file = scratch.file("night.json5")
    func cycles(_ text: String) async throws -> [String: Int] {
      try Files.write(text, to: file)
      let out = scratch.file("out")
      let run = await program(["run", file, "--quiet", "--out", out])
      #expect(run.code == 0, "\(run.error)")
      let bytes = try Files.read(out + "/quiet-night/predictions.csv")
      var counts: [String: Int] = [:]
      for row in String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst() {
        counts[String(row.split(separator: ",")[0]), default: 0] += 1
      }
      return counts
    }
    let thinned = try await cycles(scenario())
    let whole = try await cycles(
      scenario().replacing("expect: [", with: "output: { save: ['predictions'] }, expect: ["))
    #expect(thinned.count >= 4 && thinned.count <= 5)
    #expect(whole.count > 24)
    // A value each five minutes in place of each half hour.
    let first = try #require(thinned.keys.min())
    let (few, all) = (try #require(thinned[first]), try #require(whole[first]))
    #expect(all > 60 && (all + 5) / 6 == few)
  }
}
