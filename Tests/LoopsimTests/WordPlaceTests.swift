import Foundation
import TestSupport
import Testing

@testable import loopsim

@Suite("Where the words of a timeline stand")
struct WordPlaceTests {
  /// Six hours that fall from 339 mg/dL, so that the axis ends at 355 and the first reading lies 10
  /// of 204 pixels below its end: too near for a word above it, and the next run through one below.
  private static let scenario = """
    { format: 'loopsim/1', id: 'falling',
      clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '6h' },
      patient: { model: 'tidepool-simple', initialGlucose: 339, needs: {
        basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      cgm: { model: 'ideal' }, app: { closedLoop: false },
      events: [{ at: '+1m', injection: { units: 4 }, entry: false }] }
    """

  private func page(_ scenario: String) async throws -> String {
    let scratch = try Scratch()
    let (file, page) = (scratch.file("falling.json5"), scratch.file("page.html"))
    try Files.write(scenario, to: file)
    let told = await program(["report", file, "-o", page])
    #expect(told.code == 0, "\(told.output) \(told.error)")
    return try scratch.text(of: "page.html")
  }

  @Test("A number that readings would run through stands beside them, at the edge")
  func beside() async throws {
    let html = try await page(Self.scenario)
    let word = try #require(
      html.firstMatch(
        of: /style="left:([\d.]+)%;top:([\d.]+)%">max <span data-mg="339.0">339<\/span>/))
    // Six pixels from the edge, to the right of what it names.
    #expect(word.2 == "2.94")
    let left = try #require(Double(word.1))
    #expect(left > 5 && left < 50, "\(left)")
  }
  @Test("A lane whose words take several rows has room for them on paper, and no other has")
  func onPaper() async throws {
    let plain = try await page(Self.scenario)
    #expect(plain.contains("<div class=\"row mode\"") && plain.contains("<div class=\"row \""))
    // Names of 20 letters take an eighth of the six hours and more, and stand 20 minutes apart.
    let crowded = Self.scenario.replacing(
      "events: [",
      with: """
        faults: [
          { id: 'the-first-to-be-named', during: ['+2h', '10m'], cgm: { dropout: {} } },
          { id: 'the-second-to-be-named', during: ['+140m', '10m'], cgm: { dropout: {} } }],
        events: [{ at: '+3h', bolus: { units: 1 } }, { at: '+190m', bolus: { units: 2 } },
        """)
    let html = try await page(crowded)
    #expect(html.contains("<div class=\"row mode two\""))
    #expect(html.contains(/<div class="row two"[^>]*><div class="lab l"><b>App recorded/))
  }
}
