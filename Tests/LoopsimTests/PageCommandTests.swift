import Foundation
import TestSupport
import Testing

@testable import loopsim

@Suite("Pages tell what their commands told, and by which command they come again")
struct PageCommandTests {
  private func text(_ more: String = "") -> String {
    """
    { format: 'loopsim/1', id: 'look', clock: { duration: '1h' }, random: { seed: 3 },
      patient: { model: 'tidepool-simple', initialGlucose: 120,
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } }, \(more) }
    """
  }

  private func page(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("A page that no place is named for takes that of another page, and of nothing else")
  func unnamedPlace() throws {
    let scratch = try Scratch()
    try Files.write(text(), to: scratch.file("look.json5"))
    try Files.write(
      """
      [{"eventType":"Correction Bolus","created_at":"2026-02-03T02:00:00Z","insulin":2}]
      """, to: scratch.file("dump.json"))
    for (words, page) in [
      (["report", "look.json5"], "look.html"),
      (["audit", "dump.json", "--zone", "UTC", "--format", "html"], "dump-audit.html"),
    ] {
      try Files.write("my notes", to: scratch.file(page))
      let refused = try Binary.run(words, in: scratch.url)
      #expect(refused.code == 64)
      #expect(
        refused.error.hasSuffix(
          "\(page) is no page, and would be lost. Name another file for the page, or move it.\n"))
      #expect(try scratch.text(of: page) == "my notes")
      #expect(try Binary.run(words + ["-o", page], in: scratch.url).code == 0)
      #expect(try Binary.run(words, in: scratch.url).code == 0)
    }
  }

  @Test("A scenario that comes through a pipe is drawn")
  func pipe() throws {
    let scratch = try Scratch()
    try Files.write(text(), to: scratch.file("look.json5"))
    let drawn = try Binary.run(
      ["report", "/dev/stdin", "-o", "page.html"], in: scratch.url,
      through: "cat look.json5 | \"$0\" \"$@\"")
    #expect(drawn.code == 0 && drawn.output == "page in page.html\n", "\(drawn.error)")
  }

