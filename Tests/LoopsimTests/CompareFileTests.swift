import Foundation
import Testing

@testable import loopsim

@Suite("The command compare, of single files of a result")
struct CompareFileTests {
  /// A result of one run, and a copy of its summary with another mean.
  private func folder() async throws -> Scratch {
    let scratch = try Scratch()
    try Files.write(scenario(), to: scratch.file("night.json5"))
    _ = await program(["run", scratch.file("night.json5"), "--quiet", "--out", scratch.file("one")])
    let summary = try #require(
      String(bytes: try Files.read(scratch.file(Self.summary)), encoding: .utf8))
    let other = try #require(summary.firstRange(of: "\"mean_mgdL\": "))
    try FileManager.default.createDirectory(
      atPath: scratch.file("other"), withIntermediateDirectories: false)
    try Files.write(
      summary.replacingCharacters(in: other, with: "\"mean_mgdL\": 1"),
      to: scratch.file("other/summary.json"))
    return scratch
  }

  private static let summary = "one/quiet-night/summary.json"

  @Test("A summary, a ledger, settings and records of answers are taken as what they are")
  func documents() async throws {
    let scratch = try await folder()
    for name in ["summary.json", "ledger.json", "settings.json"] {
      let file = scratch.file("one/quiet-night/\(name)")
      let told = await program(["compare", file, file])
      #expect(told.code == 0, "\(name): \(told.error)")
      #expect(told.output.hasSuffix("same\n"), "\(told.output)")
    }
    let different = await program(
      ["compare", scratch.file(Self.summary), scratch.file("other/summary.json")])
    #expect(different.code == 1, "\(different.error)")
    #expect(different.output.contains("glucose.mean_mgdL"), "\(different.output)")
    #expect(different.output.hasSuffix("different\n"))
  }

  @Test("Of figures alone no tolerance decides")
  func tolerance() async throws {
    let scratch = try await folder()
    let told = await program(
      ["compare", scratch.file(Self.summary), scratch.file("other/summary.json")]
        + ["--tolerance", "0.1"])
    #expect(told.code == 64)
    #expect(told.error.contains("A tolerance is for the columns of tables"), "\(told.error)")
  }

  @Test("What is written of a whole batch is taken for no scenario, and its table is named")
  func batch() async throws {
    let scratch = try await folder()
    let file = scratch.file("one/batch.json")
    for words in [
      [file, file], [scratch.file("one/quiet-night"), file], ["\(file)@night", file],
    ] {
      let told = await program(["compare"] + words)
      #expect(told.code == 65)
      // Its first key, in the second line.
      #expect(
        told.error.hasPrefix("\(file):2:13: error: A number as \"format\" is of a file"),
        "\(told.error)")
      #expect(told.error.contains("tables, such as runs.csv beside it."), "\(told.error)")
    }
    let table = scratch.file("one/runs.csv")
    #expect(await program(["compare", table, table]).code == 0)
    // Whoever writes a number into a scenario is told what to write, as by every command.
    let scenario = scratch.file("number.json5")
    try Files.write("{ format: 1, id: 'number', patient: {} }", to: scenario)
    let told = await program(["compare", scenario, table])
    #expect(told.code == 65)
    #expect(
      told.error.contains("\(scenario):1:11: error: The format must be 'loopsim/1', not 1."),
      "\(told.error)")
  }

  @Test("A scenario may be called as a result's file is")
  func scenarioOfThatName() async throws {
    let scratch = try await folder()
    try Files.write(scenario(), to: scratch.file("settings.json"))
    let told = await program(
      ["compare", scratch.file("one/quiet-night"), scratch.file("settings.json")])
    #expect(told.code == 0, "\(told.output)\(told.error)")
  }
}
