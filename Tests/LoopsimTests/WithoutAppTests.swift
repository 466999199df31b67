import Foundation
import Pages
import Reports
import Simulation
import StructuredText
import Testing

@testable import loopsim

@Suite("Answers of a run without an app")
struct WithoutAppTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  private static let folder = root + "/Scenarios/without-app/"

  private func contents(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func finished(_ file: String) throws -> FinishedRun {
    ScenarioBatch.carryOut(
      try RunSelection(nil, in: Self.folder + file).planned, seed: nil)
  }

  @Test("The text says so, and asks of no record whether it agrees")
  func text() throws {
    let summary = try #require(try finished("pump-day.json5").summary)
    let text = summary.lines().joined(separator: "\n")
    #expect(text.contains("  without an app: people and the pump's own schedule decide\n"))
    #expect(text.contains("\nWithout an app nothing records insulin but the pump.\n"))
    #expect(text.contains("                      body   pump\n"))
    for word in ["agree", "app  ", "health store", "automatic", "cycle"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(summary.oneLine.contains(", without an app, "))
    #expect(!summary.oneLine.contains("agree"))
  }

  @Test("Its files are those of body, pump and sensor")
  func files() async throws {
    let scratch = try Scratch()
    let result = await program(
      ["run", Self.folder + "pen-day.json5", "--out", scratch.path, "--report"])
    #expect(result.code == 0, "\(result.output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.file("pen-day"))
    #expect(
      Set(names) == [
        "summary.json", "timeline.csv", "happenings.csv", "ledger.json", "doses.csv", "pulses.csv",
        "report.html",
      ])
    let timeline = try contents(scratch.file("pen-day/timeline.csv"))
    #expect(
      timeline.hasPrefix(
        """
        time,seconds,glucose_true_mgdL,glucose_cgm_mgdL,scheduled_rate_U_per_h,\
        programmed_rate_U_per_h,basal_delivered_U,bolus_delivered_U,carbs_eaten_g,iob_true_U,\
        iob_true_total_U,insulin_in_body_U

        """))
    #expect(try contents(scratch.file("pen-day/happenings.csv")).contains("A meter shows "))
    let runs = try contents(scratch.file("runs.csv")).split(separator: "\n")
    let column = try #require(runs[0].split(separator: ",").firstIndex(of: "records_agree"))
    #expect(runs[1].split(separator: ",", omittingEmptySubsequences: false)[column] == "")
  }

  @Test("The tree has no loop and no answer about records")
  func tree() throws {
    let summary = try #require(try finished("pump-day.json5").summary)
    guard case .object(let members) = summary.json else { throw Failure(.usage, "no object") }
    let keys = members.map(\.key)
    #expect(keys.contains("app") && !keys.contains("loop") && !keys.contains("reporting"))
    let text = JSONWriter().text(summary.json)
    #expect(text.contains(#""app": "none""#) && text.contains(#""answer": null"#))
    #expect(text.contains(#""app_U": null"#) && text.contains(#""health_store_U": null"#))
    #expect(text.contains(#""closed_loop_percent": null"#))
  }

  @Test("The page draws what there is")
  func page() throws {
    let report = try #require(try finished("pump-day.json5").report)
    let html = RunPage(report).html
    for word in ["No app", "Without an app nothing records insulin", "Pump delivered"] {
      #expect(html.contains(word), "\(word)")
    }
    // The site let half of the insulin through, which no answer about records says.
    #expect(html.contains("<h1>1 thing went wrong; true glucose "))
    for word in [
      "App recorded", "Written to Health", "records agree", "How late Health", "Cycles",
      "Settings in force", "Closed loop", "the app counts", "the health store shows",
    ] {
      #expect(!html.contains(word), "\(word)")
    }
    let ids = html.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
    for link in html.matches(of: /href="#([^"]+)"/) {
      #expect(ids.contains(String(link.1)), "\(link.1)")
    }
  }

  @Test("The state at an instant has no app, no decision and no store")
  func state() async throws {
    let result = await program(["replay", Self.folder + "pump-day.json5", "--at", "+8h"])
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("\nPump\n") && result.output.contains("\nSensor\n"))
    for word in ["App", "Decision", "Health store"] {
      #expect(!result.output.contains("\n\(word)"), "\(word)")
    }
  }

  @Test("There is no algorithm whose input could be shown")
  func input() async throws {
    for words in [["--format", "input"], ["--input", "/nowhere/input.json"]] {
      let result = await program(
        ["replay", Self.folder + "pump-day.json5", "--at", "+8h"] + words)
      #expect(result.code == 65)
      #expect(result.error.contains("The scenario has no app (app: 'none')"))
    }
  }

  @Test("Freezing a run keeps that there is none, and the frozen run is the same")
  func freezes() async throws {
    let scratch = try Scratch()
    let frozen = scratch.file("frozen.json5")
    let result = await program(["freeze", Self.folder + "pump-day.json5", "-o", frozen])
    #expect(result.code == 0, "\(result.output)")
    #expect(try contents(frozen).contains("app: 'none'"))
    let again = ScenarioBatch.carryOut(try RunSelection(nil, in: frozen).planned, seed: nil)
    #expect(again.result?.digest == (try finished("pump-day.json5")).result?.digest)
  }
}
