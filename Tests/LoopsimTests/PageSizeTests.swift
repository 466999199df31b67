import Expectations
import Foundation
import Outcomes
import Pages
import Quantities
import Reports
import Testing

@testable import loopsim

/// Holds pages of many runs to the size that they promise.
@Suite("Sizes of pages")
struct PageSizeTests {
  @Test("A page of a hundred runs has fewer than 400,000 bytes")
  func cohort() throws {
    let scratch = try Scratch()
    let file = scratch.file("night.json5")
    try Files.write(scenario(), to: file)
    let finished = ScenarioBatch.carryOut(try RunSelection(nil, in: file).planned, seed: nil)
    let report = try #require(finished.report(withDoses: false))
    let row = try #require(BatchRow(report, hasFailed: false))
    let rows = (0..<100).map { index in
      var copy = row
      copy.id = "cohort-of-adults/arm-\(index % 2)/adult#\(100 + index)"
      copy.coordinates.variant = "arm-\(index % 2)"
      copy.hasFailed = index % 7 == 0
      copy.pattern.glucose = (0..<24).map { 90 + Double(($0 * 7 + index * 3) % 90) }
      return copy
    }
    let html = BatchPage(rows, joint: [], version: "1").html(linksToRuns: true)
    #expect(html.utf8.count < 400_000)
    #expect(html.utf8.count > 40_000)
  }

  @Test("A page of 500 replays, ten of which fail, has fewer than 200,000 bytes")
  func replays() {
    let start = Instant(secondsSince1970: 1_772_582_400)
    let outcomes = (0..<500).map { index -> ReplayOutcome in
      let id = "scenario-with-a-name-of-some-length-\(index)"
      let file = "Scenarios/folder-\(index % 9)/\(id).json5"
      guard index % 50 == 0 else {
        return ReplayOutcome(id: id, file: file, title: "What it is about", state: .passed)
      }
      let segments = (0..<48).map { half in
        ReplayOutcome.Segment(
          start: start + .minutes(30) * Int64(half), end: start + .minutes(30) * Int64(half + 1),
          units: 0.3)
      }
      return ReplayOutcome(
        id: id, file: file, title: "What it is about", state: .failed,
        verdicts: [
          ExpectationResult(
            .failed, expectation: "units", run: id, file: file, line: 7,
            message: "row 2 should be 0.6 U")
        ],
        differences: [
          ReplayOutcome.Difference(
            file: "basal-segments.csv", instant: start + .hours(7), kept: "07:00,0.60",
            found: "07:00,0.65", count: 41)
        ], kept: segments, found: segments)
    }
    let html = ReplayPage(outcomes, lines: outcomes.map(\.id), version: "1").html
    #expect(html.utf8.count < 200_000)
    #expect(html.utf8.count > 20_000)
    #expect(html.contains("row 2 should be 0.6 U"))
  }
}
