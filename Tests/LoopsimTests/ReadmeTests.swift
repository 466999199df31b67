import Arguments
import Foundation
import Testing

@testable import loopsim

/// What README.md shows is what the program says.
@Suite("README")
struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  private let text: String

  init() throws {
    text = String(decoding: try Files.read(Self.root + "/README.md"), as: UTF8.self)
  }

  /// The block of code that begins with a line.
  private func block(_ start: String) throws -> String {
    let begin = try #require(text.range(of: start)).upperBound
    let end = try #require(text.range(of: "```", range: begin..<text.endIndex)).lowerBound
    return String(text[begin..<end])
  }

  private func trimmed(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  @Test("The run at the top prints what stands there, on a terminal of 80 columns")
  func showsRun() async throws {
    let file = "Scenarios/closed-loop/three-meals-closed-loop.json5"
    let scratch = try Scratch()
    let console = QuietConsole(isWatched: true)
    let words = ["run", "\(Self.root)/\(file)", "--out", scratch.file("out")]
    #expect(await Loopsim.run(words, to: console) == 0)
    let shown = try block("$ loopsim run \(file)\n")
    #expect(trimmed(console.output).hasPrefix(shown))
    #expect(shown.contains("Expectations: 8 of 8 hold."))
  }

  @Test("The problems it shows are those that check finds")
  func showsProblems() async throws {
    let scratch = try Scratch()
    let file = scratch.file("day.json5")
    try Files.write(
      """
      {
        format: 'loopsim/1', id: 'day',
        clock: { start: '2026-01-15T08:00:00', timeZone: 'Europe/Londn', duration: '6h' },
        patient: { model: 'tidepool-simple' },
        therapy: { basal: [['00:00', 1.27]], sensitivity: [['00:00', 0.6]], carbRatio:\
           [['00:00', 10]] },
        events: [
          { at: '09:00', meal: { gramms: 40 }, entry: {} },
          { at: '19:00', bolus: { units: 2 } },
        ],
      }
      """, to: file)
    let found = await program(["check", file])
    #expect(found.code == 65)
    let all = (found.output + found.error).replacing(file, with: "day.json5")
    for line in try block("$ loopsim check day.json5\n").split(separator: "\n") {
      #expect(all.contains(line + "\n"), "\(all)")
    }
  }

  @Test("The scenario it shows is one of the library, and the catalogue has as many as it says")
  func showsScenario() throws {
    let name = "basal-reporting/basal-reporting-day.json5"
    let scenario = try Files.read("\(Self.root)/Scenarios/\(name)")
    #expect(text.contains("```json5\n\(String(decoding: scenario, as: UTF8.self))```"))
    let catalogue = try Files.read(Self.root + "/Scenarios/README.md")
    let rows = String(decoding: catalogue, as: UTF8.self).split(separator: "\n")
      .count { $0.hasPrefix("| [") }
    #expect(text.contains("catalogue of \(rows) scenarios"), "\(rows)")
  }
}
