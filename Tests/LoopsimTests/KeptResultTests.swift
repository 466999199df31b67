import Foundation
import Testing

@testable import loopsim

@Suite("Where results are kept")
struct KeptResultTests {
  /// The folder `Scenarios/meals` with a scenario of an hour under each name.
  private func meals(_ names: [String], in scratch: Scratch) throws -> URL {
    let folder = scratch.url.appendingPathComponent("Scenarios/meals")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = """
      { format: 'loopsim/1', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
      """
    for name in names {
      try Files.write(text, to: folder.appendingPathComponent("\(name).json5").path)
    }
    return folder
  }

  @Test(
    "The folders are those below Scenarios, the last of that name, however the file is named",
    arguments: [
      ("/home/a/Scenarios/meals/late.json5", "kept/meals/x"),
      ("/home/a/Scenarios/late.json5", "kept/x"),
      ("/Scenarios/old/Scenarios/a/b/late.json5", "kept/a/b/x"),
      ("/home/a/Scenarios/meals/../pump/late.json5", "kept/pump/x"),
      ("/home/a/cases/late.json5", "kept/x"), ("/home/a/Scenarios.json5", "kept/x"),
    ])
  func folders(file: String, folder: String) {
    #expect(KeptResult.folder(of: "x", file: file, below: "kept") == folder)
  }

  @Test("A file is found again from any folder in which the command is given")
  func anywhere() throws {
    let scratch = try Scratch()
    let folder = try meals(["late"], in: scratch)
    let update = ["verify", "--update"]
    let environment = ["CI": ""]
    #expect(try Binary.run(update, environment: environment, in: scratch.url).code == 0)
    #expect(try scratch.text(of: "Results/meals/late/summary.json").contains("\"digest\""))
    let within = try Binary.run(
      ["verify", "late.json5", "--results", scratch.file("Results")], in: folder)
    #expect(within.code == 0, "\(within.output)")
  }

