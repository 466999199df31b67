import Foundation
import Testing

@testable import loopsim

/// Every child that these tests start ends by itself or is ended after seconds.
@Suite("Programs are bodies on the command line")
struct BodyProgramTests {
  /// The lines of a program that says the same at every question.
  private static func shell(_ lived: String) -> String {
    Scratch.program(lived, at: "live", hello: #""name":"stone","role":"body""#)
  }

  private static let stone = "echo '{\"type\":\"lived\",\"glucose\":150}'"

  private static func scenario(_ body: String, _ more: String = "") -> String {
    """
    { format: 'loopsim/1', id: 'evening', clock: { duration: '2h' },
      patient: { model: 'external', \(body)
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
          carbRatio: [['00:00', 10]] } },
      \(more) }
    """
  }

  private static func program(_ lived: String, _ name: String, in scratch: Scratch) throws {
    try scratch.writeProgram(shell(lived), named: name)
  }

  @Test("A file starts no body without consent, and no other command starts one")
  func consent() throws {
    let scratch = try Scratch()
    try Self.program("touch started; \(Self.stone)", "stone.sh", in: scratch)
    try Files.write(
      Self.scenario("command: ['./stone.sh'],"), to: scratch.file("evening.json5"))
    let refused = try Binary.runByHand(["run", "evening.json5"], in: scratch)
    #expect(refused.code == 65)
    #expect(refused.error.contains("evening.json5:2:42:"), "\(refused.error)")
    #expect(refused.error.contains("--allow-programs"))
    for command in ["check", "expand", "verify", "freeze"] {
      _ = try Binary.runByHand([command, "evening.json5"], in: scratch)
    }
    // A run without a result is not the same as the kept one.
    let verified = try Binary.runByHand(["verify", "evening.json5"], in: scratch)
    #expect(verified.code == 1)
    #expect(verified.output.contains("1 run: 0 the same, 0 differ, 1 fails;"), "\(verified.output)")
    // Consent to the program of the command line is none to that of the file.
    _ = try Binary.runByHand(["run", "evening.json5", "--controller", "./stone.sh"], in: scratch)
    #expect(try !scratch.names.contains("started"))
    let words = ["run", "evening.json5", "--out", "out"]
    #expect(
      try Binary.runByHand(words, in: scratch, environment: ["LOOPSIM_ALLOW_PROGRAMS": "1"]).code
        == 0)
    #expect(try scratch.names.contains("started"))
    #expect(try scratch.text(of: "out/evening/lived.ndjson").contains("\"seat\":\"body\""))
    let frozen = try Binary.runByHand(["freeze", "evening.json5"], in: scratch)
    #expect(frozen.code == 65)
    #expect(frozen.error.contains("patient.transcript"), "\(frozen.error)")
    let step = try Binary.runByHand(words + ["--allow-programs", "--check-step"], in: scratch)
    #expect(step.code == 65)
    #expect(step.error.contains("evening.json5:2:42:"), "\(step.error)")
    let none = Self.scenario("")
    try Files.write(none, to: scratch.file("none.json5"))
    let nobody = try Binary.runByHand(["run", "none.json5", "--allow-programs"], in: scratch)
    #expect(nobody.code == 65)
    #expect(nobody.error.contains("Name it as patient.command"), "\(nobody.error)")
  }

  @Test("Kept answers stand for the body, and one changed digit is found")
  func records() throws {
    let scratch = try Scratch()
    try Self.program(Self.stone, "stone.sh", in: scratch)
    try Files.write(
      Self.scenario(
        "command: ['./stone.sh'],", "events: [{ at: '+1h', meal: { grams: 20 } }],"),
      to: scratch.file("evening.json5"))
    let verify = ["verify", "evening.json5", "--results", "Results"]
    let missing = try Binary.runByHand(verify, in: scratch)
    #expect(missing.code == 1 || missing.code == 65, "\(missing.output)\(missing.error)")
    #expect(missing.output.contains("there is no record"), "\(missing.output)\(missing.error)")
    let kept = try Binary.runByHand(verify + ["--allow-programs", "--update"], in: scratch)
    #expect(kept.code == 0, "\(kept.output)\(kept.error)")
    try FileManager.default.removeItem(atPath: scratch.file("stone.sh"))
    let same = try Binary.runByHand(verify, in: scratch)
    #expect(same.code == 0, "\(same.output)\(same.error)")
    let shown = try Binary.runByHand(["replay", "evening.json5", "--at", "+90m"], in: scratch)
    #expect(shown.code == 0, "\(shown.error)")
    #expect(shown.output.contains("150"), "\(shown.output)")
    let path = "Results/evening/lived.ndjson"
    var lines = try scratch.text(of: path).split(separator: "\n").map(String.init)
    let place = try #require(lines[5].firstRange(of: "\"asked\":\"")).upperBound
    let digit = lines[5][place] == "0" ? "1" : "0"
    lines[5].replaceSubrange(place...place, with: digit)
    try Files.write(lines.joined(separator: "\n") + "\n", to: scratch.file(path))
    let changed = try Binary.runByHand(verify, in: scratch)
    #expect(changed.code == 1)
    #expect(changed.output.contains("\(path):6: question 4"), "\(changed.output)")
    #expect(changed.output.contains("insulin differs"))
    // A scenario may name the record itself, which must be one of a body.
    try Files.write(
      Self.scenario("transcript: '\(path)',"), to: scratch.file("named.json5"))
    #expect(try Binary.runByHand(["run", "named.json5"], in: scratch).code == 1)
    lines[0] = lines[0].replacing("\"seat\":\"body\"", with: "\"seat\":\"controller\"")
    lines = [lines[0]]
    try Files.write(lines.joined(separator: "\n") + "\n", to: scratch.file(path))
    for command in ["run", "check"] {
      let other = try Binary.runByHand([command, "named.json5"], in: scratch)
      #expect(other.code == 65)
      let told = other.output + other.error
      #expect(told.contains("record of a program that decides"), "\(told)")
    }
    // One that is not there is told where it is named, also before a run.
    try Files.write(Self.scenario("transcript: 'none.ndjson',"), to: scratch.file("named.json5"))
    let absent = try Binary.runByHand(["check", "named.json5"], in: scratch)
    #expect(absent.code == 65)
    let told = absent.output + absent.error
    #expect(told.contains("error: none.ndjson: cannot be read"), "\(told)")
  }

