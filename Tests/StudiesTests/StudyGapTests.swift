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

  private static func seen(_ metric: String, arms: String = Fixture.arms) -> String {
    arms + """
      study: { control: 'plain',
        primary: [{ id: 'range', metric: '\(metric)', better: 'higher', noninferior: 5 }],
        secondary: [{ id: 'mean', metric: 'mean@cgm', better: 'lower' }] }
      """
  }

  /// The analysis of a study in which the sensor of each arm showed so many percent of the time.
  private func analysis(_ body: String, wear: [String]) throws -> StudyAnalysis {
    try analysis(body) { item in
      ["range": "\(60 + item.patient)", "mean": "120", "wear": wear[item.arm]]
    }
  }

  @Test("Where sensors showed less than 70 % of the time that is said, though both showed as much")
  func scarceReadings() throws {
    func text(_ wear: [String]) throws -> String {
      StudyText(try analysis(Self.seen("tir(70,180)@cgm"), wear: wear)).lines
        .joined(separator: " ")
    }
    #expect(
      try text(["37.5", "37.5"]).contains(
        "Note  the sensor showed readings for 37.5 % of the time under plain and 37.5 % under "
          + "high: what is measured on it (@cgm) leaves out more than the consensus allows, which "
          + "asks for 70 %."))
    #expect(
      try text(["100", "0.5"]).contains(
        "what is measured on it (@cgm) is not the same time, and leaves out more than the "
          + "consensus allows, which asks for 70 %."))
    #expect(try text(["100", "90"]).contains("(@cgm) is not the same time."))
    #expect(try !text(["70", "70"]).contains("the sensor showed"))
  }

  @Test("The answer says so where its goal or harm goes by the sensor, and else does not")
  func scarceAnswer() throws {
    func answer(_ body: String, _ wear: [String]) throws -> String {
      StudySentence(try analysis(body, wear: wear)).text
    }
    let goal = Self.seen("tir(70,180)@cgm")
    #expect(
      try answer(goal, ["100", "0.5"]).hasSuffix(
        "; the sensor showed readings for less than 70 % of the time with high."))
    #expect(
      try answer(goal, ["69", "69"]).hasSuffix("of the time with plain and with high."))
    #expect(try !answer(goal, ["100", "90"]).contains("the sensor"))
    #expect(try !answer(Self.seen("tir(70,180)"), ["100", "0.5"]).contains("the sensor"))
    let three = Self.seen(
      "tir(70,180)@cgm",
      arms: """
        variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } },
          low: { therapy: { target: [['00:00', [90, 100]]] } } },
        """)
    #expect(
      try answer(three, ["100", "0.5", "100"]).hasSuffix(
        " At 1 of 2 comparisons the sensor showed readings for less than 70 % of the time under "
          + "an arm."))
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
