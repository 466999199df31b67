import Foundation
import Pages
import Quantities
import Reports
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import loopsim

/// What many runs of a batch say alike is told once, in every form of its answer.
@Suite("Causes that many runs have alike")
struct AlikeCauseTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// Twenty runs: in the first twelve the pump stopped, for ten minutes and in the eighth for
  /// ninety; five of the others fail an expectation, and three were refused a bolus.
  private static let rows = Result { () throws -> [BatchRow] in
    let file = root + "/Scenarios/basal-reporting/site-trouble-day.json5"
    let finished = ScenarioBatch.carryOut(try RunSelection(nil, in: file).planned, seed: nil)
    let report = try #require(finished.report(withDoses: false))
    var row = try #require(BatchRow(report, hasFailed: false))
    (row.troubles, row.failures) = ([], [])
    let start = Instant(secondsSince1970: 1_772_582_400)
    return (0..<20).map { index in
      var copy = row
      copy.id = "run-\(index < 10 ? "0" : "")\(index)"
      switch index {
      case 0..<12:
        let minutes: Int64 = index == 7 ? 90 : 10
        let from = start + .minutes(Int64(index))
        copy.troubles = [
          RunTrouble(
            .stop, from: from, to: from + .minutes(minutes),
            "The pump gave nothing for \(minutes)m from 2026-03-04T00:\(10 + index):00Z.")
        ]
      case 12..<17:
        copy.hasFailed = true
        copy.failures = ["Expectation low54: glucose.true \(40 + index).3 < 60"]
      default:
        copy.troubles = [
          RunTrouble(.refused, from: start, to: start, "A bolus of \(index) U was refused.")
        ]
      }
      return copy
    }
  }

  @Test("The text names how many say it, the first of them and the worst")
  func text() throws {
    #expect(
      AlikeCause.lines(of: try Self.rows.get()) == [
        "alike   5 of 20 runs, the first run-12, the worst run-12: Expectation low54: "
          + "glucose.true 52.3 < 60.",
        "alike   12 of 20 runs, the first run-00, the worst run-07: The pump gave nothing for 90m "
          + "from 2026-03-04T00:17:00Z.",
      ])
    #expect(AlikeCause.lines(of: Array(try Self.rows.get().suffix(3))).isEmpty)
  }

  @Test("The worst is that of most insulin, and not the one that lasted longest")
  func mostInsulin() throws {
    var rows = Array(try Self.rows.get().prefix(4))
    let start = Instant(secondsSince1970: 1_772_582_400)
    for (index, units) in [0.48, 19.52, 3.11, 3.25].enumerated() {
      rows[index].troubles = [
        RunTrouble(
          .wrongInsulinOnBoard, from: start, to: start + .minutes(index == 1 ? 55 : 380),
          "Insulin on board was up to \(units) U too high."
        ).extending(over: -units)
      ]
    }
    #expect(
      AlikeCause.lines(of: rows) == [
        "alike   4 of 4 runs, the first run-00, the worst run-01: Insulin on board was up to 19.52 "
          + "U too high."
      ])
  }

  @Test("What went wrong says how much insulin it is about")
  func extents() throws {
    // 1.5 U of air are in the tubing when a bolus of 2 U begins.
    let file = Self.root + "/Scenarios/pump/air-bubble.json5"
    let finished = ScenarioBatch.carryOut(try RunSelection(nil, in: file).planned, seed: nil)
    let troubles = try #require(finished.result).troubles
    let lost = try #require(troubles.first { $0.kind == .wrongDelivery })
    #expect(abs(lost.extent - 1.5) < 1e-9)
    let onBoard = try #require(troubles.first { $0.kind == .wrongInsulinOnBoard })
    #expect(abs(onBoard.extent - 1.5) < 0.1)
  }

  @Test("JSON has the same at its end")
  func json() throws {
    let tree = BatchTables.batch(try Self.rows.get(), joint: [], version: "1")
    guard case .object(let members) = tree, let last = members.last,
      case .array(let causes) = last.value
    else {
      Issue.record("The last member is a list.")
      return
    }
    #expect(last.key == "alike" && causes.count == 2)
    #expect(
      causes.last == [
        "kind": "stop", "runs": 12, "first": "run-00", "worst": "run-07",
        "text": "The pump gave nothing for 90m from 2026-03-04T00:17:00Z.",
      ])
  }

  @Test("The page tells each once, and besides only runs that say something else")
  func page() throws {
    let html = BatchPage(try Self.rows.get(), joint: [], version: "1").html(linksToRuns: true)
    let start = try #require(html.firstRange(of: "Look at these first</h2>")).upperBound
    let list = html[start...]
    let end = try #require(list.firstRange(of: "</section>")).lowerBound
    let card = list[..<end]
    // Two causes, and three runs that were refused.
    #expect(card.matches(of: /<li>/).count == 5)
    #expect(card.contains("<h3>12 of 20 runs alike "))
    #expect(
      card.contains(
        "So says <a href=\"run-07/report.html\">run-07</a>, the worst; the first is "
          + "<a href=\"run-00/report.html\">run-00</a>."))
    for run in ["run-17", "run-18", "run-19"] { #expect(card.contains(run)) }
    #expect(!card.contains("run-03") && !card.contains("run-15"))
  }

  @Test("Every failure of a run is counted, and of those of one run alone the page tells two")
  func manyFailures() throws {
    let scratch = try Scratch()
    let names = ["a", "b", "c", "d"]
    func expectations(_ limit: (Int) -> Int) -> String {
      names.enumerated().map { "{ id: '\($1)', metric: 'mean', max: \(limit($0)) }" }
        .joined(separator: ", ")
    }
    for (file, replicates) in [("four", 4), ("one", 1)] {
      try Files.write(
        """
        { format: 'loopsim/1', id: '\(file)', clock: { duration: '1h' },
          patient: { model: 'tidepool-simple', initialGlucose: 120,
            needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
              carbRatio: [['00:00', 10]] } },
          random: { replicates: \(replicates) }, app: { closedLoop: false },
          expect: [\(expectations { $0 + 1 })] }
        """, to: scratch.file("\(file).json5"))
    }
    let four = try Binary.run(["run", "four.json5", "--out", "out"], in: scratch.url)
    for name in names {
      let words = "alike   4 of 4 runs, the first four/r0, the worst four/r0: Expectation \(name): "
      #expect(four.output.contains(words), "\(four.output)")
    }
    let files = ["one.json5", "four.json5", "--run", "one", "--run", "four/r0"]
    _ = try Binary.run(["run"] + files + ["--out", "two", "--report"], in: scratch.url)
    let page = try scratch.text(of: "two/report.html")
    #expect(page.contains("Expectation b: ") && page.contains("And 2 more."))
    #expect(!page.contains("Expectation c: "))
  }

  @Test("Of failures that are alike the first is printed, with how many there are")
  func failures() throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'many', clock: { duration: '1h' },
        patient: { model: 'tidepool-simple', initialGlucose: 120,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        random: { replicates: 5 }, app: { closedLoop: false },
        expect: [{ id: 'high', metric: 'mean', min: 200 }] }
      """, to: scratch.file("many.json5"))
    let result = try Binary.run(["run", "many.json5", "--out", "out"], in: scratch.url)
    let failed = result.output.split(separator: "\n").filter {
      $0.contains("high: ") && $0.hasPrefix("failed  many")
    }
    #expect(failed.count == 1, "\(result.output)\(result.error)")
    #expect(result.output.contains("\n        and 4 more fail alike\n"), "\(result.output)")
    #expect(result.output.contains("\nalike   5 of 5 runs, the first many/"), "\(result.output)")
    #expect(result.output.contains("5 fail."), "\(result.output)")
  }
}