  @Test("An update keeps what it has of a scenario that cannot be run, and makes no empty folder")
  func brokenScenario() throws {
    let scratch = try Scratch()
    let folder = try meals(["late", "new"], in: scratch)
    let late = folder.appendingPathComponent("late.json5").path
    let update = ["verify", "--update"]
    #expect(try Binary.runByHand(update + [late], in: scratch).code == 0)
    let kept = try scratch.text(of: "Results/meals/late/summary.json")
    for name in ["late", "new"] {
      try Files.write(
        "{ format: 'loopsim/1', patient: { modell: 'uva-padova-s2008' } }",
        to: folder.appendingPathComponent("\(name).json5").path)
    }
    let broken = try Binary.runByHand(update, in: scratch)
    #expect(broken.code == 65)
    #expect(broken.output.contains("2 runs: 0 the same, 0 differ, 2 fail;"), "\(broken.output)")
    #expect(try scratch.text(of: "Results/meals/late/summary.json") == kept)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.file("Results/meals")) == ["late"]
    )
  }

  @Test("An update says which results it keeps anew, and which are the same")
  func keptAnew() throws {
    let scratch = try Scratch()
    let folder = try meals(["late", "new"], in: scratch)
    let update = ["verify", "--update"]
    let first = try Binary.runByHand(update, in: scratch)
    #expect(first.output.contains("2 runs: 0 the same, 2 kept anew, 0 differ, 0 fail;"))
    let again = try Binary.runByHand(update, in: scratch)
    #expect(again.output.contains("2 runs: 2 the same, 0 differ, 0 fail;"), "\(again.output)")
    let file = folder.appendingPathComponent("late.json5").path
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try Files.write(text.replacing("'1h'", with: "'2h'"), to: file)
    let changed = try Binary.runByHand(update + ["--quiet"], in: scratch)
    #expect(changed.code == 0)
    #expect(changed.output.contains("2 runs: 1 the same, 1 kept anew, 0 differ, 0 fail;"))
    #expect(changed.output.contains("kept     late  "), "\(changed.output)")
    #expect(!changed.output.contains("same     "))
    #expect(try Binary.runByHand(["verify"], in: scratch).code == 0)
  }

  @Test("A run is counted once: as failed, where it differs too")
  func countedOnce() throws {
    let scratch = try Scratch()
    let folder = try meals(["late", "new"], in: scratch)
    #expect(try Binary.runByHand(["verify", "--update"], in: scratch).code == 0)
    // Both last longer than the kept results, and one expects what no person has.
    for (name, expect) in [("late", "{ id: 'none', metric: 'mean', max: 1 }"), ("new", "")] {
      try Files.write(
        """
        { format: 'loopsim/1', clock: { duration: '2h' }, expect: [\(expect)],
          patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
        """, to: folder.appendingPathComponent("\(name).json5").path)
    }
    let told = try Binary.runByHand(["verify"], in: scratch)
    #expect(told.code == 1)
    #expect(
      told.output.contains("differs  late  ") && told.output.contains("failed   late  "),
      "\(told.output)")
    #expect(
      told.output.contains("2 runs: 0 the same, 1 differs, 1 fails; digest "), "\(told.output)")
    #expect(try Binary.runByHand(["verify", "--update"], in: scratch).code == 1)
    let kept = try Binary.runByHand(["verify"], in: scratch)
    #expect(
      kept.output.contains("2 runs: 1 the same, 0 differ, 1 fails; digest "), "\(kept.output)")
  }

  @Test("A folder of kept results that is named and not there is told")
  func misspeltFolder() throws {
    let scratch = try Scratch()
    _ = try meals(["late"], in: scratch)
    let told = try Binary.runByHand(["verify", "--results", "Reslts"], in: scratch)
    #expect(told.code == 1)
    #expect(
      told.error.hasPrefix(
        "Warning: There is no folder \"Reslts\", where kept results are looked for.\n"))
    // The usual one is not there before results are first kept, and every run says so.
    let first = try Binary.runByHand(["verify"], in: scratch)
    #expect(first.code == 1)
    #expect(!first.error.contains("There is no folder"))
  }

  @Test("A result under another name is told, and no update removes it")
  func renamed() throws {
    let scratch = try Scratch()
    _ = try meals(["late"], in: scratch)
    let update = ["verify", "--update"]
    #expect(try Binary.run(update, environment: ["CI": ""], in: scratch.url).code == 0)
    try FileManager.default.copyItem(
      atPath: scratch.file("Results/meals/late"), toPath: scratch.file("Results/meals/late-old"))
    let told = try Binary.runByHand(["verify"], in: scratch)
    #expect(told.code == 1)
    #expect(
      told.output.contains(
        "gone     meals/late-old  It is the result of \"late\" under another name"),
      "\(told.output)")
    let updated = try Binary.run(update, environment: ["CI": ""], in: scratch.url)
    #expect(updated.output.contains("gone     meals/late-old"))
    #expect(try scratch.text(of: "Results/meals/late-old/summary.json").contains("\"digest\""))
  }

  @Test("A result whose scenario is gone is told, and removed by an update that says so")
  func gone() throws {
    let scratch = try Scratch()
    let folder = try meals(["late", "kept"], in: scratch)
    #expect(try Binary.runByHand(["verify", "--update"], in: scratch).code == 0)
    try FileManager.default.removeItem(at: folder.appendingPathComponent("late.json5"))
    let words = ["verify", "--junit", "j.xml", "--github", "--report", "page.html"]
    let told = try Binary.runByHand(words, in: scratch)
    #expect(told.code == 1)
    #expect(told.output.contains("gone     meals/late  No scenario has this result"))
    #expect(told.output.contains("loopsim verify --update"))
    #expect(told.output.contains("1 result without a scenario"))
    #expect(try scratch.text(of: "j.xml").contains("name=\"reference\""))
    #expect(told.output.contains("::error file=Results/meals/late/summary.json,line=1"))
    #expect(try scratch.text(of: "page.html").contains("no scenario"))
    // Its square stands in the folder of the results around it.
    #expect(try scratch.text(of: "page.html").contains("<span>meals</span>"))
    #expect(try !scratch.text(of: "page.html").contains("<span>late</span>"))
    // Of a single file nothing is said about the others.
    let single = try Binary.runByHand(["verify", "Scenarios/meals/kept.json5"], in: scratch)
    #expect(single.code == 0)
    // A folder answers for the results below its own.
    let below = try Binary.runByHand(["verify", "Scenarios/meals"], in: scratch)
    #expect(below.code == 1)
    let updated = try Binary.runByHand(["verify", "--update"], in: scratch)
    #expect(updated.code == 0)
    #expect(updated.output.contains("removed  meals/late"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("Results/meals/late")))
    #expect(try Binary.runByHand(["verify"], in: scratch).code == 0)
  }

  @Test(
    "A result whose scenario is gone is told once, and removed once, by whichever folders",
    arguments: [["Scenarios", "Scenarios/"], ["Scenarios/meals", "Scenarios"]])
  func goneOnce(words: [String]) throws {
    let scratch = try Scratch()
    let folder = try meals(["late", "kept"], in: scratch)
    #expect(try Binary.runByHand(["verify", "--update"], in: scratch).code == 0)
    try FileManager.default.removeItem(at: folder.appendingPathComponent("late.json5"))
    let told = try Binary.runByHand(["verify"] + words, in: scratch)
    #expect(told.code == 1 && told.output.contains(", 1 result without"), "\(told.output)")
    let updated = try Binary.runByHand(["verify", "--update"] + words, in: scratch)
    #expect(updated.code == 0, "\(updated.error)")
    #expect(updated.output.split(separator: "removed  meals/late").count == 2)
  }

  @Test("The page of a replay has a square for each of two files that state one id")
  func oneIdTwice() throws {
    let scratch = try Scratch()
    let text = """
      { format: 'loopsim/1', id: 'same', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
      """
    try Files.makeFolder(of: scratch.file("two/a.json5"))
    for name in ["a", "b"] { try Files.write(text, to: scratch.file("two/\(name).json5")) }
    let told = try Binary.runByHand(["verify", "two", "--report", "page.html"], in: scratch)
    #expect(told.code == 65, "\(told.error)")
    let page = try scratch.text(of: "page.html")
    // The second is refused, and so comes first.
    #expect(page.contains("href=\"#f1\" aria-label=\"same: broken\""))
    #expect(page.contains("href=\"#f2\" aria-label=\"same: new\""))
  }

  /// A folder whose scenario in/a.json5 extends one outside of its own folder.
  private func extendsOutside() throws -> Scratch {
    let scratch = try Scratch()
    try Files.makeFolder(of: scratch.file("in/x"))
    try Files.write(
      "{ format: 'loopsim/1', clock: { duration: '1h' } }", to: scratch.file("b.json5"))
    try Files.write(
      """
      { format: 'loopsim/1', id: 'a', extends: '../b.json5',
        patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
      """, to: scratch.file("in/a.json5"))
    return scratch
  }

  @Test("The command that keeps a result lets the scenario read what it could read here")
  func outside() throws {
    let scratch = try extendsOutside()
    let told = try Binary.runByHand(["verify", "in/a.json5", "--allow-outside"], in: scratch)
    let command = "loopsim verify in/a.json5 --update --allow-outside"
    #expect(told.code == 1 && told.output.contains("keep it with: \(command)\n"), "\(told.output)")
    let words = command.split(separator: " ").dropFirst().map(String.init)
    #expect(try Binary.runByHand(words, in: scratch).code == 0)
    let text = try scratch.text(of: "in/a.json5").replacing(
      "extends:", with: "expect: [{ id: 'x', metric: 'mean', max: 1 }], extends:")
    try Files.write(text, to: scratch.file("in/a.json5"))
    let failed = try Binary.runByHand(
      ["run", "in/a.json5", "--allow-outside", "--out", "out", "--quiet"], in: scratch)
    let replay = try #require(failed.output.split(separator: "loopsim replay ").last)
      .split(separator: "\n")[0].split(separator: " ").map(String.init)
    #expect(replay.last == "--allow-outside", "\(failed.output)")
    #expect(try Binary.runByHand(["replay"] + replay, in: scratch).code == 0)
  }

  @Test(
    "Every command that reads a scenario asks for consent to read outside, and can be given it",
    arguments: [
      ["report", "in/a.json5", "-o", "page.html"], ["report", "out/a"],
      ["compare", "in/a.json5", "in/a.json5"],
      ["backtest", "out/a", "--therapy", "in/a.json5"],
    ])
  func consentToReadOutside(words: [String]) throws {
    let scratch = try extendsOutside()
    let run = ["run", "in/a.json5", "--allow-outside", "--out", "out", "--quiet"]
    #expect(try Binary.runByHand(run, in: scratch).code == 0)
    let refused = try Binary.runByHand(words, in: scratch)
    #expect(refused.code == 65 && refused.error.contains("allow it with --allow-outside"))
    let allowed = try Binary.runByHand(words + ["--allow-outside"], in: scratch)
    #expect(allowed.code == 0, "\(allowed.error)")
  }

  @Test("What run leaves in its own place is no kept result, and an update leaves it there")
  func passing() throws {
    let scratch = try Scratch()
    let folder = scratch.url.appendingPathComponent("Scenarios")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Files.write(
      """
      { format: 'loopsim/1', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
      """, to: folder.appendingPathComponent("day.json5").path)
    #expect(try Binary.runByHand(["verify", "--update"], in: scratch).code == 0)
    #expect(try Binary.runByHand(["run", "Scenarios/day.json5"], in: scratch).code == 0)
    let told = try Binary.runByHand(["verify"], in: scratch)
    #expect(told.code == 0, "\(told.output)")
    #expect(try Binary.runByHand(["verify", "--update"], in: scratch).code == 0)
    let left = scratch.file("Results/runs/day/summary.json")
    #expect(FileManager.default.fileExists(atPath: left))
  }

  @Test("The first difference in time comes first, and the changed text of a scenario last")
  func order() throws {
    let scratch = try Scratch()
    let folder = scratch.url.appendingPathComponent("Scenarios")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("day.json5").path
    let text = """
      { format: 'loopsim/1', clock: { duration: '3h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        events: [{ at: '+30m', bolus: { units: 2 } }] }
      """
    try Files.write(text, to: file)
    #expect(try Binary.runByHand(["verify", "--update"], in: scratch).code == 0)
    try Files.write(text.replacing("events:", with: "tags: ['new'], events:"), to: file)
    let remark = try Binary.runByHand(["verify"], in: scratch)
    #expect(remark.code == 1)
    #expect(remark.output.contains("differs  day  summary.json: the scenario's text has changed"))
    #expect(!remark.output.contains("scenario_digest"))
    try Files.write(text.replacing("units: 2", with: "units: 3"), to: file)
    let words = ["verify", "--junit", "j.xml", "--github"]
    let changed = try Binary.runByHand(words, in: scratch)
    let lines = changed.output.split(separator: "\n").filter { $0.hasPrefix("differs") }
    #expect(lines.first?.contains("event-history.csv line") == true, "\(lines)")
    #expect(lines.last?.contains("the scenario's text has changed") == true, "\(lines)")
    let cases = try scratch.text(of: "j.xml").matches(of: /testcase classname="day" name="([^"]+)"/)
      .map { String($0.1) }
    #expect(cases.count > 3)
    #expect(Set(cases).count == cases.count, "\(cases)")
    let annotations = changed.output.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(!annotations.isEmpty)
    #expect(annotations.allSatisfy { $0.contains(",line=1,") }, "\(annotations)")
  }
}
