import HealthStore
import Testing

@testable import loopsim

@Suite("Words that a command cannot use are refused, with what was expected")
struct WrongWordTests {
  @Test("A basal schedule is read in decimal alone, whole, and from midnight on")
  func profiles() async throws {
    let scratch = try Scratch()
    let file = scratch.file("dump.json")
    try Files.write(
      """
      [{"_id":"a","eventType":"Correction Bolus","created_at":"2026-02-03T02:00:00Z",
        "insulin":2,"enteredBy":"loop://Loop"}]
      """, to: file)
    func audit(_ profile: String) async -> (code: Int32, output: String, error: String) {
      await program(["audit", file, "--zone", "UTC", "--profile", profile])
    }
    for profile in ["00:00=0.8", "00:00=8e-1", "00:00=0.8,06:00=35"] {
      let taken = await audit(profile)
      #expect(taken.code == 0, "\(profile): \(taken.error)")
    }
    for profile in [
      "00:00=0x10", "00:00=0.8,,06:00=1", "00:00=0.8,", "00:00==0.8", "01:00=1", "00:00=35.1",
      "00:00=nan", "00:00=1,00:00=2", "00:00",
    ] {
      let refused = await audit(profile)
      #expect(refused.code == 64, "\(profile): \(refused.output)")
      #expect(
        refused.error
          == "Error: --profile '\(profile)': write times and rates such as "
          + "'00:00=0.8,06:00=1.1'. The first time is 00:00, the others ascend, and a rate is from "
          + "0 to 35 U/h.\n")
    }
  }

  @Test("What is wrong with a therapy's file is told once")
  func therapies() async throws {
    let scratch = try Scratch()
    let (record, therapy) = (scratch.file("dump.json"), scratch.file("me.json5"))
    try Files.write(
      "[{\"type\":\"sgv\",\"dateString\":\"2026-02-03T00:00:00Z\",\"sgv\":110}]", to: record)
    try Files.write("{ format: 'loopsim/1' }", to: therapy)
    let result = await program(["backtest", record, "--therapy", therapy, "--zone", "UTC"])
    #expect(result.code == 65)
    #expect(
      result.error
        == "\(therapy):1:1: error: \"patient\" is missing; it must be an object.\n",
      "\(result.error)")
  }

  @Test("A pulse is one that a pump can have, whichever command asks", arguments: ["0", "-1", "3"])
  func pulses(pulse: String) async throws {
    let fixture = try StoreFixture()
    for words in [["audit"], ["store", "timeline"], ["store", "verify"]] {
      let result = await program(words + [fixture.path, "--pulse=\(pulse)"])
      #expect(result.code == 64, "\(words)")
      #expect(result.error.hasPrefix("Error: --pulse is from 0.0001 to 1 U.\n"), "\(result.error)")
    }
  }

  @Test("Words about a store say what is wanted, and of one sample no number")
  func stores() async throws {
    let fixture = try StoreFixture()
    let restored = await fixture.run("restore", fixture.path, fixture.path)
    #expect(restored.code == 65)
    #expect(
      restored.error.hasSuffix("\nGive the record that 'loopsim store delete' wrote.\n"),
      "\(restored.error)")
    let turned = await fixture.run(
      "add", fixture.path, "BloodGlucose", "100", "--at", "2026-01-02", "--to", "2026-01-01")
    #expect(turned.code == 65)
    #expect(
      turned.error
        == "Error: The sample ends (2026-01-01T00:00:00Z) before it starts "
        + "(2026-01-02T00:00:00Z).\n")
  }

  @Test(
    "A word that is no time, day, unit or type is told what it must be, also where no help says it",
    arguments: [
      (
        ["delete", "h.sqlite", "x", "--at", "now"],
        "a time or a date, such as 2026-01-15T07:00:00-06:00 or 2026-01-15"
      ),
      (
        ["activity", "h.sqlite", "--from", "2026-01-15", "--to", "tomorrow"],
        "a day, such as 2026-01-05"
      ),
      (
        ["statistics", "h.sqlite", "BloodGlucose", "--unit", "drops"],
        "a unit as HealthKit writes it, such as mg/dL, IU or mmol/L"
      ),
      (
        ["samples", "h.sqlite", "glucose"],
        "a type of HealthKit's, such as BloodGlucose; 'loopsim store types' lists those of a store"
      ),
    ])
  func forms(words: [String], wanted: String) async {
    let told = await program(["store"] + words)
    #expect(told.code == 64)
    #expect(told.error.hasPrefix("Error: The value '\(words.last ?? "")' is invalid for '"))
    #expect(told.error.contains("'. It must be \(wanted).\nHelp:  "), "\(told.error)")
  }

  /// In Chicago the clock of 2026 goes from 02:00 to 03:00 on 8 March, and on 1 November from 02:00
  /// back to 01:00, at 07:00 UTC.
  @Test(
    "Of a time that a clock shows twice, or not at all, it is told which instant is meant",
    arguments: [
      ("2026-03-08T01:30", nil),
      (
        "2026-03-08T02:30",
        "The clock skips 2026-03-08T02:30; the first instant after the gap is used, "
          + "2026-03-08T03:00:00-05:00."
      ),
      (
        "2026-11-01T01:30",
        "The clock shows 2026-11-01T01:30 twice; the first is used, 2026-11-01T01:30:00-05:00. "
          + "The second is 2026-11-01T01:30:00-06:00."
      ), ("2026-11-01T01:30:00-06:00", nil),
    ] as [(String, String?)])
  func shownTwice(time: String, note: String?) async throws {
    let fixture = try StoreFixture()
    let span = ["--zone", "America/Chicago", "--to", time]
    for words in [
      ["audit", fixture.path], ["report", fixture.path, "-o", fixture.folder + "/page.html"],
      ["store", "timeline", fixture.path],
      ["store", "statistics", fixture.path, "InsulinDelivery"],
    ] {
      let told = await program(words + span)
      #expect(told.code == 0, "\(told.error)")
      let lines = told.error.split(separator: "\n").filter { $0.hasPrefix("The clock ") }
      #expect(lines.map(String.init) == [note].compactMap(\.self), "\(words)")
    }
  }

  @Test("A page of a store of which nothing lies in the span is none")
  func emptyPage() async throws {
    let fixture = try StoreFixture()
    let page = fixture.folder + "/page.html"
    let words = ["report", fixture.path, "--zone", "UTC", "-o", page, "--from"]
    let empty = await program(words + ["2030-01-01"])
    #expect(empty.code == 65)
    #expect(
      empty.error
        == "Error: \(fixture.path): there is no insulin, food or glucose to show from "
        + "2030-01-01T00:00:00Z on.\n", "\(empty.error)")
    #expect((try? Files.read(page)) == nil)
    #expect(await program(words + ["2026-01-01"]).code == 0)
  }

  @Test("A day that a run does not have is told, whatever its number", arguments: [0, 99, Int.min])
  func days(number: Int) async throws {
    let scratch = try Scratch()
    let file = scratch.file("night.json5")
    try Files.write(scenario(), to: file)
    let words = ["report", file, "-o", scratch.file("page.html"), "--svg", scratch.file("charts")]
    let refused = await program(words + ["--day=\(number)"])
    #expect(refused.code == 64)
    #expect(refused.error.hasPrefix("Error: The run has no day \(number). It has"))
  }

  @Test("A seed that does not give a result, and a file for the folder of results, are named")
  func results() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    try Files.write(scenario().replacing("'ideal'", with: "'ar1'"), to: file)
    _ = await program(["run", file, "--quiet", "--out", out])
    let page = ["report", "\(out)/quiet-night", "-o", scratch.file("page.html"), "--seed", "99"]
    let other = await program(page)
    #expect(other.code == 65)
    #expect(other.error.contains("which the seed 99 does not give"), "\(other.error)")
    let verified = await program(["verify", file, "--results", file])
    #expect(verified.code == 65)
    #expect(
      verified.error
        == "Error: \(file) is a file, where the folder of the kept results is wanted.\n")
  }
}
