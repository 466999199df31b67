import Foundation
import TestSupport
import Testing

@testable import loopsim

/// Every child that these tests start ends by itself or is ended after seconds.
@Suite("A program that can lives through many runs")
struct ReusedProgramTests {
  /// A program that counts its starts, its runs and its ends in files; `more` is what it does when
  /// a run is over.
  static func steady(
    _ more: String = ":", version: String = "1", at decide: String = act
  ) -> String {
    """
    #!/bin/sh
    echo x >>starts
    while read -r line; do
      case $line in
        '{"type":"hello"'*)
          echo '{"type":"hello","protocol":1,"name":"steady",'\
    '"version":"\(version)","can":["reuse"]}' ;;
        '{"type":"begin"'*) echo x >>runs; echo '{"type":"ready"}' ;;
        '{"type":"decide"'*) \(decide) ;;
        '{"type":"end"'*) \(more) ;;
      esac
    done
    echo x >>ends
    """
  }

  static let act = "echo '{\"type\":\"act\",\"tempBasal\":{\"rate\":1.1}}'"

  /// Four runs in which the program decides.
  private static func scratch(_ program: String = steady()) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.writeProgram(program, named: "steady.sh")
    try Files.write(
      """
      { format: 'loopsim/1', id: 'evening', clock: { duration: '1h' },
        random: { seed: 3, replicates: 4 },
        patient: { model: 'tidepool-simple', initialGlucose: 170,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
            carbRatio: [['00:00', 10]] } },
        cgm: { model: 'ar1', noise: { sd: 4, phi: 0.7 } },
        controller: { command: ['./steady.sh'] } }
      """, to: scratch.file("evening.json5"))
    return scratch
  }

  /// How often something was noted in a file.
  static func count(_ name: String, in scratch: Scratch) throws -> Int {
    guard FileManager.default.fileExists(atPath: scratch.file(name)) else { return 0 }
    return try scratch.text(of: name).split(separator: "\n").count
  }

  /// Carries out the runs; their answers and their results in one text.
  private static func run(_ words: [String], in scratch: Scratch) throws -> String {
    for name in ["starts", "runs", "ends", "out"] {
      try? FileManager.default.removeItem(atPath: scratch.file(name))
    }
    let result = try Binary.runByHand(
      ["run", "evening.json5", "--allow-programs", "--out", "out"] + words, in: scratch)
    #expect(result.code == 0, "\(result.output)\(result.error)")
    return try (0...3).map { number in
      let folder = "out/evening/r\(number)"
      return try ["decisions.ndjson", "summary.json", "timeline.csv"]
        .map { try scratch.text(of: "\(folder)/\($0)") }.joined()
    }.joined()
  }

  @Test("It is started once for each run at a time, and ended; the results are the same")
  func reuse() throws {
    let scratch = try Self.scratch()
    let fresh = try Self.run(["--fresh-programs", "--jobs", "1"], in: scratch)
    #expect(try Self.count("starts", in: scratch) == 4)
    let reused = try Self.run(["--jobs", "1"], in: scratch)
    #expect(try Self.count("starts", in: scratch) == 1)
    #expect(try Self.count("runs", in: scratch) == 4)
    #expect(try Self.count("ends", in: scratch) == 1)
    let beside = try Self.run(["--jobs", "3"], in: scratch)
    #expect(try (1...3).contains(Self.count("starts", in: scratch)))
    #expect(
      try Self.count("ends", in: scratch) == Self.count("starts", in: scratch))
    #expect(fresh.contains("\"rate\":1.1"))
    #expect(reused == fresh)
    #expect(beside == fresh)
  }

  @Test("Where no program takes part it is said that none is started anew")
  func freshWithoutPrograms() async throws {
    let scratch = try Scratch()
    try Files.write(scenario(), to: scratch.file("night.json5"))
    let words = ["run", scratch.file("night.json5"), "--out", scratch.file("out"), "--quiet"]
    let sentence = "--fresh-programs has no effect: no program takes part.\n"
    #expect(await program(words + ["--fresh-programs"]).error.contains(sentence))
    #expect(await !program(words).error.contains(sentence))
    let verify = ["verify", scratch.file("night.json5"), "--results", scratch.file("kept")]
    let idle = await program(verify + ["--allow-programs", "--fresh-programs"])
    #expect(idle.error.contains(sentence), "\(idle.error)")
    let folder = scratch.file("study")
    let study = ["study", "start", try SmallStudy.write(in: scratch), "--out", folder]
    for words in [study, ["study", "run", folder], ["study", "runs", folder, "--case", "0"]] {
      #expect(await program(words + ["--fresh-programs"]).error.contains(sentence), "\(words)")
    }
    let verified = await program(["study", "verify", folder, "--rerun", "1", "--fresh-programs"])
    #expect(verified.code == 0 && verified.error == sentence, "\(verified.error)")
  }

  @Test("Where verify starts no program, none can be started anew")
  func freshWithoutConsent() throws {
    let scratch = try Self.scratch()
    let words = ["verify", "evening.json5", "--fresh-programs"]
    let refused = try Binary.run(words, in: scratch.url)
    #expect(refused.code == 64)
    #expect(refused.error.contains("Without --allow-programs no program is started"))
    // Nothing is kept to compare with.
    #expect(try Binary.run(words + ["--allow-programs"], in: scratch.url).code == 1)
    #expect(try Self.count("starts", in: scratch) == 4)
  }

  @Test(
    "One that cannot begin another run after all is started anew",
    arguments: Extent.some(of: ["exit 0", "echo done", "exec sleep 0"], every: 3))
  func breaksItsWord(more: String) throws {
    let scratch = try Self.scratch(Self.steady(more))
    let reused = try Self.run(["--jobs", "1"], in: scratch)
    #expect(try Self.count("starts", in: scratch) == 4)
    #expect(try reused == Self.run(["--fresh-programs"], in: scratch))
  }

  @Test("What it wrote in an earlier run is not told as the reason for which a later one failed")
  func forgetsErrors() throws {
    let decide = """
      if [ "$(wc -l <runs)" = 1 ]; then echo early >&2; \(Self.act); else echo late >&2; exit 3; fi
      """
    let scratch = try Self.scratch(Self.steady(at: decide))
    let result = try Binary.runByHand(
      ["run", "evening.json5", "--allow-programs", "--jobs", "1", "--out", "out"], in: scratch)
    #expect(result.code == 69)
    let text = result.output + result.error
    #expect(text.contains("ended with exit status 3"), "\(text)")
    #expect(text.contains("It last wrote:\n  late"), "\(text)")
    #expect(!text.contains("early"), "\(text)")
  }

  @Test("An error that is written before the calls which led to it is told with the first of them")
  func errorBeforeCalls() {
    let calls = (1...9).map { "    at next (node:internal/\($0))\n" }.joined()
    let written = """
      /home/me/loop.js:4
        throw new Error("no profile");
        ^

      Error: no profile
          at decide (/home/me/loop.js:4:9)
      \(calls)
      Node.js v20
      """
    let told = StartedProgram.lastWords(of: written).map(String.init)
    #expect(
      told == [
        "/home/me/loop.js:4", "  throw new Error(\"no profile\");", "  ^", "Error: no profile",
        "    at decide (/home/me/loop.js:4:9)", "Node.js v20",
      ])
    // Where nothing calls, the last six lines are told.
    let log = (1...9).map { "line \($0)" }.joined(separator: "\n")
    #expect(StartedProgram.lastWords(of: log).first == "line 4")
    #expect(StartedProgram.lastWords(of: "").isEmpty)
  }
}
