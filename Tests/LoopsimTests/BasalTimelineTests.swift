import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

@testable import loopsim

/// The results of the day with trouble, on which basal is written until 21:35 alone.
///
/// They are made once for the suite, whose tests look at them.
struct DayOfTrouble: SuiteTrait, TestScoping {
  @TaskLocal static var scratch: Scratch?

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  static func found() throws -> (scratch: Scratch, folder: String) {
    let scratch = try #require(scratch)
    return (scratch, scratch.file("site-trouble-day"))
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let scratch = try Scratch()
    let file = Self.root + "/Scenarios/basal-reporting/site-trouble-day.json5"
    let result = await program(["run", file, "--quiet", "--out", scratch.path])
    #expect(result.code == 0)
    try await Self.$scratch.withValue(scratch) { try await function() }
  }
}

@Suite("The reported basal of a day beside what the pump gave", DayOfTrouble())
struct BasalTimelineTests {
  @Test("Pulses that a pump gives at once are counted one by one, as those of its segments are")
  func countsJoinedPulses() async throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', clock: { duration: '1h' }, app: { closedLoop: false },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1.2]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        pump: { model: 'tandemX2' } }
      """, to: scratch.file("grid.json5"))
    let out = scratch.file("out")
    #expect(
      await program(["run", scratch.file("grid.json5"), "--quiet", "--out", out]).code == 0)
    // Every five minutes 0.1 U in pulses of a thousandth.
    let pulses = try scratch.text(of: "out/grid/pulses.csv").split(separator: "\n")
    #expect(pulses.count == 13 && pulses.dropFirst().allSatisfy { $0.contains(",0.10,") })
    let doses = try scratch.text(of: "out/grid/doses.csv").split(separator: "\n")
    #expect(doses.count == 2 && doses[1].contains(",1200,"), "\(doses)")
    let table = await program(["store", "timeline", out + "/grid", "--format", "csv"])
    let rows = table.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let head = try #require(rows.first)
    let (reported, given) = try (
      #require(head.firstIndex(of: "reported_pulses")), #require(head.firstIndex(of: "pump_pulses"))
    )
    #expect(rows.dropFirst().reduce(0) { $0 + (Int($1[given]) ?? 0) } == 1_200)
    #expect(rows.dropFirst().allSatisfy { $0[reported] == $0[given] }, "\(rows)")
    for cell in ["1e300", "nan", "-1"] {
      let text = try scratch.text(of: "out/grid/pulses.csv").replacing(",0.10,", with: ",\(cell),")
      try Files.write(text, to: scratch.file("out/grid/pulses.csv"))
      let refused = await program(["store", "timeline", out + "/grid"])
      #expect(refused.code == 65 && refused.error.contains("pulses.csv:2:"), "\(refused.error)")
      try Files.write(
        text.replacing(",\(cell),", with: ",0.10,"), to: scratch.file("out/grid/pulses.csv"))
    }
    for (pulse, code) in [("0.0001", 0 as Int32), ("1", 0), ("1e-300", 64), ("1.01", 64)] {
      let result = await program(["store", "timeline", out + "/grid", "--pulse", pulse])
      #expect(result.code == code, "\(pulse): \(result.error)")
    }
  }

  @Test("Every pulse has a line, and the lines add up to all pulses of the run")
  func addsUp() async throws {
    let (scratch, folder) = try DayOfTrouble.found()
    let given = try scratch.text(of: "site-trouble-day/pulses.csv").split(separator: "\n")
      .filter { $0.contains(",basal,") }.count
    let words = ["store", "timeline", folder, "--zone", "America/Chicago"]
    let table = await program(words + ["--format", "csv"])
    let rows = table.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let head = try #require(rows.first)
    for name in ["reported_minus_programmed_U", "reported_minus_pump_U", "pump_pulses"] {
      #expect(head.contains(name), "\(head)")
    }
    let column = try #require(head.firstIndex(of: "pump_pulses"))
    let lines = rows.dropFirst().filter { $0[2] != "deleted" }
    #expect(lines.reduce(0) { $0 + (Int($1[column]) ?? 0) } == given)
    let last = try #require(lines.last)
    #expect(last[0] == "2025-03-04T21:35:00-06:00")
    #expect(last[1] == "2025-03-05T00:00:00-06:00")
    #expect(last[2] == "no segment")
    #expect(last.last == "no basal for 2h25m")
    let text = await program(words)
    let total = try #require(text.output.split(separator: "\n").last)
    #expect(total.hasPrefix("total"))
    #expect(total.contains(" \(given) "))
    #expect(total.contains("-1.45"))
  }

  /// The lines of a timeline as cells, without the header.
  private static func lines(_ words: [String]) async -> [[String]] {
    let table = await program(["store", "timeline"] + words + ["--format", "csv"])
    #expect(table.code == 0, "\(table.error)")
    return table.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("A window without a segment says so, and lists no sample that was deleted elsewhere")
  func windowWithoutSegments() async throws {
    let (_, folder) = try DayOfTrouble.found()
    let all = await Self.lines([folder])
    let deleted = try #require(
      all.first { $0[2] == "deleted" && $0[0].hasPrefix("2025-03-04T14:45") })
    #expect(
      deleted.last?.hasSuffix("; basal or a bolus of which the store keeps no amount") == true)
    let late = await Self.lines([folder, "--from", "2025-03-04T22:00", "--to", "2025-03-04T23:00"])
    #expect(late.count == 1, "\(late)")
    #expect(
      late.first?.prefix(3) == [
        "2025-03-04T22:00:00-06:00", "2025-03-04T23:00:00-06:00", "no segment",
      ])
    #expect(late.first?.last == "no basal for 1h")
  }

  @Test("Without any segment the pulses of the pump have their line all the same")
  func noSegments() async throws {
    let scratch = try Scratch()
    let file = DayOfTrouble.root + "/Scenarios/basal-reporting/reporting-switched-off.json5"
    #expect(await program(["run", file, "--quiet", "--out", scratch.path]).code == 0)
    let folder = scratch.file("reporting-switched-off")
    let given = try scratch.text(of: "reporting-switched-off/pulses.csv").split(separator: "\n")
      .filter { $0.contains(",basal,") }.count
    let lines = await Self.lines([folder])
    #expect(given > 0 && lines.count == 1, "\(lines)")
    #expect(lines.first?[2] == "no segment" && lines.first?[10] == "\(given)", "\(lines)")
    // From the start of the run, and not from the first pulse.
    #expect(lines.first?.last == "no basal for 6h", "\(lines)")
  }

  @Test("An overlap lasts as long as both samples do, and basal of no schedule is called basal")
  func overlapOfOtherSources() async throws {
    let scratch = try Scratch()
    for (name, remark) in [
      ("foreign-basal-does-not-count", "overlap of 1h"), ("long-acting-does-not-count", ""),
    ] {
      let file = DayOfTrouble.root + "/Scenarios/external-insulin/\(name).json5"
      #expect(await program(["run", file, "--quiet", "--out", scratch.path]).code == 0)
      let lines = await Self.lines([scratch.file(name)])
      #expect(lines.map { $0[2] } == ["scheduled basal", "basal"], "\(lines)")
      #expect(lines.last?.last == remark, "\(lines)")
    }
  }

  @Test("What a pen gives at once is no number of pulses, and none that is not whole")
  func pen() async throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'pen', clock: { duration: '6h' }, app: { closedLoop: false },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1.2]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        events: [{ at: '02:00', injection: { units: 7.33, insulin: 'glargine' },
          entry: { units: 7.33 } }] }
      """, to: scratch.file("pen.json5"))
    let made = await program(["run", scratch.file("pen.json5"), "--quiet", "--out", scratch.path])
    #expect(made.code == 0, "\(made.error)")
    let lines = await Self.lines([scratch.file("pen")])
    #expect(lines.map { $0[2] } == ["scheduled basal", "basal"], "\(lines)")
    // 6 h of 1.2 U/h are 7.2 U, which are 144 pulses.
    #expect(lines.map { $0[5] } == ["144", ""], "\(lines)")
    #expect(lines.last?[6] == "7.33" && lines.last?.last == "", "\(lines)")
    let text = await program(["store", "timeline", scratch.file("pen")])
    let total = try #require(text.output.split(separator: "\n").last)
    #expect(
      total.split(separator: " ").prefix(4) == ["total", "7.200", "144", "14.530"], "\(total)")
  }

  @Test("What no segment states as programmed is no total of 0, and what one lacks is told")
  func totalWithoutRates() async throws {
    let scratch = try Scratch()
    let name = "foreign-basal-does-not-count"
    let file = DayOfTrouble.root + "/Scenarios/external-insulin/\(name).json5"
    #expect(await program(["run", file, "--quiet", "--out", scratch.path]).code == 0)
    // 4 h at 0.4 U/h as scheduled, and 1 U of another app.
    let mixed = await program(["store", "timeline", scratch.file(name)])
    let total = try #require(mixed.output.split(separator: "\n").last)
    #expect(total.hasSuffix("  1 segment states no rate: programmed is without it"), "\(total)")
    #expect(total.split(separator: " ").prefix(4) == ["total", "1.600", "52", "2.600"])
    let store = scratch.file("\(name)/health.sqlite")
    let added = await program([
      "store", "add", store, "InsulinDelivery", "0.4", "--reason", "basal", "--at",
      "2026-01-15T18:00:00Z", "--to", "2026-01-15T18:30:00Z",
    ])
    #expect(added.code == 0, "\(added.error)")
    let alone = await program(["store", "timeline", store, "--source", "Health"])
    let last = try #require(alone.output.split(separator: "\n").last)
    // Pulses, units and the running sum; beside a run's store what its pump gave follows.
    #expect(last.split(separator: " ").prefix(4) == ["total", "8", "0.400", "0.400"], "\(last)")
  }

  @Test("A segment within another leaves no gap behind it")
  func verifiesNested() async throws {
    let fixture = try StoreFixture()
    do {
      var store = try SQLiteHealthStore(path: fixture.path)
      let loop = try #require(store.registry.client(bundleIdentifier: "com.loopkit.Loop"))
      var metadata = Metadata()
      metadata.hasLoopKitOrigin = true
      try store.save(
        .insulinDelivery(
          InsulinAmount(milliunits: 50), reason: .basal, start: fixture.midnight + .minutes(60),
          end: fixture.midnight + .minutes(90), uuid: SampleUUID(high: 3, low: 0),
          metadata: metadata), as: loop, at: fixture.midnight)
    }
    let found = await fixture.run("verify", fixture.path)
    #expect(found.code == 1)
    #expect(found.output.contains("Overlap: "), "\(found.output)")
    #expect(!found.output.contains("Gap: "), "\(found.output)")
  }

  @Test("Basal that ends before the record is a gap for audit, for verify and on the page")
  func ends() async throws {
    let (scratch, folder) = try DayOfTrouble.found()
    let audit = await program(["audit", folder + "/health.sqlite", "--zone", "America/Chicago"])
    #expect(audit.output.hasPrefix("The record lacks 1."))
    #expect(audit.output.contains("Days and times are those of America/Chicago."))
    let line = "2025-03-04T21:35:00-06:00 to 2025-03-05T00:00:00-06:00"
    #expect(audit.output.contains(line), "\(audit.output)")
    let verified = await program(["store", "verify", folder])
    #expect(verified.code == 1)
    #expect(verified.output.contains("The last basal of Loop ends 2h25m before the record does."))
    let page = scratch.file("page.html")
    let file = folder + "/health.sqlite"
    #expect(await program(["report", file, "--zone", "America/Chicago", "-o", page]).code == 0)
    let html = try scratch.text(of: "page.html")
    for part in [
      "none: 2h25m", "no basal written for 2h25m", "America/Chicago (UTC−06:00)",
      "times in America/Chicago", "Stated rate, U/h", ">No basal<", ">Temp basal<",
    ] { #expect(html.contains(part), "\(part)") }
  }

  @Test("Beside a run's store its pulses and its zone are known, and its record verifies")
  func ofRun() async throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'fine', clock: { duration: '6h', timeZone: 'America/Chicago' },
        patient: { model: 'bergman' }, pump: { pulse: 0.025 }, app: { closedLoop: false },
        therapy: { basal: [['00:00', 0.45]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } }
      """, to: scratch.file("fine.json5"))
    let made = await program(
      ["run", scratch.file("fine.json5"), "--quiet", "--out", scratch.path])
    #expect(made.code == 0, "\(made.error)")
    let folder = scratch.file("fine")
    // 6 h of 0.45 U/h are 2.7 U, which are 108 pulses of 0.025 U and 54 of 0.05 U.
    let table = await program(["store", "timeline", folder, "--format", "csv"])
    let row = try #require(table.output.split(separator: "\n").dropFirst().first)
      .split(separator: ",", omittingEmptySubsequences: false)
    #expect(row[0] == "2026-01-05T00:00:00-06:00")
    #expect(row[5] == "108" && row[10] == "108", "\(row)")
    let words = ["store", "timeline", folder, "--format", "csv"]
    let said = await program(words + ["--pulse", "0.05", "--zone", "UTC"])
    #expect(said.output.contains("2026-01-05T06:00:00Z,") && said.output.contains(",54,"))
    let verified = await program(["store", "verify", folder])
    #expect(verified.code == 0, "\(verified.output)")
    // Without the run's settings half pulses are found.
    try FileManager.default.removeItem(atPath: folder + "/settings.json")
    #expect(await program(["store", "timeline", folder]).output.contains("2026-01-05T06:00:00Z"))
  }

  @Test("A temp basal that was commanded anew verifies, though each command lost a fraction")
  func reissued() async throws {
    let scratch = try Scratch()
    let day = DayOfTrouble.root + "/Scenarios/closed-loop/three-meals-closed-loop.json5"
    #expect(await program(["run", day, "--quiet", "--out", scratch.path]).code == 0)
    let verified = await program(
      ["store", "verify", scratch.file("three-meals-closed-loop")])
    #expect(verified.code == 0, "\(verified.output)")
  }

  @Test("The sentences of what happened have the clock of their table")
  func oneClock() async throws {
    let (scratch, _) = try DayOfTrouble.found()
    let text = try scratch.text(of: "site-trouble-day/happenings.csv")
    #expect(text.contains("The sample of 2025-03-04T14:45:00-06:00 (InsulinDelivery) is deleted"))
    #expect(text.contains("Bolus of 2025-03-04T13:40:00-06:00 was deleted"))
    #expect(!text.contains(/\d\dZ/))
  }
}
