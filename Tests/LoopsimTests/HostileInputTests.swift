import Foundation
import Testing

@testable import loopsim

@Suite("Input that means harm")
struct HostileInputTests {
  private static let harm = """
    { format: 'loopsim/1', id: 'inj',
      title: "\\u001b[31mRED\\n::error file=x::pwn\\r\\n\\u202e",
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      clock: { duration: '1h' },
      events: [{ at: '+10m', id: '=cmd|x', remark: '=HYPERLINK("x") \\u001b[31m\\n::error::y' },
        { at: '+20m', injection: { units: 1 }, entry: { source: 'Pen\\nExpectations: 1 hold.' } }],
      expect: [{ id: "<e>\\n::error::bad \\u001b[31m", metric: 'tir(70,180)', min: 101 }] }
    """

  /// Whether some text holds nothing that a terminal, or a service that runs checks, would obey.
  private func isInert(_ text: String, allowsAnnotations: Bool = false) -> Bool {
    !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E }
      && !text.split(separator: "\n").contains {
        $0.hasPrefix("::") && !(allowsAnnotations && $0.hasPrefix("::error file="))
      }
  }

  @Test("The name of a file stays in the comment of a scenario that is made of it")
  func nameInComment() async throws {
    let scratch = try Scratch()
    let file = scratch.file("night\n{ format: 1 }.json5")
    try Files.write(scenario(), to: file)
    let frozen = await program(["freeze", file, "--output", scratch.file("frozen.json5")])
    #expect(frozen.code == 0, "\(frozen.error)")
    let checked = await program(["check", scratch.file("frozen.json5")])
    #expect(checked.code == 0, "\(checked.output)")
    let exported = await program(["export", "loop-scenario", file])
    let data = scratch.file("data\n{ format: 1 }.json")
    try Files.write(exported.output, to: data)
    let imported = await program(["import", "loop-scenario", data, "--extends", "night.json5"])
    let first = imported.output.split(separator: "\n").first
    #expect(first?.hasSuffix("{ format: 1 }.json.") == true, "\(imported.output)")
  }

  @Test("Text of a file is shown and never obeyed, in every form of output")
  func inert() throws {
    let scratch = try Scratch()
    let file = scratch.file("h.json5")
    try Data(Self.harm.utf8).write(to: URL(fileURLWithPath: file))
    let run = try Binary.run(
      ["run", file, "--out", scratch.file("out"), "--tap", scratch.file("t.tap"), "--csv-safe"])
    #expect(run.code == 1)
    #expect(isInert(run.output))
    #expect(isInert(run.error))
    #expect(run.output.contains("\\u{1B}[31mRED"))
    // No name begins a line of its own, which could be taken for one of the answer's.
    #expect(!run.output.contains("\nExpectations: 1 hold."), "\(run.output)")
    #expect(run.output.contains("Pen\\nExpectations: 1 hold."))
    #expect(run.output.contains("  failed  <e>\\n::error::bad \\u{1B}[31m: tir(70,180)"))
    #expect(isInert(try scratch.text(of: "t.tap")))
    let happenings = try scratch.text(of: "out/inj/happenings.csv")
    #expect(happenings.contains("'=cmd|x") || happenings.contains("'=HYPERLINK"))
    let annotated = try Binary.run(["run", file, "--out", scratch.file("out"), "--github"])
    #expect(isInert(annotated.output, allowsAnnotations: true))
    let odd = scratch.file("::error::odd\u{1B}[2J.json5")
    try Data("{ format: 'loopsim/1', id: \"a\\nb\" }".utf8).write(to: URL(fileURLWithPath: odd))
    let check = try Binary.run(["check", odd])
    #expect(check.code == 65)
    #expect(isInert(check.output + check.error))
  }

  @Test(
    "What has no end is refused before it is read",
    arguments: [["predict"], ["outcomes"], ["cgm", "accuracy"], ["check"], ["compare"]])
  func endless(words: [String]) throws {
    let second = words == ["compare"] || words == ["cgm", "accuracy"] ? ["/dev/zero"] : []
    let result = try Binary.run(words + ["/dev/zero"] + second)
    #expect(result.code == 65 || result.code == 64)
    #expect(!result.error.isEmpty || !result.output.isEmpty)
  }

  @Test("A pipe to which nobody writes keeps no command waiting")
  func pipe() throws {
    let scratch = try Scratch()
    let path = scratch.file("pipe.csv")
    #expect(unsafe mkfifo(path, 0o644) == 0)
    #expect(try Binary.run(["outcomes", path]).code == 65)
    let results = scratch.file("Results/day")
    try FileManager.default.createDirectory(atPath: results, withIntermediateDirectories: true)
    #expect(unsafe mkfifo("\(results)/summary.json", 0o644) == 0)
    let verify = try Binary.run([
      "verify", "../../Scenarios/basal-reporting/basal-reporting-day.json5", "--results",
      scratch.file("Results"),
    ])
    #expect(verify.code != 0)
  }

  @Test("Files that have more runs together than can be planned at once are told so")
  func tooManyRunsTogether() throws {
    let scratch = try Scratch()
    // The first is not built, for it has an error; its runs count all the same.
    for (name, error) in [("a", ", mistake: 1"), ("b", "")] {
      let text = """
        { format: 'loopsim/1', id: '\(name)', clock: { duration: '5m' },
          patient: { model: 'uva-padova-s2008', name: 'adult#001' },
          random: { replicates: 120000 }, budget: { maxRuns: 200000 }\(error) }
        """
      try Data(text.utf8).write(to: scratch.url.appendingPathComponent("\(name).json5"))
    }
    let result = try Binary.run(["check", "a.json5", "b.json5"], in: scratch.url)
    #expect(result.code == 65)
    #expect(
      (result.output + result.error).contains(
        "b.json5:3:25: error: This scenario has 120000 runs: with those of the files before it "
          + "these are more than the 200000 that are planned at once. Name fewer files in one "
          + "command."), "\(result)")
  }

  @Test("More runs than can be planned at once are refused before there is memory for them")
  func runs() throws {
    let scratch = try Scratch()
    let file = scratch.file("many.json5")
    try Data(
      """
      { format: 'loopsim/1', clock: { duration: '5m' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        random: { replicates: 1000000 }, budget: { maxRuns: 100000000 },
        sweep: { 'random.seed': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } }
      """.utf8
    ).write(to: URL(fileURLWithPath: file))
    let result = try Binary.run(["check", file])
    #expect(result.code == 65)
    #expect((result.output + result.error).contains("at most 200000 are planned at once"))
  }

  @Test("A scenario keeps no golden file outside its folder")
  func golden() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.file("in"), withIntermediateDirectories: true)
    let file = scratch.file("in/g.json5")
    let target = scratch.file("x.csv")
    for path in [target, "../x.csv", "link/x.csv"] {
      try? FileManager.default.createSymbolicLink(
        atPath: scratch.file("in/link"), withDestinationPath: scratch.path)
      try Data(
        """
        { format: 'loopsim/1', clock: { duration: '1h' },
          patient: { model: 'uva-padova-s2008', name: 'adult#001' },
          expect: [{ id: 'g', golden: '\(path)' }] }
        """.utf8
      ).write(to: URL(fileURLWithPath: file))
      let words = ["run", file, "--out", scratch.file("out"), "--update-golden"]
      let refused = try Binary.run(words, environment: ["CI": ""])
      #expect(refused.code == 65)
      #expect(!FileManager.default.fileExists(atPath: target))
      #expect(try Binary.run(words + ["--allow-outside"], environment: ["CI": ""]).code == 0)
      #expect(FileManager.default.fileExists(atPath: target))
      try FileManager.default.removeItem(atPath: target)
    }
  }
}
