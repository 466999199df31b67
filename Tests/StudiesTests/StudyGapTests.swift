import StructuredText
import Testing

@testable import Studies

/// What a study says of pumps that stood, of sensors that showed little, and of bodies beyond their
/// models: the cases are made up, so that every number can be counted by hand.
@Suite("What is missing in a study is said")
struct StudyGapTests {
  private static let sweep = """
    sweep: { 'therapy.scale.sensitivity': [0.8, 1] },
    study: { control: { 'therapy.scale.sensitivity': 1 },
      primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }] }
    """

  /// The analysis of six patients; `made` gives the columns of a case that are not empty.
  private func analysis(
    _ body: String, _ made: (_ item: StudyProtocol.Case) -> [String: String]
  ) throws -> StudyAnalysis {
    try Fixture.analysis(of: try Fixture.study(Fixture.scenario(body))) { item in
      made(item).merging(["point": "\(item.point)"]) { own, _ in own }
    }
  }

  @Test("Pumps that stood at a point of a sweep are told with that point")
  func stoppedAtAPoint() throws {
    let analysis = try analysis(Self.sweep) { item in
      let minutes = item.point == 0 && item.patient > 3 ? "\(60 * item.patient)" : "0"
      return ["range": "\(60 + item.patient + item.point)", "suspendedMinutes": minutes]
    }
    let stopped = try #require(analysis.flow.stoppedPumps)
    // Each of six patients lives two points: that of the last patient at the first is case 10.
    #expect(
      stopped.words
        == "In 2 runs of 2 patients the pump was suspended, empty or broken, for at most 5.0 h "
        + "(p5, 0.8, case 10): 2 of 6 with 0.8; they stay in")
    let flow = StudySummary(analysis, casesDigest: "0").json["flow"]
    #expect(
      flow?["stopped_pumps"]?["arms"] == .array([["name": "0.8", "runs": 2, "of": 6]]))
  }
}
