import Arguments
import Foundation
import Testing

@testable import loopsim

@Suite("The command export")
struct ExportTests {
  private static let testing = """
    {"glucoseValues": [{"mgdlValue": 104, "dateOffset": -300}, {"mgdlValue": 107, "dateOffset": 0},
       {"mgdlValue": 111, "dateOffset": 300}],
     "basalDoses": [{"unitsPerHourValue": 1.2, "dateOffset": -1800, "duration": 1800}],
     "bolusDoses": [{"unitsValue": 2.5, "dateOffset": -900, "deliveryDuration": 90}],
     "carbEntries": [{"gramValue": 20, "dateOffset": -300, "absorptionTime": 10800}]}
    """

  @Test("What was imported, exported and imported again is the same")
  func fixedPoint() async throws {
    let scratch = try Scratch()
    try Files.write(Self.testing, to: scratch.file("first.json"))
    try Files.write(scenario(), to: scratch.file("base.json5"))
    func step(_ words: [String]) async {
      let result = await program(words)
      #expect(result.code == 0, "\(result.error)")
    }
    let extends = ["--extends", scratch.file("base.json5"), "-o"]
    let first = scratch.file("first.json")
    let imported = scratch.file("first.json5")
    let exported = scratch.file("again/first.json")
    try FileManager.default.createDirectory(
      atPath: scratch.file("again"), withIntermediateDirectories: false)
    await step(["import", "loop-scenario", first] + extends + [imported])
    await step(["export", "loop-scenario", imported, "-o", exported])
    let again = scratch.file("again/first.json5")
    await step(["import", "loop-scenario", exported] + extends + [again])
    #expect(try body(scratch, "again/first.json5") == body(scratch, "first.json5"))
    await step(
      ["export", "loop-scenario", again, "--allow-outside", "-o", scratch.file("third.json")])
    #expect(try scratch.text(of: "third.json") == scratch.text(of: "again/first.json"))
  }

  /// A scenario without its head, which names the file it came from.
  private func body(_ scratch: Scratch, _ name: String) throws -> [Substring] {
    try scratch.text(of: name).split(separator: "\n").filter { !$0.hasPrefix("//") }.map { $0 }
  }

  @Test("What cannot go over is told with its place, and strictly nothing is written")
  func tellsLosses() async throws {
    let scratch = try Scratch()
    let text = scenario().replacingOccurrences(
      of: "expect: [", with: "events: [{ at: '05:00', suspend: {} }], expect: [")
    let file = scratch.file("night.json5")
    try Files.write(text, to: file)
    let result = await program(["export", "loop-scenario", file])
    #expect(result.code == 0)
    #expect(result.output.contains("\"bolusDoses\""))
    #expect(result.error.contains("\(file):2"))
    let out = scratch.file("out.json")
    let strict = await program(["export", "loop-scenario", file, "--strict", "-o", out])
    #expect(strict.code == 65)
    #expect(!FileManager.default.fileExists(atPath: out))
    let unknown = await program(["export", "loop-scenario", file, "--run", "quiet-nigth"])
    #expect(unknown.code == 65)
    #expect(unknown.error.contains("Did you mean \"quiet-night\"?"))
  }

  @Test("A scenario of which no run can be made is not handed on")
  func refusesWhatCannotRun() async throws {
    let scratch = try Scratch()
    let text = scenario().replacingOccurrences(
      of: "expect: [",
      with: "history: { doses: [{ at: 'd1 05:00', bolus: 1 }] }, expect: [")
    let file = scratch.file("night.json5")
    try Files.write(text, to: file)
    let out = scratch.file("out.json")
    let result = await program(["export", "loop-scenario", file, "-o", out])
    #expect(result.code == 65)
    #expect(result.error.contains("happened in the three days before the start"))
    #expect(!FileManager.default.fileExists(atPath: out))
  }
}
