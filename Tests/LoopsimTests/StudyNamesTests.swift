import Foundation
import TestSupport
import Testing

@testable import loopsim

@Suite("What a study calls its end points")
struct StudyNamesTests {
  /// Five people, of whom no reading lies in the hours of the last end point.
  private func study(_ scratch: Scratch) async throws -> String {
    let text = """
      { format: 'loopsim/1', id: 'named', clock: { duration: '1h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
        variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } } },
        study: { control: 'plain',
          primary: [{ id: 'dose', metric: 'tdd', better: 'lower', superior: true }],
          safety: [{ id: 'dose-harm', metric: 'tdd', better: 'lower', harm: { more: 5 } },
            { id: 'seen', metric: 'mean@cgm', better: 'lower', harm: { above: 50 } },
            { id: 'true', metric: 'mean', better: 'lower' },
            { id: 'early', metric: 'mean', better: 'lower', daily: ['06:00', '08:00'],
              harm: { above: 250 } }] } }
      """
    try Files.write(text, to: scratch.file("named.json5"))
    try Files.write("id,isf\np1,40\np2,45\np3,50\np4,55\np5,60\n", to: scratch.file("people.csv"))
    let out = scratch.file("out")
    #expect(await program(["study", scratch.file("named.json5"), "--out", out]).code == 0)
    return out
  }

  @Test("Those of one name are told apart by what they are measured on, or else by their ids")
  func names() async throws {
    let scratch = try Scratch()
    let out = try await study(scratch)
    let page = scratch.file("page.html")
    #expect(await program(["report", out, "-o", page]).code == 0)
    let html = try scratch.text(of: "page.html")
    // Insulin is measured on no glucose.
    #expect(!html.contains("total daily dose, true glucose"))
    #expect(
      html.contains("total daily dose (dose)") && html.contains("total daily dose (dose-harm)"))
    // All are above 50 mg/dL under both arms, and all are spared some insulin: nobody is near.
    #expect(html.contains("Harmed under both arms: p1 ("))
    #expect(!html.contains("nearest to the rule"))
    #expect(html.contains("mean glucose, CGM") && html.contains("mean glucose, true glucose"))
  }

  @Test("The share of those who were harmed is null where nobody has a value")
  func shareOfNobody() async throws {
    let scratch = try Scratch()
    let summary = try String(
      contentsOfFile: try await study(scratch) + "/results.summary.json", encoding: .utf8)
    let early = try #require(
      summary.firstMatch(of: /"rule": "above 250"[^}]*"share": (null|\[[^\]]*\])/))
    #expect(early.1 == "null", "\(early.0)")
    let dose = try #require(
      summary.firstMatch(of: /"rule": "5 more"[^}]*"share": (null|\[[^\]]*\])/))
    #expect(dose.1.hasPrefix("[0.0, 0.0, 0.52"), "\(dose.0)")
  }
}