  @Test("A body that fails costs its own run, one sentence and the exit code 69")
  func failures() throws {
    let scratch = try Scratch()
    // No other process sleeps as long as the one that a program leaves behind.
    let marker = "61.0\(getpid())"
    let acts = [
      "good": Self.stone, "dies": "echo 'no model' >&2; exit 3", "crashes": "kill -9 $$",
      "hangs": "exec sleep 60", "floods": "exec head -c 2000000 /dev/zero",
      "chatters": "head -c 300000 /dev/zero >&2; exit 5", "closes": "exec <&- sleep 60",
      "lies": "echo '{\"type\":\"lived\",\"glucose\":\"abc\"}'",
      "forgets": "echo '{\"type\":\"lived\",\"n\":77,\"glucose\":150}'",
      "freezes": "echo '{\"type\":\"lived\",\"glucose\":-2}'",
      "boils": "echo '{\"type\":\"lived\",\"glucose\":2000.5}'",
      "divides": "echo '{\"type\":\"lived\",\"glucose\":NaN}'",
      "prints": "echo thinking", "goes": "sleep \(marker) & exit 4",
    ]
    let sentences = [
      "dies": "ended with exit status 3 at 2026-01-05T00:00:00Z (question 0)",
      "crashes": "was ended by signal 9",
      "hangs": "gave no answer in time", "floods": "wrote a line of more than 1048576 bytes",
      "chatters": "ended with exit status 5", "closes": "gave no answer in time",
      "lies": "\"glucose\" must be a number", "forgets": "\"n\" must be 0",
      "freezes": "from 0 to 2000", "boils": "from 0 to 2000", "divides": "allow_nan=False",
      "prints": "printed text where a message was due",
      "goes": "ended with exit status 4", "none": "No such file or directory",
      "plain": "Permission denied",
    ]
    try Files.write(Self.shell(Self.stone), to: scratch.file("plain"))
    var variants = ""
    for name in acts.keys.sorted() + ["none", "plain"] {
      if let act = acts[name] { try Self.program(act, name, in: scratch) }
      // A busy machine takes its time; only who never answers is waited for in vain.
      let limit = sentences[name]?.contains("in time") == true ? "1s" : "30s"
      variants += "\(name): { patient: { command: ['./\(name)'], timeout: '\(limit)' } },"
    }
    try Files.write(
      Self.scenario("", "variants: { \(variants) },"), to: scratch.file("evening.json5"))
    let words = ["run", "evening.json5", "--allow-programs", "--out", "out", "--junit", "all.xml"]
    let result = try Binary.runByHand(words + ["--jobs", "8"], in: scratch)
    #expect(result.code == 69, "\(result.error)")
    let junit = try scratch.text(of: "all.xml")
    for (name, sentence) in sentences {
      let line = result.output.split(separator: "\n").first {
        $0.contains("The body \"./\(name)\"") && $0.contains(sentence)
      }
      #expect(line != nil, "\(name): \(result.output)")
    }
    #expect(junit.contains("<error"))
    let folders = try FileManager.default.contentsOfDirectory(atPath: scratch.file("out/evening"))
    #expect(folders.filter { !$0.hasPrefix(".") } == ["good"], "\(folders)")
    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    let orphans = processes.filter { process in
      Int(process) != nil
        && (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8))?
          .contains(marker) == true
    }
    #expect(orphans == [])
  }

  @Test("A body and a controller may both be programs, each with a record of its own")
  func both() throws {
    let scratch = try Scratch()
    try Self.program(Self.stone, "stone.sh", in: scratch)
    let steady = Self.shell("").replacing("'{\"type\":\"live\"'*)  ;;", with: "")
      .replacing("\"role\":\"body\"", with: "\"role\":\"controller\"")
      .replacing(
        "*) exit 0", with: "'{\"type\":\"decide\"'*) echo '{\"type\":\"act\"}' ;;\n *) exit 0")
    try Files.write(steady, to: scratch.file("steady.sh"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: scratch.file("steady.sh"))
    try Files.write(
      Self.scenario(
        "command: ['./stone.sh'],",
        "random: { seed: 1, replicates: 4 }, controller: { command: ['./steady.sh'] },"),
      to: scratch.file("evening.json5"))
    func records(_ jobs: String) throws -> [String] {
      let words = ["run", "evening.json5", "--allow-programs", "--jobs", jobs, "--out", jobs]
      let result = try Binary.runByHand(words, in: scratch)
      #expect(result.code == 0, "\(result.output)\(result.error)")
      let folders = FileManager.default.enumerator(atPath: scratch.file(jobs))?.allObjects ?? []
      let names = folders.compactMap { $0 as? String }.filter { $0.hasSuffix(".ndjson") }
      return try names.sorted().map { try scratch.text(of: "\(jobs)/\($0)") }
    }
    let one = try records("1")
    #expect(one.count == 8)
    #expect(try records("8") == one)
  }
}
