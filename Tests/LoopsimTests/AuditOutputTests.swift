import Foundation
import Testing

@testable import loopsim

@Suite("Where an audit goes, and in which form")
struct AuditOutputTests {
  private static let bolus = """
    {"treatments":[{"_id":"a","eventType":"Correction Bolus","insulin":2,
     "created_at":"2026-02-03T02:00:00Z","enteredBy":"loop://Loop"}]}
    """

  private func folder() throws -> Scratch {
    let scratch = try Scratch()
    try Files.write(Self.bolus, to: scratch.file("dump.json"))
    return scratch
  }

  @Test(
    "The end of the file's name says the form, unless another is asked for",
    arguments: [
      (["-o", "a.html"], "a.html", "<!doctype html>"),
      (["-o", "a.HTM"], "a.HTM", "<!doctype html>"),
      (["-o", "a.json"], "a.json", "{\n  \"format\""), (["-o", "a.txt"], "a.txt", "The record"),
      (["-o", "a.html", "--format", "text"], "a.html", "The record"),
    ])
  func formByName(words: [String], name: String, beginning: String) throws {
    let scratch = try folder()
    let made = try Binary.run(["audit", "dump.json", "--zone", "UTC"] + words, in: scratch.url)
    #expect(made.code == 0, "\(made.error)")
    let text = try scratch.text(of: name)
    #expect(text.hasPrefix(beginning), "\(text.prefix(60))")
  }

  @Test("What one file holds a second time is told as such, and counts once")
  func twiceInOneFile() async throws {
    let scratch = try Scratch()
    let file = scratch.file("export.xml")
    func export(_ units: [Double]) -> String {
      let records = units.map { units in
        """
        <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" unit="IU" \
        creationDate="2026-01-15 06:00:00 +0000" startDate="2026-01-15 06:00:00 +0000" \
        endDate="2026-01-15 06:00:00 +0000" value="\(units)">
        <MetadataEntry key="HKInsulinDeliveryReason" value="2"/>
        <MetadataEntry key="loopsim.uuid" value="019BC041-DAE0-7C06-8C1A-7A77A538D48E"/></Record>
        """
      }
      return "<HealthData>\(records.joined(separator: "\n"))</HealthData>"
    }
    try Files.write(export([2, 2]), to: file)
    let same = await program(["audit", file, "--zone", "UTC"])
    #expect(same.error == "\(file): 1 sample is there again, and counts once.\n", "\(same.error)")
    #expect(same.output.contains("2026-01-15       2.00"), "\(same.output)")
    try Files.write(export([2, 3]), to: file)
    let other = await program(["audit", file, "--zone", "UTC"])
    #expect(
      other.error
        == "\(file): 1 sample is there again, with another amount or time; the higher version "
        + "counts, else the later one. The first is 2 U, 2026-01-15T06:00:00Z, and 3 U, "
        + "2026-01-15T06:00:00Z here.\n", "\(other.error)")
    #expect(other.output.contains("2026-01-15       3.00"), "\(other.output)")
    // What another file has with another amount, this one has twice.
    let first = scratch.file("first.xml")
    try Files.write(export([2]), to: first)
    try Files.write(export([3, 3]), to: file)
    let joined = await program(["audit", first, file, "--zone", "UTC"])
    #expect(joined.error.contains("\(file): 1 sample is there again, and counts once.\n"))
    #expect(joined.error.contains("\(file): 1 sample with another amount or time than in a file "))
    #expect(!joined.error.contains("named before it too"), "\(joined.error)")
    #expect(joined.output.contains("2026-01-15       3.00"), "\(joined.output)")
    try Files.write(export([2, 3]), to: file)
    let imported = await program(["store", "import", scratch.file("h.sqlite"), file])
    let words = "  -3 U in 1: another record of the same identity is kept\n"
    #expect(imported.error.contains(words), "\(imported.error)")
  }

  @Test("The page of what came by standard input has a name that is no option")
  func standardInput() throws {
    let scratch = try folder()
    let input = try #require(FileHandle(forReadingAtPath: scratch.file("dump.json")))
    let made = try Binary.run(
      ["audit", "-", "--zone", "UTC", "--format", "html"], in: scratch.url, input: input)
    #expect(made.output == "page in record-audit.html\n", "\(made.error)")
    #expect(try scratch.names == ["dump.json", "record-audit.html"])
  }

  @Test("What a run has left beside its store is not written over")
  func keepsResult() async throws {
    let scratch = try Scratch()
    let file = scratch.file("day.json5")
    try Files.write(
      """
      { format: 'loopsim/1', id: 'day', clock: { duration: '2h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } } }
      """, to: file)
    let out = scratch.file("out")
    #expect(await program(["run", file, "--out", out]).code == 0)
    let summary = try scratch.text(of: "out/day/summary.json")
    let refused = await program(["audit", "\(out)/day", "-o", "\(out)/day/summary.json"])
    #expect(refused.code == 64)
    #expect(refused.error.contains("summary.json is a file that is read here"), "\(refused.error)")
    for store in ["\(out)/day", "\(out)/day/health.sqlite"] {
      let words = ["store", "export", store, "\(out)/day/summary.json"]
      #expect(await program(words).code == 64)
    }
    #expect(try scratch.text(of: "out/day/summary.json") == summary)
    for _ in 0..<2 {
      #expect(await program(["audit", "\(out)/day", "-o", "\(out)/day/audit.txt"]).code == 0)
    }
  }
}
