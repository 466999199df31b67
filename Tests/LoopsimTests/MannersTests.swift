import Foundation
import Testing

@testable import loopsim

@Suite("Manners on the command line")
struct MannersTests {
  private static let scenario = """
    { format: 'loopsim/1', clock: { duration: '30m' },
      patient: { model: 'uva-padova-s2008', name: 'adult#001' },
      expect: [{ id: 'low', metric: 'mean', max: 1 }] }
    """

  private func folder() throws -> Scratch {
    let scratch = try Scratch()
    try Files.makeFolder(of: scratch.file("in/x"))
    for name in ["a", "b"] {
      try Files.write(Self.scenario, to: scratch.file("in/\(name).json5"))
    }
    return scratch
  }

  @Test("An empty shard is no failure, and writes empty reports")
  func emptyShard() throws {
    let scratch = try folder()
    let words = ["run", "in", "--out", "out", "--shard", "7/7", "--junit", "deep/er/j.xml"]
    let result = try Binary.run(words, in: scratch.url)
    #expect(result.code == 0)
    #expect(try scratch.text(of: "deep/er/j.xml").contains("<testsuites"))
    #expect(try Binary.run(["run", "in", "--tag", "none"], in: scratch.url).code == 65)
  }

  @Test("A folder named by a link is entered")
  func linkedFolder() throws {
    let scratch = try folder()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("link"), withDestinationPath: "in")
    for name in ["link", "link/"] {
      let result = try Binary.run(["check", name], in: scratch.url)
      #expect(result.code == 0)
      #expect(result.error.hasPrefix("2 files, 2 runs"))
    }
  }

  @Test("verify tells what differs in every form of report, and takes shards")
  func verifyReports() throws {
    let scratch = try folder()
    let keep = ["verify", "in", "--update", "--results", "kept"]
    #expect(try Binary.run(keep, environment: ["CI": ""], in: scratch.url).code == 1)
    try Files.write("x", to: scratch.file("kept/a/summary.json"))
    let words = [
      "verify", "in", "--results", "kept", "--junit", "r/j.xml", "--tap", "r/t.tap", "--github",
      "--format", "json", "--shard", "1/2",
    ]
    let result = try Binary.run(words, in: scratch.url)
    #expect(result.code == 1)
    #expect(try scratch.text(of: "r/j.xml").contains("name=\"reference"))
    #expect(try scratch.text(of: "r/t.tap").contains("reference"))
    #expect(result.output.contains("\"differences\""))
    #expect(result.output.contains("::error file=in/a.json5"))
    #expect(!result.output.contains("\"b\""))
    try Files.write("x", to: scratch.file("kept/b/more.csv"))
    let surplus = try Binary.run(["verify", "in/b.json5", "--results", "kept"], in: scratch.url)
    #expect(surplus.output.contains("more.csv is there, and the run has no such file"))
  }

  @Test("What there is of the reports is written when the batch is interrupted")
  func interrupted() throws {
    let scratch = try Scratch()
    let long = Self.scenario.replacing("30m", with: "2d").replacing(
      "patient:", with: "random: { replicates: 60 }, patient:")
    try Files.write(long, to: scratch.file("long.json5"))
    let process = Process()
    process.executableURL = Binary.program
    process.arguments = ["run", "long.json5", "--out", "out", "--junit", "j.xml", "-j1"]
    process.currentDirectoryURL = scratch.url
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // The first line is there when the first run is over.
    _ = output.fileHandleForReading.availableData
    // Not SIGINT: where a shell starts the tests in the background, children ignore that.
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    let said = String(decoding: error.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.contains("of 60 runs."))
    #expect(try scratch.text(of: "j.xml").contains("</testsuites>"))
    #expect(try scratch.names.filter { $0.contains("partial") }.isEmpty)
  }

  @Test("A golden file that cannot be written is no failed expectation")
  func goldenTrouble() throws {
    let scratch = try Scratch()
    let text = Self.scenario.replacing("metric: 'mean', max: 1", with: "golden: 'no/g.csv'")
    try Files.write(text, to: scratch.file("g.json5"))
    try Files.write("in the way", to: scratch.file("no"))
    let words = ["run", "g.json5", "--out", "out", "--update-golden"]
    let result = try Binary.run(words, environment: ["CI": ""], in: scratch.url)
    #expect(result.code == 74)
    #expect(result.error.contains("no"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("out/g")))
  }

  @Test("A golden file that is there and cannot be read is no failed expectation")
  func goldenUnreadable() throws {
    let scratch = try Scratch()
    let text = Self.scenario.replacing("metric: 'mean', max: 1", with: "golden: 'g.csv'")
    try Files.write(text, to: scratch.file("g.json5"))
    // A link to itself can be opened by nobody, whatever may be read.
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("g.csv"), withDestinationPath: "g.csv")
    for command in ["run", "verify"] {
      let words = [command, "g.json5"] + (command == "run" ? ["--out", "out"] : [])
      let result = try Binary.run(words, in: scratch.url)
      #expect(result.code == 74, "\(command): \(result.error)")
      #expect(result.error.contains("g.csv"))
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.file("out/g")))
  }
}