  @Test("What verify finds in a kept result its page finds")
  func replay() async throws {
    let scratch = try Scratch()
    let (file, kept) = (scratch.file("look.json5"), scratch.file("kept"))
    try Files.write(text(), to: file)
    let verify = ["verify", file, "--results", kept]
    #expect(try Binary.runByHand(verify + ["--update"], in: scratch).code == 0)
    let place = scratch.file("page.html")
    func headline(code: Int32) async throws -> String {
      #expect(await program(verify + ["--report", place]).code == code)
      let html = try page(place)
      #expect(code == 0 || html.contains("<code>loopsim verify \(file) --results \(kept)</code>"))
      return String(try #require(html.firstMatch(of: /<title>Replay: ([^<]*)</)).1)
    }
    #expect(try await headline(code: 0) == "1 of 1 run passes")
    // A file too many, one too few, and another result.
    try Files.write("x", to: kept + "/look/more.csv")
    #expect(try await headline(code: 1) == "Of 1 run 1 changed")
    #expect(try page(place).contains("is there, and the run has no such file"))
    try FileManager.default.removeItem(atPath: kept + "/look/more.csv")
    try FileManager.default.removeItem(atPath: kept + "/look/timeline.csv")
    #expect(try await headline(code: 1) == "Of 1 run 1 changed")
    try FileManager.default.removeItem(atPath: kept + "/look")
    #expect(await program(verify + ["--report", place]).code == 1)
    #expect(try page(place).contains("Of 1 run 1 has no reference yet"))
  }

  @Test("Where nothing was predicted or recorded the page offers no predictions and no records")
  func withoutPredictions() async throws {
    let scratch = try Scratch()
    let (file, place) = (scratch.file("look.json5"), scratch.file("page.html"))
    for (more, hasApp) in [("app: 'none'", false), ("", true)] {
      try Files.write(text(more), to: file)
      #expect(await program(["report", file, "-o", place]).code == 0)
      let html = try page(place)
      #expect(html.contains("</s>predictions") == hasApp)
      #expect(html.contains(">Predictions</button>") == hasApp)
      #expect(html.contains("What was delivered, recorded and written</h2>") == hasApp)
    }
  }

  @Test("The command on the page of a batch has the words that make its runs what they are")
  func batch() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("look.json5"), scratch.file("out"))
    try Files.write(
      text("variants: { a: {}, b: {} }").replacing("seed: 3", with: "seed: 3, replicates: 2"),
      to: file)
    func command(_ words: [String]) async throws -> String {
      #expect(await program(["run", file, "-q", "--report", "--out", out] + words).code == 0)
      let html = try page(out + "/report.html")
      return String(try #require(html.firstMatch(of: /<code>(loopsim run [^<]*)<\/code>/)).1)
    }
    #expect(try await command([]) == "loopsim run \(file) --report")
    #expect(try await command(["--seed", "9"]) == "loopsim run \(file) --seed 9 --report")
    let own = "<code>loopsim report \(file) --run look/a/r0 --seed 9</code>"
    #expect(try page(out + "/look/a/r0/report.html").contains(own))
    // No seed of the scenario is that of a later replicate.
    #expect(!(try page(out + "/look/a/r1/report.html").contains("Run it again")))
    // The folder tells the seed as well.
    let drawn = await program(["report", out, "-o", "-"])
    #expect(drawn.output.contains("<code>loopsim run \(file) --seed 9 --report</code>"))
    #expect(
      try await command(["--run", "look/a"]) == "loopsim run \(file) --run look/a --report")
    // And not which runs were asked for: the whole file would be another batch.
    let part = await program(["report", out, "-o", "-"])
    #expect(part.code == 0 && !part.output.contains("<code>loopsim run"))
  }

  @Test("A batch's page says of which arm an expectation over runs fails, and what none looked at")
  func together() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("look.json5"), scratch.file("out"))
    let expectations = """
      variants: { low: {}, high: { patient: { initialGlucose: 200 } } },
      expect: [{ id: 'each', metric: 'mean', max: 150, across: 'mean' },
        { id: 'soft', metric: 'mean', max: 1, across: 'mean', severity: 'warn' }]
      """
    try Files.write(
      text(expectations).replacing("seed: 3", with: "seed: 3, replicates: 2"), to: file)
    func verdicts(_ words: [String], code: Int32) async throws -> [String] {
      #expect(await program(["run", file, "-q", "--report", "--out", out] + words).code == code)
      let html = try page(out + "/report.html")
      let card = try #require(html.firstMatch(of: /(?s)Expectations over several runs(.*?)<\/ul>/))
        .1
      return card.matches(of: /<li>(.*?)<\/li>/).map {
        String($0.1).replacing(/<[^>]*>/, with: "").replacing(/: .*/, with: "")
      }
    }
    #expect(
      try await verdicts([], code: 1) == [
        "✕ fails look/high · each", "! warns look/low · soft", "! warns look/high · soft",
        "✓ holds look/low · each",
      ])
    let part = try await verdicts(["--run", "look/low/r0", "--run", "look/high"], code: 0)
    #expect(part.count == 6)
    #expect(part.allSatisfy { $0.hasPrefix("i not looked at look/") }, "\(part)")
  }

  @Test("The command on the page of a comparison has what was near enough")
  func comparison() async throws {
    let scratch = try Scratch()
    let (one, two) = (scratch.file("one.json5"), scratch.file("two.json5"))
    try Files.write(text(), to: one)
    try Files.write(text().replacing("120", with: "130"), to: two)
    let place = scratch.file("page.html")
    let words = ["--tolerance", "glucose=20", "--ignore", "mode"]
    _ = await program(["compare", one, two, "--report", place] + words)
    let command = "loopsim compare \(one) \(two) \(words.joined(separator: " "))"
    #expect(try page(place).contains("<code>\(command)</code>"))
    // What is near enough is not said to be the same.
    let (a, b) = (scratch.file("a.csv"), scratch.file("b.csv"))
    try Files.write("time,glucose\n2026-01-15T00:00:00Z,100\n", to: a)
    try Files.write("time,glucose\n2026-01-15T00:00:00Z,104\n", to: b)
    let near = ["compare", a, b, "--report", place, "--tolerance", "glucose=5"]
    #expect(await program(near).code == 0)
    #expect(try page(place).contains("<h1>The two results are the same by what the command allows"))
    #expect(await program(["compare", a, a, "--report", place]).code == 0)
    #expect(try page(place).contains("<h1>The two results are the same</h1>"))
  }
}
