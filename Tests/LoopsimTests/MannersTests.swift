import Expectations
import Foundation
import Quantities
import Simulation
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

  @Test(
    "No file or folder is called -: that is standard output, or refused before anything is done",
    arguments: [
      ["run", "in", "--out", "-"], ["run", "in", "--junit", "-"], ["run", "in", "--tap", "-"],
      ["verify", "in", "--report", "-"], ["verify", "in", "--svg", "-"],
      ["compare", "in/a.json5", "in/b.json5", "--report", "-"],
      ["outcomes", "t.csv", "--svg", "-"], ["report", "in/a.json5", "--svg", "-"],
      ["audit", "t.csv", "--svg", "-"], ["replay", "in/a.json5", "--at", "00:10", "--input", "-"],
      ["study", "start", "in/a.json5", "--out", "-"], ["study", "plan", "in/a.json5", "-o", "-"],
      ["study", "report", "s", "--report", "-"], ["backtest", "t.csv", "-o", "-"],
      ["store", "import", "t.csv", "h.sqlite", "--report", "-"],
      ["import", "loop-scenario", "l.json", "--report", "-"],
    ])
  func refusesDash(words: [String]) throws {
    let scratch = try folder()
    let result = try Binary.run(words, in: scratch.url)
    #expect(result.code == 64, "\(result.error)")
    #expect(result.error.contains("Error: '-' is standard output, which cannot be the '"))
    #expect(result.output.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["in"])
  }

  @Test(
    "What holds for many places of a file is told of three, and counted",
    arguments: [
      ["run", "s.json5"], ["check", "s.json5"], ["report", "s.json5"],
      ["freeze", "s.json5", "-o", "f.json5"], ["replay", "s.json5", "--at", "00:10"],
    ])
  func tellsOfThree(words: [String]) throws {
    let scratch = try Scratch()
    let boluses = (1...7).map { "{ at: '+\($0)m', bolus: { units: 20 } }" }
    try Files.write(
      """
      { format: 'loopsim/1', clock: { duration: '30m' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' }, therapy: { maxBolus: 10 },
        events: [\(boluses.joined(separator: ", "))] }
      """, to: scratch.file("s.json5"))
    let result = try Binary.run(words, in: scratch.url)
    #expect(result.code == 0, "\(result.error)")
    let lines = (result.output + result.error).split(separator: "\n").filter {
      $0.contains("The app takes no bolus above maxBolus")
    }
    #expect(lines.count == 4, "\(lines)")
    #expect(lines.last?.contains("4 more places with: ") == true)
  }

  @Test(
    "What a sweep makes of one place with other numbers is told of three points, and counted",
    arguments: [["run", "-q", "s.json5"], ["check", "s.json5"], ["study", "s.json5"]])
  func tellsOfThreePoints(words: [String]) throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', clock: { duration: '30m' }, app: 'none', cgm: { bias: { gain: 1.1 } },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' }, therapy: { maxBasal: 3 },
        events: [{ id: 'b', at: '+5m', bolus: { units: 1, by: 'pump' } }],
        sweep: { morris: { n: 4, of: { 'events[b].bolus.units': { uniform: [1, 2] } } } },
        study: { primary: [{ metric: 'bolusUnits', better: 'lower' }] } }
      """, to: scratch.file("s.json5"))
    let result = try Binary.run(words, in: scratch.url)
    #expect(result.code == 0, "\(result.error)")
    let lines = (result.output + result.error).split(separator: "\n").filter {
      $0.hasPrefix("s.json5:4:59: note: ")
    }
    #expect(lines.count == 4, "\(lines)")
    #expect(lines.last?.hasSuffix(" more here say the same with other numbers.") == true)
    let others = (result.output + result.error).contains("\"therapy.maxBasal\" has no effect")
    #expect(others, "\(result.output)")
  }

  @Test("A single text goes to standard output for -, as without a place for it")
  func takesDash() throws {
    let scratch = try folder()
    func text(_ words: [String]) throws -> String {
      let result = try Binary.run(words, in: scratch.url)
      #expect(result.code == 0, "\(result.error)")
      return result.output
    }
    for words in [["freeze", "in/a.json5"], ["export", "loop-scenario", "in/a.json5"]] {
      let printed = try text(words)
      #expect(!printed.isEmpty)
      #expect(try text(words + ["-o", "-"]) == printed)
    }
    try Files.write(
      try text(["export", "loop-scenario", "in/a.json5"]), to: scratch.file("l.json"))
    let words = ["import", "loop-scenario", "l.json"]
    #expect(try text(words + ["-o", "-"]) == text(words))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
        == ["in", "l.json"])
  }

  @Test("A run without expectations is a case of its own in every report")
  func runIsACase() throws {
    let scratch = try Scratch()
    let text = Self.scenario.replacing("metric: 'mean', max: 1", with: "metric: 'mean', min: 1")
    try Files.write(
      text.replacing(/,\s*expect: .*\] }/, with: " }"), to: scratch.file("plain.json5"))
    try Files.write(text, to: scratch.file("more.json5"))
    let words = ["run", "plain.json5", "more.json5", "--out", "o", "--junit", "j.xml", "--tap"]
    #expect(try Binary.run(words + ["t.tap"], in: scratch.url).code == 0)
    let junit = try scratch.text(of: "j.xml")
    #expect(junit.contains("<testsuites name=\"loopsim\" tests=\"3\""), "\(junit)")
    #expect(junit.contains("<testcase classname=\"plain\" name=\"runs\""))
    let tap = try scratch.text(of: "t.tap")
    #expect(tap.contains("1..3\nok 1 - plain · runs\nok 2 - more · runs\n"), "\(tap)")
  }

  @Test("A patient whose name cannot be a folder's is found by the name in the table")
  func nameInTable() throws {
    let scratch = try Scratch()
    let cohort = "cohort: { from: 'p.csv', columns: { most: 'therapy.maxBolus' } },"
    try Files.write("id,most\na/b,15\nc,16\n", to: scratch.file("p.csv"))
    try Files.write(
      Self.scenario.replacing("patient:", with: cohort + " patient:"),
      to: scratch.file("c.json5"))
    _ = try Binary.run(["run", "c.json5", "--out", "o"], in: scratch.url)
    let lines = try scratch.text(of: "o/runs.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let name = try #require(lines.first?.firstIndex(of: "patient_in_table"))
    let folder = try #require(lines.first?.firstIndex(of: "patient"))
    #expect(lines.dropFirst().map { $0[name] } == ["a/b", "c"])
    #expect(lines.dropFirst().map { $0[folder] } == ["a-b", "c"])
    #expect(try scratch.text(of: "o/c/a-b/summary.json").contains(#""patient_in_table": "a/b""#))
    #expect(try !scratch.text(of: "o/c/c/summary.json").contains("patient_in_table"))
  }

  @Test("A run that breaks a law is a failed case")
  func brokenLaw() throws {
    let scratch = try folder()
    let selection = try RunSelection("a", in: scratch.file("in/a.json5"))
    var run = ScenarioBatch.carryOut(selection.planned, seed: 1)
    #expect(run.itself?.outcome == .passed)
    run.result?.violations = [
      .init(name: "conservation", instant: Instant(millisecondsSince1970: 0), text: "1 U is lost.")
    ]
    #expect(run.itself?.outcome == .failed)
    #expect(run.itself?.message == "conservation: 1 U is lost.")
    run.result = nil
    #expect(run.itself == nil)
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

  @Test("A linked folder names files as the folder itself does, and says one thing of each lack")
  func linkedBelowScenarios() throws {
    let scratch = try Scratch()
    let extending = "{ format: 'loopsim/1', extends: '../base/b.json5' }"
    try Files.makeFolder(of: scratch.file("all/Scenarios/base/x"))
    try Files.makeFolder(of: scratch.file("all/Scenarios/mine/x"))
    try Files.write(Self.scenario, to: scratch.file("all/Scenarios/base/b.json5"))
    try Files.write(extending, to: scratch.file("all/Scenarios/mine/a.json5"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("link"), withDestinationPath: "all/Scenarios/mine")
    let result = try Binary.run(["check", "link"], in: scratch.url)
    #expect(result.code == 0, "\(result.output)")
    try Files.write(
      extending.replacing("b.json5", with: "none.json5"),
      to: scratch.file("all/Scenarios/mine/a.json5"))
    let lack = try Binary.run(["check", "link"], in: scratch.url)
    #expect(lack.code == 65)
    #expect(lack.output.split(separator: "\n").count == 1, "\(lack.output)")
    #expect(lack.output.contains("link/a.json5:1:33: error: There is no file"))
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
    #expect(result.error.contains("::error file=in/a.json5"))
    #expect(!result.output.contains("\"b\""))
    try Files.write("x", to: scratch.file("kept/b/more.csv"))
    let surplus = try Binary.run(["verify", "in/b.json5", "--results", "kept"], in: scratch.url)
    #expect(surplus.output.contains("more.csv is there, and the run has no such file"))
    // Whatever else lies there is told too, but for the page that a command writes there.
    try FileManager.default.removeItem(atPath: scratch.file("kept/b/more.csv"))
    try Files.write("x", to: scratch.file("kept/b/notes.txt"))
    try Files.write("x", to: scratch.file("kept/b/report.html"))
    try Files.makeFolder(scratch.file("kept/b/below"))
    let note = try Binary.run(["verify", "in/b.json5", "--results", "kept"], in: scratch.url)
    #expect(note.code == 1)
    let told = note.output.split(separator: "\n").filter { $0.hasPrefix("differs") }
    #expect(told == ["differs  b  notes.txt is there, and the run has no such file"])
  }

  @Test("A name that is no UTF-8 is told as such, named itself or found in a folder")
  func namesThatAreNoText() throws {
    let scratch = try Scratch()
    try Files.write(Self.scenario, to: scratch.file("a.json5"))
    let named = try Binary.run(
      ["check"], in: scratch.url,
      through: #"n=$(printf 'b\377.json5'); cp a.json5 "$n"; exec "$0" "$@" "$n""#)
    #expect(named.code == 65)
    #expect(named.error.hasPrefix("Error: \"b\u{FFFD}.json5\" is not UTF-8"), "\(named.error)")
    for words in [["check", "."], ["run", "."], ["import", "tidepool", "d"]] {
      let found = try Binary.run(
        words, in: scratch.url,
        through: #"mkdir -p d; cp a.json5 "d/$(printf 'c\377.json')"; exec "$0" "$@""#)
      #expect(found.code == 65)
      #expect(found.error.contains("\u{FFFD}.json"), "\(found.error)")
      #expect(found.error.contains("is not UTF-8"), "\(found.error)")
      #expect(try !scratch.names.contains("Results"))
    }
    // Nor is a result left out whose folder has such a name.
    let run = ["compare", "x", "x"]
    for name in ["c\\377/timeline.csv", "c\\377.csv"] {
      let found = try Binary.run(
        run, in: scratch.url,
        through: #"rm -rf x; n="x/$(printf '"# + name + #"')"; mkdir -p "$(dirname "$n")"; "#
          + #"printf 'time,a\n' > "$n"; printf 'time,a\n' > x/a.csv; exec "$0" "$@""#)
      #expect(found.code == 65, "\(found.output)")
      #expect(found.error.contains("the name is not UTF-8 where \u{FFFD} stands"), "\(found.error)")
    }
    // The character itself is a character like others.
    try Files.makeFolder(scratch.file("e"))
    try Files.write(Self.scenario, to: scratch.file("e/\u{FFFD}.json5"))
    #expect(try Binary.run(["check", "e"], in: scratch.url).code == 0)
  }

  @Test("A tag that nothing has is no success")
  func tags() throws {
    let scratch = try Scratch()
    try Files.write(Self.scenario, to: scratch.file("a.json5"))
    let result = try Binary.run(["verify", "a.json5", "--tag", "smoke"], in: scratch.url)
    #expect(result.code == 65)
    #expect(result.error.contains("No scenario matches \"--tag smoke\". Check the tags."))
  }

  @Test("Where no expectation names a golden file it is said that none is kept")
  func goldenNone() throws {
    let scratch = try Scratch()
    try Files.write(Self.scenario, to: scratch.file("g.json5"))
    let words = ["run", "g.json5", "--out", "out", "--update-golden"]
    let result = try Binary.run(words, environment: ["CI": ""], in: scratch.url)
    #expect(
      result.error.contains("No golden file is kept: no expectation that was looked at names one."))
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

  @Test("A folder in place of a golden file is wrong input, and no failed expectation")
  func goldenFolder() throws {
    let scratch = try Scratch()
    let text = Self.scenario.replacing("metric: 'mean', max: 1", with: "golden: 'g.csv'")
    try Files.write(text, to: scratch.file("g.json5"))
    try Files.makeFolder(scratch.file("g.csv"))
    for command in ["run", "verify"] {
      let words = [command, "g.json5"] + (command == "run" ? ["--out", "out"] : [])
      let result = try Binary.run(words, in: scratch.url)
      #expect(result.code == 65, "\(command): \(result.error)")
      #expect(result.error.contains("g.csv: cannot be read: it is a folder."))
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.file("out/g")))
  }
}
