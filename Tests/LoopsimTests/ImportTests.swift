import Foundation
import Testing

@testable import loopsim

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
    #expect(result.error.contains("1 of 2 files imported, with 1 run; 1 run lost."))
    let written = scratch.url.appendingPathComponent("out/deep/good.json5")
    let text = try String(contentsOf: written, encoding: .utf8)
    #expect(text.hasPrefix("// Imported from deep/good.json.\n{\n  format: 'loopsim/1',"))
  }

  @Test(
    "A file without an ending keeps its name, and another loses its last ending alone",
    arguments: [("day", "day.json5"), ("a.b.json", "a.b.json5"), (".day", ".day.json5")])
  func names(name: String, written: String) throws {
    let scratch = try folder()
    try Files.makeFolder(of: scratch.file("in.d/\(name)"))
    try Files.write(Self.scenario, to: scratch.file("in.d/\(name)"))
    let words = ["import", "loop-scenario", "in.d/\(name)", "--extends", "b.json5", "-o", "out/"]
    _ = try Binary.run(words, in: scratch.url)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.file("out"))
    #expect(names == [written])
  }

  @Test("Of a file that cannot be read is said why, also in the report")
  func unreadable() throws {
    let scratch = try folder()
    for (name, target) in [("gone", "/nowhere/at/all"), ("endless", "/dev/zero")] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.file("in/deep/\(name).json"), withDestinationPath: target)
    }
    let words = ["import", "loop-scenario", "in/deep", "--extends", "b.json5", "-o", "out"]
    let made = try Binary.run(words + ["--report", "r.json"], in: scratch.url)
    #expect(made.code == 65)
    let gone = "in/deep/gone.json:1:1: error: The file cannot be read: no such file or directory."
    #expect(made.error.lowercased().contains(gone.lowercased()), "\(made.error)")
    #expect(
      made.error.contains("in/deep/endless.json:1:1: error: The file cannot be read: it is a"))
    #expect(try scratch.text(of: "r.json").contains("The file cannot be read: it is a device"))
    #expect(made.error.contains("1 of 3 files imported"), "\(made.error)")
  }

  @Test("A folder of reusable parts that is not there is told, whatever is imported")
  func noReusable() async throws {
    let scratch = try folder()
    for place in [scratch.file("nowhere"), scratch.file("in/bad.json")] {
      let words = ["import", "tidepool", scratch.file("in/deep/good.json"), "--reusable", place]
      let refused = await program(words)
      #expect(refused.code == 65 && refused.output.isEmpty)
      #expect(
        refused.error
          == "Error: There is no folder \"\(place)\" of reusable parts. Check the path.\n")
    }
  }

  @Test("Only folders named reusable are passed over, and not those whose names end so")
  func reusable() throws {
    let scratch = try folder()
    for name in ["in/deep/reusable/a.json", "in/deep/not-reusable/b.json"] {
      try Files.makeFolder(of: scratch.file(name))
      try Files.write(Self.scenario, to: scratch.file(name))
    }
    let words = ["import", "loop-scenario", "in/deep", "--extends", "b.json5", "-o", "out"]
    let made = try Binary.run(words, in: scratch.url)
    #expect(made.error.contains("2 of 2 files imported"), "\(made.error)")
    #expect(try scratch.text(of: "out/not-reusable/b.json5").contains("loopsim/1"))
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

  @Test("A scenario that stands in the folder is kept, and so is each of two of one name")
  func keepsScenarios() throws {
    let scratch = try folder()
    let words = ["import", "loop-scenario", "in/deep/good.json", "--extends", "b.json5"]
    #expect(try Binary.run(words + ["-o", "out/"], in: scratch.url).code == 0)
    try "// Mine.\n".write(
      toFile: scratch.file("out/good.json5"), atomically: true, encoding: .utf8)
    let again = try Binary.run(words + ["-o", "out/"], in: scratch.url)
    #expect(again.code == 64)
    #expect(again.error.contains("out/good.json5 would be lost."), "\(again.error)")
    let folder = try Binary.run(
      ["import", "loop-scenario", "in/deep", "in/bad.json", "-o", "out"], in: scratch.url)
    #expect(folder.code == 64 && folder.error.contains("out/good.json5 would be lost."))
    #expect(try scratch.text(of: "out/good.json5") == "// Mine.\n")
    try FileManager.default.copyItem(
      atPath: scratch.file("in/deep/good.json"), toPath: scratch.file("in/good.json"))
    let both = try Binary.run(
      ["import", "loop-scenario", "in/deep/good.json", "in/good.json", "-o", "new"],
      in: scratch.url)
    #expect(both.code == 64)
    #expect(
      both.error.contains("in/deep/good.json and in/good.json would both be written to "),
      "\(both.error)")
    #expect(try !scratch.names.contains("new"))
    // A file that is named is written, as by every command.
    #expect(try Binary.run(words + ["-o", "out/good.json5"], in: scratch.url).code == 0)
  }

  @Test("What is extended is named from the working folder, and written as each scenario sees it")
  func extendsFromTheWorkingFolder() throws {
    let scratch = try folder()
    try Files.makeFolder(scratch.file("bases"))
    try Files.write(
      """
      { format: 'loopsim/1', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
      """, to: scratch.file("bases/b.json5"))
    try Files.write(Self.scenario, to: scratch.file("in/bad.json"))
    try Files.makeFolder(scratch.file("one"))
    func words(_ base: String, _ source: String, _ output: String) -> [String] {
      ["import", "loop-scenario", source, "--extends", base, "-o", output]
    }
    let good = "in/deep/good.json"
    for (base, source, output, written, name) in [
      ("bases/b.json5", good, "one/x.json5", "one/x.json5", "../bases/b.json5"),
      ("./bases/b.json5", good, "x.json5", "x.json5", "bases/b.json5"),
      ("bases/b.json5", good, "bases/x.json5", "bases/x.json5", "b.json5"),
      ("bases/b.json5", good, "new/", "new/good.json5", "../bases/b.json5"),
      ("bases/b.json5", "in", "all", "all/deep/good.json5", "../../bases/b.json5"),
      // None is there from the working folder: as seen from the output.
      ("../bases/b.json5", good, "two/", "two/good.json5", "../bases/b.json5"),
    ] {
      let result = try Binary.run(words(base, source, output), in: scratch.url)
      #expect(result.code == 0, "\(result.error)")
      #expect(!result.error.contains("is not there yet"), "\(result.error)")
      #expect(try scratch.text(of: written).contains("extends: ['\(name)'],"), "\(written)")
      let check = try Binary.run(["check", written, "--allow-outside"], in: scratch.url)
      #expect(check.code == 0, "\(check.output)")
    }
    let lost = try Binary.run(words("bases/b.json5", good, "bases/b.json5"), in: scratch.url)
    #expect(lost.code == 64)
    #expect(lost.error.contains("bases/b.json5 is a file that is read here"), "\(lost.error)")
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
