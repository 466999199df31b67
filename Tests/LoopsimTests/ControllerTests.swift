import Foundation
import TestSupport
import Testing

@testable import loopsim

/// Every child that these tests start ends by itself or is ended after seconds.
@Suite("Programs decide on the command line")
struct ControllerTests {
  /// The lines of a program that says the same at every question.
  private static func shell(_ act: String) -> String {
    Scratch.program(act, at: "decide", hello: #""name":"steady""#)
  }

  private static let steady = "echo '{\"type\":\"act\",\"tempBasal\":{\"rate\":1.1}}'"

  private static func scenario(_ more: String) -> String {
    """
    { format: 'loopsim/1', id: 'evening', clock: { duration: '2h' },
      patient: { model: 'tidepool-simple', initialGlucose: 170,
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
          carbRatio: [['00:00', 10]] } },
      \(more) }
    """
  }

  private static func program(_ act: String, _ name: String, in scratch: Scratch) throws {
    try scratch.writeProgram(shell(act), named: name)
  }

  @Test("A file starts no program without consent, and no other command starts one")
  func consent() throws {
    let scratch = try Scratch()
    try Self.program("touch started; \(Self.steady)", "steady.sh", in: scratch)
    try Files.write(
      Self.scenario("\n  controller: { command: ['./steady.sh'] },"),
      to: scratch.file("evening.json5"))
    let refused = try Binary.runByHand(["run", "evening.json5"], in: scratch)
    #expect(refused.code == 65)
    #expect(refused.error.contains("evening.json5:6:26:"), "\(refused.error)")
    #expect(refused.error.contains("--allow-programs"))
    for command in ["check", "expand", "verify", "freeze"] {
      _ = try Binary.runByHand([command, "evening.json5"], in: scratch)
    }
    #expect(try !scratch.names.contains("started"))
    let words = ["run", "evening.json5", "--out", "out"]
    #expect(
      try Binary.runByHand(words, in: scratch, environment: ["LOOPSIM_ALLOW_PROGRAMS": "1"]).code
        == 0)
    #expect(try scratch.names.contains("started"))
  }

  @Test("A run without an app is refused where a program is to decide, and the others go on")
  func withoutApp() throws {
    let scratch = try Scratch()
    try Self.program(Self.steady, "steady.sh", in: scratch)
    try Files.write(Self.scenario("\n  app: 'none',"), to: scratch.file("evening.json5"))
    try Files.write(
      Self.scenario("").replacing("'evening'", with: "'night'"), to: scratch.file("night.json5"))
    let words = ["run", "evening.json5", "night.json5", "--controller", "./steady.sh"]
    let run = try Binary.runByHand(words + ["--out", "out"], in: scratch)
    #expect(run.code == 65)
    let told = run.output + run.error
    #expect(told.contains("evening.json5:6:8: A program that decides needs an app"), "\(told)")
    #expect(try scratch.text(of: "out/night/summary.json").contains("\"night\""))
  }

