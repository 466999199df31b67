import Foundation
import Testing

@testable import loopsim

@Suite("A result of which a part is cut off is refused, and not taken for a whole one")
struct TornResultTests {
  private static func scenario(
    _ id: String, lasting duration: String = "30m", every interval: String = "5m"
  ) -> String {
    """
    { format: 'loopsim/1', id: '\(id)', clock: { duration: '\(duration)' },
      output: { every: '\(interval)' },
      patient: { model: 'tidepool-simple', initialGlucose: 120, needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } } }
    """
  }

  /// Takes some bytes away at the end of a file.
  private static func cut(_ count: Int, off path: String) throws {
    try Files.write(Array(try Files.read(path).dropLast(count)), to: path)
  }

  /// Takes the last row away.
  private static func cutLastRow(off path: String) throws {
    let bytes = try Files.read(path)
    let last = bytes.dropLast().lastIndex(of: 0x0a) ?? 0
    try Files.write(Array(bytes[...last]), to: path)
  }

  @Test("A timeline that ends before its run does is no measure of the run")
  func timeline() async throws {
    let scratch = try Scratch()
    let file = scratch.file("steady.json5")
    try Files.write(Self.scenario("steady"), to: file)
    #expect(await program(["run", file, "--quiet", "--out", scratch.path]).code == 0)
    let table = scratch.file("steady/timeline.csv")
    #expect(await program(["outcomes", table]).code == 0)
    try Self.cutLastRow(off: table)
    let refused = await program(["outcomes", scratch.file("steady")])
    #expect(refused.code == 65 && refused.output.isEmpty, "\(refused.output)")
    // Of 30 minutes a row every five, below the header.
    #expect(
      refused.error.hasPrefix("\(table):7:1: error: The timeline ends here, and by "),
      "\(refused.error)")
    // Elsewhere it is a table like any other.
    let other = scratch.file("timeline.csv")
    try Files.write(try Files.read(table), to: other)
    #expect(await program(["outcomes", other]).code == 0)
  }

  @Test("A run that ends between two rows has a whole timeline", arguments: ["5m", "10m", "20m"])
  func betweenRows(every interval: String) async throws {
    let scratch = try Scratch()
    let file = scratch.file("odd.json5")
    try Files.write(Self.scenario("odd", lasting: "33m", every: interval), to: file)
    #expect(await program(["run", file, "--quiet", "--out", scratch.path]).code == 0)
    let measured = await program(["outcomes", scratch.file("odd")])
    #expect(measured.code == 0, "\(measured.error)")
    // Of two rows, of which one is left, nobody can tell.
    guard interval != "20m" else { return }
    try Self.cutLastRow(off: scratch.file("odd/timeline.csv"))
    #expect(await program(["outcomes", scratch.file("odd")]).code == 65)
  }

  @Test("Beside a store the pulses and the settings of its run are whole, or an error says where")
  func besideStore() async throws {
    let scratch = try Scratch()
    let file = scratch.file("steady.json5")
    try Files.write(Self.scenario("steady"), to: file)
    #expect(await program(["run", file, "--quiet", "--out", scratch.path]).code == 0)
    let folder = scratch.file("steady")
    let timeline = ["store", "timeline", folder]
    #expect(await program(timeline).code == 0)
    let (pulses, settings) = ("\(folder)/pulses.csv", "\(folder)/settings.json")
    let whole = try Files.read(pulses)
    // The end of the last line, with the comma before its last field: one field is missing.
    try Self.cut("0.0500\n".utf8.count + 1, off: pulses)
    let torn = await program(timeline)
    #expect(torn.code == 65 && torn.output.isEmpty, "\(torn.output)")
    #expect(torn.error.hasPrefix("\(pulses):"), "\(torn.error)")
    #expect(torn.error.contains(":1: error: This row has 4 fields; the header names 5 columns."))
    // Without its last row what is left is a table, which ends in the row before.
    try Files.write(whole, to: pulses)
    try Self.cutLastRow(off: pulses)
    let short = await program(timeline)
    #expect(short.code == 65 && short.output.isEmpty, "\(short.output)")
    let last = whole.count { $0 == 0x0a } - 1
    #expect(
      short.error.hasPrefix("\(pulses):\(last):1: error: The basal pulses add up to ")
        && short.error.contains("/summary.json tells of ")
        && short.error.contains(" U: the table is not whole."), "\(short.error)")
    try Files.write(whole, to: pulses)
    try Files.write("{ \"pulse_U\": 0.0", to: settings)
    for words in [timeline, ["store", "verify", folder]] {
      let refused = await program(words)
      #expect(refused.code == 65 && refused.output.isEmpty, "\(refused.output)")
      #expect(refused.error.hasPrefix("\(settings):1:"), "\(refused.error)")
    }
  }

  @Test("The page of a batch is of all its runs, those without a result among them")
  func batch() async throws {
    let scratch = try Scratch()
    for id in ["one", "two"] {
      try Files.write(Self.scenario(id), to: scratch.file("\(id).json5"))
    }
    try Files.write("{", to: scratch.file("wrong.json5"))
    let out = scratch.file("out")
    let files = ["one", "two", "wrong"].map { scratch.file("\($0).json5") }
    #expect(await program(["run"] + files + ["--quiet", "--out", out]).code == 65)
    let (table, summary) = ("\(out)/runs.csv", "\(out)/batch.json")
    let (rows, told) = (try Files.read(table), try Files.read(summary))
    func report() async -> (code: Int32, output: String, error: String) {
      await program(["report", out, "--output", scratch.file("page.html")])
    }
    try Self.cut(60, off: table)
    let torn = await report()
    #expect(torn.code == 65, "\(torn.output)")
    #expect(torn.error.hasPrefix("\(table):3:1: error: This row has "), "\(torn.error)")
    // The header and the first run alone.
    let lines = rows.split(separator: 0x0a).prefix(2)
    try Files.write(Array(lines.joined(separator: [0x0a])) + [0x0a], to: table)
    let short = await report()
    #expect(short.code == 65, "\(short.output)")
    #expect(
      short.error
        == "Error: \(table) has 1 run, and batch.json beside it tells of 2: one of them is not "
        + "whole. Run the batch again.\n")
    try Files.write(rows, to: table)
    try Self.cut(told.count / 2, off: summary)
    let half = await report()
    #expect(half.code == 65, "\(half.output)")
    #expect(half.error.hasPrefix("\(summary):"), "\(half.error)")
    try Files.write(told, to: summary)
    #expect(await report().code == 0)
  }
}
