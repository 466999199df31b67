import StructuredText
import TestSupport
import Testing

@testable import Bridge

@Suite("A client has lived through all runs of a scenario")
struct JointJudgementTests {
  /// Half an hour that rests at the body's start, which a sweep sets: 100, 110, 120 and 130 mg/dL.
  private static func scenario(_ expectations: String, starts: String = "100, 110, 120, 130")
    -> String
  {
    """
    { format: 'loopsim/1', id: 's',
      clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '30m' },
      patient: { model: 'tidepool-simple', initialGlucose: 110, needs: {
        basal: [['00:00', 0.0]], sensitivity: [['00:00', 50]],
        carbRatio: [['00:00', 10]] } },
      therapy: { basal: [['00:00', 0.05]] },
      app: { closedLoop: false }, pump: { model: 'generic50' },
      sweep: { 'patient.initialGlucose': [\(starts)] },
      expect: [\(expectations)] }
    """
  }

  private static let mean = "{ id: 'm', metric: 'maxGlucose', max: 114, across: 'mean' }"

  /// Begins a run where Loop decides, lives through it, and gives its name in the session.
  private static func lived(
    _ run: String, _ session: inout ServeSession, _ more: [JSONValue.Member] = []
  ) throws -> String {
    let reset: [JSONValue.Member] = [
      .init("type", "reset"), .init("scenario", "s.json5"), .init("of", .string(run)),
      .init("answers", []),
    ]
    let begin = try #require(session.ask(.object(reset + more)).first)
    let name = try #require(begin.text("run"), "\(begin)")
    let end = session.ask([
      "type": "advance", "run": .string(name), "through": "2026-01-15T00:30:00Z",
    ])
    #expect(end.first?.text("type") == "end", "\(end)")
    return name
  }

  private static func judge(_ names: [String], _ session: inout ServeSession) throws -> JSONValue {
    try #require(
      session.ask(["type": "judge", "runs": .array(names.map { .string($0) })]).first)
  }

  @Test("What they come to together is judged, in whatever order they are named")
  func judges() throws {
    let text = Self.scenario(
      """
      \(Self.mean), { id: 'own', metric: 'maxGlucose', max: 500 },
      { id: 'most', metric: 'maxGlucose', max: 125, across: 'fraction>=0.75' }
      """)
    var session = BridgeFixture.session(["s.json5": text])
    let names = try ["s/s2", "s/s0", "s/s3", "s/s1"].map { try Self.lived($0, &session) }
    let answer = try Self.judge(names, &session)
    #expect(answer.text("type") == "judged")
    let verdicts = answer["expectations"]?.items ?? []
    #expect(verdicts.map { $0.text("id") } == ["m", "most"], "\(answer)")
    #expect(verdicts.map { $0.text("outcome") } == ["failed", "passed"])
    #expect(verdicts.map { $0.text("run") } == ["s", "s"])
    // (100 + 110 + 120 + 130) / 4, and three of the four.
    #expect(
      verdicts.first?.text("message") == "mean of maxGlucose@true over 4 runs is 115 > 114 mg/dL")
    #expect(verdicts.map { $0.number("value") } == [115, 0.75])
    #expect(verdicts.first?.text("at_run") == "s/s3")
  }

  @Test("Variants are compared, and what the request sets counts")
  func compares() throws {
    let text = """
      { extends: 'base.json5', variants: { low: { patient: { initialGlucose: 100 } },
          high: { patient: { initialGlucose: 150 } } },
        expect: [{ id: 'c', compare: { metric: 'maxGlucose', this: 'low', other: 'high' },
          difference: { min: -20 } }] }
      """
    let base = Self.scenario("").replacing(
      "sweep: { 'patient.initialGlucose': [100, 110, 120, 130] },", with: "")
    var session = BridgeFixture.session(["s.json5": text, "base.json5": base])
    let names = try ["s/low", "s/high"].map { try Self.lived($0, &session) }
    let verdict = try #require(try Self.judge(names, &session)["expectations"]?.items?.first)
    #expect(
      verdict.text("message") == "maxGlucose@true 100 − 150 (s/high) is -50 < -20 mg/dL",
      "\(verdict)")
    let set: [JSONValue.Member] = [.init("overrides", ["patient.initialGlucose": 120])]
    let same = try ["s/low", "s/high"].map { try Self.lived($0, &session, set) }
    let equal = try #require(try Self.judge(same, &session)["expectations"]?.items?.first)
    #expect(equal.text("outcome") == "passed" && equal.number("value") == 0, "\(equal)")
    // One of each is the mean of nothing that the scenario says.
    let mixed = try Self.judge([names[0], same[1]], &session)
    #expect(
      mixed.text("text")
        == "\"r4\" is a run of another scenario than \"r1\", or has other overrides or another "
        + "seed; what several runs come to is judged of one plan.", "\(mixed)")
    #expect(mixed.text("path") == "$.runs[1]")
    // Nothing that is set is the same as no word of it.
    let bare = try Self.lived("s/high", &session, [.init("overrides", .object([]))])
    #expect(try Self.judge([names[0], bare], &session).text("type") == "judged")
    let seeded = try Self.lived("s/high", &session, [.init("seed", 7)])
    #expect(try Self.judge([names[0], seeded], &session).text("type") == "error")
  }

  @Test("What is missing, twice, not over or not there is refused by its name")
  func refuses() throws {
    let text = Self.scenario(Self.mean, starts: "100, 120")
    var session = BridgeFixture.session(["s.json5": text])
    let one = try Self.lived("s/s0", &session)
    let twin = try Self.lived("s/s0", &session)
    _ = session.ask(["type": "reset", "scenario": "s.json5", "of": "s/s1", "answers": []])
    let cases: [([String], String, String)] = [
      ([], "\"runs\" is empty; name all runs of a scenario.", "$.runs"),
      (
        [one],
        "The scenario has 2 runs, of which 1 is named; what several runs come to is judged of all.",
        "$.runs"
      ),
      (
        [one, twin], "\"r1\" and \"r2\" are the same run of the scenario, s/s0.", "$.runs[1]"
      ),
      ([one, "r3"], "The run \"r3\" is not over yet.", "$.runs[1]"),
      (["r9"], "There is no run \"r9\".", "$.runs[0]"),
    ]
    for (names, sentence, path) in cases {
      let answer = try Self.judge(names, &session)
      #expect(answer.text("text") == sentence && answer.text("path") == path, "\(answer)")
    }
    let words = try #require(session.ask(["type": "judge", "runs": [1]]).first)
    #expect(words.text("path") == "$.runs[0]")
  }
}
