import Foundation
import TestSupport
import Testing

@testable import loopsim

@Suite("What is wrong with a cohort is told once, and of those whom it concerns")
struct CohortErrorTests {
  private static let clock = "clock: { duration: '30m', start: '2026-01-15T08:00:00' }"

  private func errors(of body: String, in scratch: borrowing Scratch) async throws -> [String] {
    let file = scratch.file("a.json5")
    try Files.write("{ format: 'loopsim/1', \(Self.clock), \(body) }", to: file)
    let check = await program(["check", file])
    let lines = check.output.split(separator: "\n").map(String.init)
    return lines.compactMap { line in
      line.range(of: "error: ").map { String(line[$0.upperBound...]) }
    }
  }

  @Test(
    "A mistake in the block has one error, and nothing is missing that the cohort would have set",
    arguments: [
      ("n: 3", "", "\"cohort.generate.model\" is missing; it must be 'hovorka'."),
      ("model: 'hovorka'", "", "\"cohort.generate.n\" is missing; it must be "),
      ("model: 'hovorka', n: 0", "", "\"cohort.generate.n\" must be a whole number from 1 to "),
      (
        "model: 'hovorka', n: 0", ", patient: { floor: { glucose: 20 } }",
        "\"cohort.generate.n\" must be a whole number from 1 to "
      ),
    ])
  func blockErrors(generate: String, patient: String, sentence: String) async throws {
    let scratch = try Scratch()
    let found = try await errors(
      of: "id: 'a', cohort: { generate: { \(generate) } }\(patient)", in: scratch)
    #expect(found.count == 1 && found[0].hasPrefix(sentence), "\(found)")
  }

  @Test("A key of a table beside generated bodies is known, and has no meaning there")
  func tableBesideModel() async throws {
    let scratch = try Scratch()
    let found = try await errors(
      of: "id: 'a', cohort: { generate: { model: 'hovorka', n: 2 }, take: 2, form: 'x' }",
      in: scratch)
    #expect(
      found == [
        "\"cohort.take\" belongs to a table, and beside \"generate\" there is none. Remove one of "
          + "them.",
        "\"form\" is not a known key in \"cohort\". Did you mean \"from\"?",
      ])
  }

  @Test("Variants that are no object are told of once")
  func variants() async throws {
    let scratch = try Scratch()
    let found = try await errors(of: "id: 'a', patient: {}, variants: 3", in: scratch)
    #expect(found.count(where: { $0.hasPrefix("\"variants\"") }) == 1, "\(found)")
  }

  @Test("Two ids that cannot be ids are not taken for one and the same")
  func unusableIDs() async throws {
    let scratch = try Scratch()
    for name in ["a", "b"] {
      try Files.write(
        scenario().replacing("'quiet-night'", with: "'\(name.uppercased())'"),
        to: scratch.file("\(name).json5"))
    }
    let check = await program(["check", scratch.url.path])
    #expect(check.output.contains("not \"A\"") && check.output.contains("not \"B\""))
    #expect(!check.output.contains("is that of"), "\(check.output)")
  }

  @Test("A row with an error is its patient's; the others are told that it is another's")
  func badRow() async throws {
    let scratch = try Scratch()
    let (file, table) = (scratch.file("a.json5"), scratch.file("t.csv"))
    try Files.write("id,most\nann,3\nben,x\ncleo,-1\n", to: table)
    try Files.write(
      scenario().replacing(
        "random: { seed: 7 },",
        with: "cohort: { from: 't.csv', "
          + "columns: { most: 'therapy.maxBasal' } },"), to: file)
    let tap = scratch.file("tap.txt")
    let run = await program([
      "run", file, "--out", scratch.file("out"), "--tap", tap, "--github", "--format", "json",
    ])
    #expect(run.code == 65)
    let lines = try String(contentsOfFile: tap, encoding: .utf8).split(separator: "\n")
    let messages = lines.filter { $0.contains("message: ") }
    try #require(messages.count == 3)
    #expect(
      messages[0].contains("\"Not carried out, as another run of the file is wrong: \(table):3:5:"),
      "\(messages[0])")
    #expect(messages[1].contains("message: \"\(table):3:5: error: "), "\(messages[1])")
    #expect(messages[2].contains("message: \"\(table):4:6: error: "), "\(messages[2])")
    // The place is one of the table, not of the scenario.
    #expect(
      lines.filter { $0.contains("  at: ") } == [
        "  at: \"\(table):3\"", "  at: \"\(table):3\"", "  at: \"\(table):4\"",
      ])
    #expect(!FileManager.default.fileExists(atPath: scratch.file("out")))
  }

  @Test("A column of a key that there is not is told of once, where it is written")
  func unknownColumn() async throws {
    let scratch = try Scratch()
    let file = scratch.file("a.json5")
    try Files.write("id,most\nann,3\nben,4\n", to: scratch.file("t.csv"))
    try Files.write(
      "{ format: 'loopsim/1', id: 'a', cohort: { from: 't.csv', columns: {\n"
        + "  most: 'therapy.maxBassal' } }, patient: { model: 'bergman' } }", to: file)
    let check = await program(["check", file])
    let errors = check.output.split(separator: "\n").filter { $0.contains("maxBassal") }
    #expect(errors.count == 1, "\(check.output)")
    #expect(
      errors.first?.hasPrefix(
        "\(file):2:9: error: \"maxBassal\" is not a known key in \"therapy\". Did you mean")
        == true,
      "\(errors)")
  }

  @Test("An expectation that a file inherits is shown where it stands")
  func inheritedExpectation() async throws {
    let scratch = try Scratch()
    let (base, file) = (scratch.file("base.json5"), scratch.file("child.json5"))
    try Files.write(scenario(expectedUnits: 9), to: base)
    try Files.write("{ extends: 'base.json5', id: 'child' }", to: file)
    let run = await program(["run", file, "--out", scratch.file("out"), "--github"])
    #expect(run.code == 1)
    let places = run.output.split(separator: "\n").filter { $0.hasPrefix("::error file=") }
    #expect(
      !places.isEmpty && places.allSatisfy { $0.hasPrefix("::error file=\(base),line=2") },
      "\(run.output)")
  }

  @Test("What is wrong with the file as a whole is told of every run")
  func wholeFile() async throws {
    let scratch = try Scratch()
    let file = scratch.file("a.json5")
    try Files.write("id,most\nann,3\nben,x\n", to: scratch.file("t.csv"))
    try Files.write(
      scenario().replacing(
        "random: { seed: 7 },",
        with: "zzz: 1, cohort: { from: 't.csv', "
          + "columns: { most: 'therapy.maxBasal' } },"), to: file)
    let run = await program(["run", file, "--out", scratch.file("out")])
    #expect(run.output.components(separatedBy: "\"zzz\" is not a known key").count == 3, "\(run)")
    #expect(!run.output.contains("Not carried out"), "\(run.output)")
  }
}
