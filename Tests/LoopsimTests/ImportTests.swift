import Foundation
import Testing

@Suite("The command import")
struct ImportTests {
  private static let scenario = """
    {"glucoseValues": [{"mgdlValue": 110, "dateOffset": -300}], "basalDoses": [],
     "bolusDoses": [{"unitsValue": 1, "dateOffset": -600, "deliveryDuration": 30}],
     "carbEntries": []}
    """

  private func folder() throws -> Scratch {
    let scratch = try Scratch()
    let inner = scratch.url.appendingPathComponent("in/deep")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Self.scenario.write(
      to: inner.appendingPathComponent("good.json"), atomically: true, encoding: .utf8)
    try "{".write(
      to: scratch.url.appendingPathComponent("in/bad.json"), atomically: true, encoding: .utf8)
    return scratch
  }

  @Test("A bad file is reported and does not stop the others")
  func importsAFolder() throws {
    let scratch = try folder()
    let result = try Binary.run(
      ["import", "loop-scenario", "in", "--extends", "b.json5", "-o", "out"], in: scratch.url)
    #expect(result.code == 65)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("in/bad.json:1:"))
    #expect(result.error.contains("1 of 2 files imported, with 1 runs; 1 runs lost."))
    let written = scratch.url.appendingPathComponent("out/deep/good.json5")
    let text = try String(contentsOf: written, encoding: .utf8)
    #expect(text.hasPrefix("// Imported from deep/good.json.\n{\n  format: 'loopsim/1',"))
  }

  @Test("Files that state one id get ids of their own")
  func keepsIdsApart() throws {
    let scratch = try folder()
    for name in ["a", "b"] {
      let place = scratch.url.appendingPathComponent("same/\(name)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Self.scenario.write(
        to: place.appendingPathComponent("One Day.json"), atomically: true, encoding: .utf8)
    }
    let result = try Binary.run(["import", "loop-scenario", "same", "-o", "out"], in: scratch.url)
    #expect(result.code == 0)
    let ids = try ["a", "b"].map { name in
      let text = try scratch.text(of: "out/\(name)/One Day.json5")
      return text.split(separator: "\n").first { $0.contains("id: ") }.map(String.init)
    }
    #expect(ids == ["  id: 'one-day',", "  id: 'one-day-2',"])
  }

  @Test("One file goes to standard output, its remarks to standard error")
  func importsOneFile() throws {
    let scratch = try folder()
    let result = try Binary.run(
      ["import", "loop-scenario", "in/deep/good.json"], in: scratch.url)
    #expect(result.code == 0)
    #expect(result.output.contains("bolus: 1"))
    #expect(result.error.contains("--extends"))
  }

  @Test(
    "Wrong words and missing files end with their codes",
    arguments: [
      (["import", "tidepool", "nowhere.json"], 65), (["import", "tidepool"], 64),
      (["import", "loop-scenario", "in", "--start", "noon"], 64), (["import"], 0),
      (["import", "tidepool-table", "in"], 65),
    ] as [([String], Int32)])
  func endsWithACode(words: [String], code: Int32) throws {
    let scratch = try folder()
    #expect(try Binary.run(words, in: scratch.url).code == code)
  }
}
