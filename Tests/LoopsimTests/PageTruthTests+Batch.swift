import Foundation
import Outcomes
import Pages
import Quantities
import Reports
import Simulation
import TestSupport
import Testing

@testable import loopsim

extension PageTruthTests {
  @Test("The page of a batch names what failed, and the files that could not be read")
  func batch() async throws {
    let scratch = try Scratch()
    let out = scratch.file("out")
    try Files.write(
      text("random: { replicates: 2 }, expect: [{ id: 'too-low', metric: 'mean', max: 20 }]"),
      to: scratch.file("look.json5"))
    try Files.write("{ format: 'loopsim/1', id: 'bad', }", to: scratch.file("bad.json5"))
    let done = await program([
      "run", scratch.file("look.json5"), scratch.file("bad.json5"), "-q", "--report", "--out", out,
    ])
    #expect(done.code == 65)
    let html = try String(contentsOfFile: out + "/report.html", encoding: .utf8)
    #expect(html.contains("Expectation too-low: mean@true"))
    #expect(html.contains("true glucose, mean of the runs"))
    #expect(html.contains("<dt>Runs without a result</dt><dd>1</dd>"))
    #expect(html.contains("bad.json5:1:1: error: &quot;patient&quot; is missing"))
    #expect(
      try String(contentsOfFile: out + "/batch.json", encoding: .utf8).contains("bad.json5:1:1"))
  }

  @Test(
    "The page of a replay keeps results where they were looked for, and that of glucose says what")
  func commands() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("look.json5"), scratch.file("out"))
    try Files.write(text(""), to: file)
    let page = scratch.file("page.html")
    let verify = ["verify", file, "--results", out, "--report", page]
    #expect(await program(verify).code == 1)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("loopsim verify \(file) --update --results \(out)</code>"))
    #expect(await program(["run", file, "-q", "--out", out]).code == 0)
    let table = out + "/look/timeline.csv"
    for (words, column) in [([], "glucose_true_mgdL"), (["--column", "cgm"], "glucose_cgm_mgdL")] {
      #expect(await program(["outcomes", table, "--report", page] + words).code == 0)
      let html = try String(contentsOfFile: page, encoding: .utf8)
      #expect(html.contains("measured <code>\(column)</code>"))
    }
  }

  @Test("With JSON on standard output annotations go to standard error")
  func annotations() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("look.json5"), scratch.file("out"))
    try Files.write(text("expect: [{ id: 'too-low', metric: 'mean', max: 20 }]"), to: file)
    for words in [["run", file, "--out", out], ["verify", file, "--results", out + "/kept"]] {
      let done = await program(words + ["--github", "--format", "json"])
      #expect(done.code == 1)
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: Data(done.output.utf8))
      }
      #expect(done.error.contains("::error"))
    }
    let list = await program(["expand", file, "--list", "--format", "json"])
    #expect(list.output == "[\n\"look\"\n]\n")
    try Files.write(text("variants: { a: {}, b: {} }"), to: file)
    let runs = await program(["expand", file, "--format", "json"])
    let read = try #require(
      try JSONSerialization.jsonObject(with: Data(runs.output.utf8)) as? [[String: Any]])
    #expect(read.map { $0["run"] as? String } == ["look/a", "look/b"])
  }

  @Test("Beside a share below 70 mg/dL the arms of a batch are not in range all of the time")
  func sharesOfArms() throws {
    var row = try #require(BatchRow(try page(text("")).report, hasFailed: false))
    let shares: [(BatchRow.Figure, Double)] = [
      (.inRange, 99.97), (.below70, 0.03), (.below54, 0.004),
    ]
    for (figure, share) in shares {
      row.figures[try #require(BatchRow.Figure.allCases.firstIndex(of: figure))] = share
    }
    let html = BatchPage([row, row], joint: [], version: "1").html(linksToRuns: false)
    for text in ["&gt;99.9", "0.03", "&lt;0.01"] {
      #expect(html.contains(">\(text) <span class=\"mut opt\">[\(text), \(text)]</span>"))
    }
  }

  @Test("A run that breaks a law fails no expectation in the heading of its batch")
  func brokenLaw() throws {
    let whole = try page(text("")).report
    let row = try #require(BatchRow(whole, hasFailed: true))
    let html = BatchPage([row], joint: [], version: "1").html(linksToRuns: false)
    #expect(html.contains("<h1>1 of 1 fails an expectation or a law of the simulation</h1>"))
  }
}