  @Test(
    "The words of a command are those that a shell makes of it",
    arguments: [
      (#"python3  pid.py"#, ["python3", "pid.py"]), (#"a'b c'd """#, ["ab cd", ""]),
      (#"p -c "print(\"a\tb\")""#, ["p", "-c", #"print("a\tb")"#]),
      (#"p "a\\b" 'a\b' a\b a\ b"#, ["p", #"a\b"#, #"a\b"#, "ab", "a b"]),
      (#"p "\$HOME" '|'"#, ["p", "$HOME", "|"]),
    ])
  func words(command: String, words: [String]) throws {
    #expect(try CommandWords.words(of: command) == words)
  }

  @Test("A program has the variables that its scenario states, also in place of the usual ones")
  func ownVariables() throws {
    let scratch = try Scratch()
    try Self.program("env > variables; exit 1", "tell.sh", in: scratch)
    let own = "{ LC_ALL: 'C', MINE: 'yes', PYTHONHASHSEED: '7' }"
    try Files.write(
      Self.scenario("\n  controller: { command: ['./tell.sh'], environment: \(own) },"),
      to: scratch.file("evening.json5"))
    let words = ["run", "evening.json5", "--out", "out", "--allow-programs"]
    #expect(try Binary.runByHand(words, in: scratch).code == 69)
    let found = try scratch.text(of: "variables").split(separator: "\n")
    for line in ["LC_ALL=C", "MINE=yes", "PYTHONHASHSEED=7", "PYTHONUNBUFFERED=1", "LOOPSIM=1"] {
      #expect(found.contains(line[...]), "\(found)")
    }
  }

  /// At 1.1 U/h a pulse of 0.05 U is due every 164 s.
  ///
  /// The second within five minutes is not reached, so that 24 cycles give 24 pulses. Said once in
  /// half an hour it is 11 pulses, 0.55 U.
  @Test(
    "A rate that is said at every cycle loses the fractions of pulses that BRIDGE.md tells of",
    arguments: [(1, 1.2), (6, 2.2)])
  func repeatedRate(every: Int, units: Double) throws {
    let scratch = try Scratch()
    let answer =
      every == 1
      ? Self.steady
      : """
      n=$((${n:-0} + 1)); if [ $((n % \(every))) = 1 ]; then \(Self.steady); \
      else echo '{"type":"act"}'; fi
      """
    try Self.program(answer, "steady.sh", in: scratch)
    try Files.write(Self.scenario(""), to: scratch.file("evening.json5"))
    let result = try Binary.runByHand(
      ["run", "evening.json5", "--out", "out", "--controller", "./steady.sh"], in: scratch)
    #expect(result.code == 0, "\(result.output)\(result.error)")
    let summary = try scratch.text(of: "out/evening/summary.json")
    #expect(summary.contains("\"basal_U\": \(units),"), "\(summary)")
  }

  @Test("Kept answers stand for the program, and one changed digit is found")
  func records() throws {
    let scratch = try Scratch()
    try Self.program(Self.steady, "steady.sh", in: scratch)
    try Files.write(
      Self.scenario("controller: { command: ['./steady.sh'] },"),
      to: scratch.file("evening.json5"))
    let verify = ["verify", "evening.json5", "--results", "kept"]
    let kept = try Binary.runByHand(verify + ["--allow-programs", "--update"], in: scratch)
    #expect(kept.code == 0, "\(kept.output)\(kept.error)")
    // A program that is there is not started, and one that is gone is not missed.
    try Self.program("touch started; \(Self.steady)", "steady.sh", in: scratch)
    #expect(try Binary.runByHand(verify, in: scratch).code == 0)
    #expect(try !scratch.names.contains("started"))
    try FileManager.default.removeItem(atPath: scratch.file("steady.sh"))
    let same = try Binary.runByHand(verify, in: scratch)
    #expect(same.code == 0, "\(same.output)\(same.error)")
    let path = "kept/evening/decisions.ndjson"
    let record = try scratch.text(of: path)
    try FileManager.default.removeItem(atPath: scratch.file(path))
    try FileManager.default.createDirectory(
      atPath: scratch.file(path), withIntermediateDirectories: false)
    let unread = try Binary.runByHand(verify, in: scratch)
    #expect(unread.code == 1)
    #expect(unread.output.contains("\(path): cannot be read: "), "\(unread.output)")
    try FileManager.default.removeItem(atPath: scratch.file(path))
    try Files.write(record, to: scratch.file(path))
    var lines = record.split(separator: "\n").map(String.init)
    let place = try #require(lines[5].firstRange(of: "\"asked\":\"")).upperBound
    let digit = lines[5][place] == "0" ? "1" : "0"
    lines[5].replaceSubrange(place...place, with: digit)
    try Files.write(lines.joined(separator: "\n") + "\n", to: scratch.file(path))
    let changed = try Binary.runByHand(verify, in: scratch)
    #expect(changed.code == 1)
    #expect(changed.output.contains("\(path):6: question 4"), "\(changed.output)")
    #expect(changed.output.contains("glucose differs"))
    // A scenario may name the record itself.
    try Files.write(
      Self.scenario("controller: { transcript: 'kept/evening/decisions.ndjson' },"),
      to: scratch.file("named.json5"))
    #expect(try Binary.runByHand(["run", "named.json5"], in: scratch).code == 1)
  }

  @Test("A page and a comparison take kept answers, and without them say what is lacking")
  func pagesOfRecords() throws {
    let scratch = try Scratch()
    try Self.program("touch started; \(Self.steady)", "steady.sh", in: scratch)
    try Files.write(
      Self.scenario("\n  controller: { command: ['./steady.sh'] },"),
      to: scratch.file("evening.json5"))
    let alone = [["report", "evening.json5"], ["compare", "evening.json5", "evening.json5"]]
    for words in alone {
      let refused = try Binary.runByHand(words, in: scratch)
      #expect(refused.code == 65)
      #expect(
        refused.error.contains("evening.json5:6:26: A program decides this run, and there is no"),
        "\(refused.error)")
    }
    #expect(try !scratch.names.contains("started"))
    let run = ["run", "evening.json5", "--allow-programs", "--out", "out"]
    #expect(try Binary.runByHand(run, in: scratch).code == 0)
    try FileManager.default.removeItem(atPath: scratch.file("steady.sh"))
    // A result, and the batch that it is of, have the answers beside them.
    for folder in ["out/evening", "out"] {
      let page = try Binary.runByHand(["report", folder], in: scratch)
      #expect(page.code == 0, "\(page.error)")
      #expect(page.output.contains("page in \(folder)/report.html"), "\(page.output)")
    }
    // A scenario by itself has them where results usually are.
    try FileManager.default.createDirectory(
      atPath: scratch.file("Results"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: scratch.file("out/evening"), toPath: scratch.file("Results/evening"))
    for words in alone {
      let taken = try Binary.runByHand(words, in: scratch)
      #expect(taken.code == 0, "\(taken.error)")
    }
  }

  @Test("A run is frozen with the record of its program's answers, and repeats without it")
  func freezes() throws {
    let scratch = try Scratch()
    try Self.program(Self.steady, "steady.sh", in: scratch)
    let more = "cgm: { model: 'ar1' }, behaviour: { correction: { above: 150 } },"
    try Files.write(
      Self.scenario("\(more) controller: { command: ['./steady.sh'] },"),
      to: scratch.file("evening.json5"))
    let words = ["run", "evening.json5", "--allow-programs", "--out", "out"]
    #expect(try Binary.runByHand(words, in: scratch).code == 0)
    try FileManager.default.removeItem(atPath: scratch.file("steady.sh"))
    try FileManager.default.createDirectory(
      atPath: scratch.file("frozen"), withIntermediateDirectories: true)
    try Files.write(
      Self.scenario("\(more) controller: { transcript: 'out/evening/decisions.ndjson' },"),
      to: scratch.file("kept.json5"))
    let freeze = ["freeze", "kept.json5", "-o", "frozen/evening.json5"]
    let frozen = try Binary.runByHand(freeze, in: scratch)
    #expect(frozen.code == 0, "\(frozen.error)")
    let text = try scratch.text(of: "frozen/evening.json5")
    #expect(text.contains("transcript: '../out/evening/decisions.ndjson'"), "\(text)")
    let again = ["run", "frozen/evening.json5", "--out", "again", "--allow-outside"]
    let result = try Binary.runByHand(again, in: scratch)
    #expect(result.code == 0, "\(result.output)\(result.error)")
    #expect(
      try scratch.text(of: "again/evening-frozen/timeline.csv")
        == scratch.text(of: "out/evening/timeline.csv"))
    // A record that does not fit stops it, and nothing is written.
    try Files.write(
      Self.scenario(
        "cgm: { model: 'ar1' }, "
          + "controller: { transcript: 'out/evening/decisions.ndjson', history: '1h' },"),
      to: scratch.file("kept.json5"))
    let wrong = try Binary.runByHand(["freeze", "kept.json5", "-o", "none.json5"], in: scratch)
    #expect(wrong.code == 1, "\(wrong.output)\(wrong.error)")
    #expect(wrong.error.contains("is not the one that was answered"))
    try Files.write(
      Self.scenario("controller: { transcript: 'none.ndjson' },"), to: scratch.file("gone.json5"))
    for (file, code) in [("kept.json5", 1 as Int32), ("gone.json5", 65)] {
      let replayed = try Binary.runByHand(["replay", file, "--at", "+2h"], in: scratch)
      #expect(replayed.code == code, "\(file): \(replayed.error)")
    }
    #expect(try !scratch.names.contains("none.json5"))
  }

  @Test("A program of the command line decides, and is told what its words mean")
  func commandLine() throws {
    let scratch = try Scratch()
    try Self.program(Self.steady, "a program.sh", in: scratch)
    try Files.write(Self.scenario(""), to: scratch.file("evening.json5"))
    func run(_ command: String) throws -> Binary.Result {
      try Binary.runByHand(
        ["run", "evening.json5", "--controller", command, "--out", "out"], in: scratch)
    }
    #expect(try run("'./a program.sh' --fast").code == 0)
    #expect(try scratch.text(of: "out/evening/decisions.ndjson").contains("\"rate\":1.1"))
    let piped = try run("./a | tee log")
    #expect(piped.code == 64)
    #expect(piped.error.contains("No shell runs here"))
    let missing = try run("./none")
    #expect(missing.code == 69)
    #expect(missing.error.contains("No such file or directory"), "\(missing.error)")
  }

  @Test("A program that fails costs its own run, one sentence and the exit code 69")
  func failures() throws {
    let scratch = try Scratch()
    let acts = [
      "good": Self.steady, "dies": "echo 'no model' >&2; exit 3", "crashes": "kill -9 $$",
      "hangs": "exec sleep 60", "floods": "exec head -c 2000000 /dev/zero",
      "lies": "echo '{\"type\":\"act\",\"tempBasal\":{\"rate\":\"abc\"}}'",
      "prints": "echo thinking", "goes": "sleep 60 & exit 4",
    ]
    let sentences = [
      "dies": "ended with exit status 3", "crashes": "was ended by signal 9",
      "hangs": "gave no answer in time", "floods": "wrote a line of more than 1048576 bytes",
      "lies": "\"tempBasal.rate\" must be a number",
      "prints": "printed text where a message was due",
      "goes": "ended with exit status 4", "none": "No such file or directory",
    ]
    var variants = "none: { controller: { command: ['./none'] } },"
    for (name, act) in acts.sorted(by: { $0.key < $1.key }) {
      try Self.program(act, name, in: scratch)
      // A busy machine takes its time; only who never answers is waited for in vain.
      let limit = sentences[name]?.contains("in time") == true ? "1s" : "30s"
      variants += "\(name): { controller: { command: ['./\(name)'], timeout: '\(limit)' } },"
    }
    try Files.write(
      Self.scenario("variants: { \(variants) },"), to: scratch.file("evening.json5"))
    let words = ["run", "evening.json5", "--allow-programs", "--out", "out", "--junit", "all.xml"]
    let result = try Binary.runByHand(words + ["--jobs", "8"], in: scratch)
    #expect(result.code == 69, "\(result.error)")
    let junit = try scratch.text(of: "all.xml")
    for (name, sentence) in sentences {
      let line = result.output.split(separator: "\n").first {
        $0.contains("./\(name)\"") && $0.contains(sentence)
      }
      #expect(line != nil, "\(name): \(result.output)")
    }
    // Eight of nine programs fail, and what has no result is no expectation that fails.
    #expect(
      result.output.hasSuffix(
        "\n9 runs, 8 of them without a result, 0 expectations hold, 0 fail.\n"),
      "\(result.output)")
    #expect(junit.contains("<error"))
    let folders = try FileManager.default.contentsOfDirectory(atPath: scratch.file("out/evening"))
    #expect(folders.contains { $0.contains("good") })
    #expect(!folders.contains { $0.contains("dies") })
  }

  @Test("Many runs with a program give the same whatever their number at once")
  func jobs() throws {
    let runs = Extent.of(3, whole: 6)
    let scratch = try Scratch()
    try Self.program(Self.steady, "steady.sh", in: scratch)
    try Files.write(
      Self.scenario(
        "random: { seed: 1, replicates: \(runs) }, cgm: { model: 'dexcomG6' }, "
          + "controller: { command: ['./steady.sh'] },"),
      to: scratch.file("evening.json5"))
    func summaries(_ jobs: String) throws -> [String] {
      let words = ["run", "evening.json5", "--allow-programs", "--jobs", jobs, "--out", jobs]
      let result = try Binary.runByHand(words, in: scratch)
      #expect(result.code == 0, "\(result.output)\(result.error)")
      let folders = FileManager.default.enumerator(atPath: scratch.file(jobs))?.allObjects ?? []
      let names = folders.compactMap { $0 as? String }.filter { $0.hasSuffix("decisions.ndjson") }
      return try names.sorted().map { try scratch.text(of: "\(jobs)/\($0)") }
    }
    let one = try summaries("1")
    #expect(one.count == runs)
    #expect(Set(one).count == runs)
    #expect(try summaries("8") == one)
  }

  /// A cycle every five minutes from the start to the end: 25 answers for two hours, 13 for one.
  @Test("Whoever lives through a run tells of recorded answers that it has not asked for")
  func unusedAnswers() throws {
    let scratch = try Scratch()
    try Self.program(Self.steady, "steady.sh", in: scratch)
    try Files.write(
      Self.scenario("controller: { command: ['./steady.sh'] },"), to: scratch.file("evening.json5"))
    let run = try Binary.runByHand(
      ["run", "evening.json5", "--out", "out", "--allow-programs"], in: scratch)
    #expect(run.code == 0, "\(run.error)")
    let half = Self.scenario("controller: { transcript: 'out/evening/decisions.ndjson' },")
      .replacing("duration: '2h'", with: "duration: '1h'")
    try Files.write(half, to: scratch.file("half.json5"))
    let sentence = "The run is over after 13 of the 25 recorded answers"
    for (words, code) in [
      (["run", "half.json5", "--out", "half"], 0), (["verify", "half.json5", "--update"], 0),
      (["verify", "half.json5"], 0), (["report", "half.json5", "--output", "page.html"], 0),
      (["report", "half/evening"], 0), (["report", "half"], 0),
      (["replay", "half.json5", "--at", "+1h"], 0), (["freeze", "half.json5"], 0),
      (["compare", "half.json5", "half/evening"], 0),
    ] {
      let told = try Binary.runByHand(words, in: scratch)
      #expect(told.code == code, "\(words): \(told.output)\(told.error)")
      // Of several runs and looks it is told once.
      #expect(told.error.ranges(of: sentence).count == 1, "\(words): \(told.error)")
    }
    // Before its end the run may still ask for the others.
    let before = try Binary.runByHand(["replay", "half.json5", "--at", "+30m"], in: scratch)
    #expect(before.code == 0 && !before.error.contains("recorded answers"), "\(before.error)")
  }
}
