import Foundation
import TestSupport
import Testing

@testable import loopsim

/// Bodies of a study that cannot be made.
@Suite("Bodies of a study")
struct StudyBodyTests {
  /// A study of five people, with a column of their bodies.
  private static func study(_ body: String) -> String {
    """
    { format: 'loopsim/1', id: 'small', clock: { duration: '30m' },
      patient: { model: 'uva-padova-s2008', name: 'adult#001' },
      therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 30]],
        carbRatio: [['00:00', 10]] },
      cohort: { from: 'people.csv', columns: { body: '\(body)' } },
      variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } } },
      study: { control: 'plain',
        primary: [{ id: 'mean', metric: 'mean', better: 'lower', noninferior: 10 }] } }
    """
  }

  @Test(
    "What one patient's body alone makes an error is told before the study starts",
    arguments: [
      ("patient.name", "adult#001", "adult#099", "people.csv:3:3: error: \"adult#099\""),
      ("patient.parameters.EGPb", "2.2", "80", "The parameter \"EGPb\" of the patient"),
    ])
  func unusableBody(path: String, usual: String, odd: String, problem: String) async throws {
    let scratch = try Scratch()
    try Files.write(Self.study(path), to: scratch.file("study.json5"))
    let rows = ["a", "b", "c", "d", "e"].map { "\($0),\($0 == "b" ? odd : usual)\n" }.joined()
    try Files.write("id,body\n" + rows, to: scratch.file("people.csv"))
    let out = scratch.file("out")
    for command in [["study", "plan"], ["study"]] {
      let done = await program(command + [scratch.file("study.json5"), "--out", out])
      #expect(done.code == 65, "\(done)")
      #expect(done.error.contains(problem), "\(done)")
      #expect(!FileManager.default.fileExists(atPath: out))
    }
  }
}
