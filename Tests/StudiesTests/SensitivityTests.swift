import Determinism
import Outcomes
import RunPlans
import StructuredText
import TestSupport
import Testing

@testable import Studies

/// Sweeps whose points are drawn, from the scenario to the answer.
@Suite("Which setting matters")
struct SensitivityTests {
  private static func files(
    _ sweep: String, _ study: String = goals, patients: Int = 2, rest: String = ""
  ) -> [String: String] {
    Fixture.scenario(
      patients: patients, hours: 1, "sweep: { \(sweep) }, study: { \(study) }\(rest)")
  }

  private static let goals = "primary: [{ id: 'seen', metric: 'mean@cgm', better: 'lower' }]"
  /// Keys that nothing interprets stand for the arguments of a function.
  private static let angles = ["x-1", "x-2", "x-3"].map {
    "'cgm.\($0)': { uniform: [-3.141592653589793, 3.141592653589793] }"
  }.joined(separator: ", ")

  /// The cases of a study in which the first end point is a function of what the sweep sets.
  private static func cases(
    _ study: StudyProtocol, _ function: ([Double]) -> Double?
  ) throws -> [UInt8] {
    let header = CaseRow.header(study.design)
    let rows = try (0..<study.plan.units).flatMap { study.cases(ofUnit: $0) }.map { item in
      let settings = study.settings(at: item.point).compactMap(\.value.double)
      let value = function(settings)
      let known = [
        "case": "\(item.number)", "unit": "\(item.unit)",
        "patient": study.patient(item.patient).id, "replicate": "\(item.replicate)",
        "group": study.patient(item.patient).group ?? "", "point": "\(item.point)",
        "status": value == nil ? "failed" : "ok", "days": "1", "seed": "7",
        "seen": value.map { "\($0)" } ?? "",
      ]
      return try #require(CaseRow(header.map { known[$0] ?? "" }))
    }
    return CaseRow.table(rows, header: header, withHeader: true)
  }

  /// Ishigami's function with 7 and 0.1, of which the indices are known exactly: 0.313905, 0.442411
  /// and 0 alone, 0.557589, 0.442411 and 0.243684 with the others (Ishigami and Homma, 1990).
  private static func ishigami(_ x: [Double]) -> Double {
    func sine(_ angle: Double) -> Double { PortableMath.sine(ofTurns: angle / (2 * .pi)) }
    return sine(x[0]) * (1 + 0.1 * x[2] * x[2] * x[2] * x[2]) + 7 * sine(x[1]) * sine(x[1])
  }

  @Test("Sobol's indices of Ishigami's function, from a sweep to the summary")
  func sobol() throws {
    let rows = Extent.of(128, whole: 2_048)
    let study = try Fixture.study(
      Self.files(
        "sobol: { n: \(rows), of: { \(Self.angles) } }", patients: Extent.of(1, whole: 2),
        rest: ", budget: { maxRuns: 30000 }"))
    #expect(study.plan.points == rows * 5)
    let analysis = try Fixture.analysis(study, Self.cases(study, Self.ishigami))
    let result = try #require(analysis.sensitivity.first)
    guard case .sobol(let indices) = result.estimates else {
      Issue.record("\(result.estimates)")
      return
    }
    let exact = [(0.313905, 0.557589), (0.442411, 0.442411), (0, 0.243684)]
    // The standard error of an index from 2,048 rows is some 0.02 to 0.03, that from fewer rows is
    // larger as the root of their number is smaller.
    let error = (2_048 / Double(rows)).squareRoot()
    let bound = 0.08 * error
    for (index, (first, total)) in zip(indices, exact) {
      #expect(index.firstInterval.contains(first), "\(index)")
      #expect(index.totalInterval.contains(total), "\(index)")
      #expect((index.first - first).magnitude < bound && (index.total - total).magnitude < bound)
    }
    // The mean of the function is 3.5 and its variance 13.844588.
    #expect((try #require(result.mean) - 3.5).magnitude < 0.2 * error)
    #expect((try #require(result.deviation) - 13.844588.squareRoot()).magnitude < 0.2 * error)
    #expect(result.ranking.first == 0)
    #expect(analysis.comparisons.isEmpty)
    let sentence = StudySentence(analysis).text
    let isAlone = indices[0].totalInterval.lowerBound > indices[1].totalInterval.upperBound
    #expect(
      sentence.hasPrefix(
        "cgm.x-1 \(isAlone ? "matters" : "seems to matter") most for mean glucose: by itself"))
    #expect(sentence.contains(" overlap") == !isAlone)
    let summary = JSONReader.read(
      JSONWriter().bytes(StudySummary(analysis, casesDigest: "0").json), file: "summary"
    ).root
    let found = summary?["sensitivity"]?["endpoints"]?.items?.first?["estimates"]?.items
    #expect(found?.count == 3)
    #expect(found?[1]["total"]?.double == indices[1].total)
    #expect(StudyText(analysis).lines.allSatisfy { $0.count <= 80 }, "\(StudyText(analysis).lines)")
    #expect(StudyText(analysis).lines.contains { $0.hasPrefix("  cgm.x-3 ") })
    let table = try #require(StudyTables(analysis).sensitivity)
    #expect(String(decoding: table, as: UTF8.self).split(separator: "\n").count == 4)
    let points = CSVTable(
      try #require(StudyTables(analysis).surface), file: "points", problems: ProblemList())
    #expect(points?.rows.count == study.plan.points)
    let digest = StudyDigest(plan: "a", cases: "b", summary: "c")
    #expect(
      StudyChecklist(analysis, digest: digest).text.contains("Sobol's indices, \(rows) rows"))
  }

  @Test("Morris's effects of a linear function are its coefficients times the ranges")
  func morris() throws {
    let study = try Fixture.study(
      Self.files(
        "morris: { n: 6, of: { 'cgm.x-1': { uniform: [0, 10] }, 'cgm.x-2': { choices: [1, 5] } } }")
    )
    #expect(study.plan.points == 6 * 3)
    let analysis = try Fixture.analysis(
      study, Self.cases(study) { 2 * $0[0] - 3 * $0[1] + 500 })
    guard case .morris(let effects) = analysis.sensitivity.first?.estimates else {
      Issue.record("no effects")
      return
    }
    // A choice between two values flips in half a turn, which is the whole of its range: -3 × 4.
    #expect((effects[0].meanSize - 20).magnitude < 1e-9)
    #expect(effects[0].standardDeviation < 1e-9)
    #expect((effects[1].meanSize - 12).magnitude < 1e-9)
    #expect(effects[1].standardDeviation < 1e-9)
    #expect(analysis.sensitivity.first?.ranking == [0, 1])
    let sentence = StudySentence(analysis).text
    #expect(sentence.hasPrefix("cgm.x-1 moves mean glucose most: by 20.0 mg/dL"), "\(sentence)")
    #expect(!StudyText(analysis).lines.contains { $0.contains("interval") })
  }

  @Test("Morris's effect of choices is that from the first to the last, however many there are")
  func morrisChoices() throws {
    let study = try Fixture.study(
      Self.files(
        "morris: { n: 8, of: { 'cgm.x-1': { choices: [0, 1, 2] }, "
          + "'cgm.x-2': { choices: [0, 1, 2, 3] } } }"
      )
    )
    let analysis = try Fixture.analysis(
      study, Self.cases(study) { 5 * $0[0] - 2 * $0[1] + 500 })
    guard case .morris(let effects) = analysis.sensitivity.first?.estimates else {
      Issue.record("no effects")
      return
    }
    #expect((effects[0].meanSize - 10).magnitude < 1e-9)
    #expect((effects[1].meanSize - 6).magnitude < 1e-9)
    #expect(effects.allSatisfy { $0.standardDeviation < 1e-9 })
  }

  /// In an open loop the bias of a sensor shifts what it reads, and a target does nothing.
  @Test("Real runs: a sensor's bias explains everything, a target nothing")
  func runs() throws {
    let rows = Extent.of(4, whole: 8)
    let study = try Fixture.study(
      Self.files(
        "sobol: { n: \(rows), of: { 'cgm.bias.offset': { uniform: [0, 20] }, "
          + "'therapy.suspendThreshold': { uniform: [60, 80] } } }",
        patients: Extent.of(1, whole: 2), rest: ", app: { closedLoop: false }"))
    let analysis = try Fixture.analysis(study, Fixture.bytes(study))
    guard case .sobol(let indices) = analysis.sensitivity.first?.estimates else {
      Issue.record("\(analysis.sensitivity)")
      return
    }
    #expect(indices[1].total == 0)
    #expect(indices[1].first == 0)
    #expect(indices[0].total > 0.3)
    let again = try Fixture.study(
      Self.files(
        "sobol: { n: \(rows), of: { 'therapy.suspendThreshold': { uniform: [60, 80] }, "
          + "'cgm.bias.offset': { uniform: [0, 20] } } }",
        patients: Extent.of(1, whole: 2), rest: ", app: { closedLoop: false }"))
    // A setting's values do not depend on the others or on their order.
    #expect(
      again.settings(at: 0).map(\.value.double)
        == study.settings(at: 0).reversed().map(\.value.double))
  }

  @Test("Where a run has no value, or all are the same, nothing is told and it is said why")
  func obstacles() throws {
    let study = try Fixture.study(Self.files("morris: { n: 4, of: { \(Self.angles) } }"))
    var isFirst = true
    let missing = try Fixture.analysis(
      study,
      Self.cases(study) { settings in
        defer { isFirst = false }
        return isFirst ? nil : settings[0]
      })
    #expect(missing.sensitivity.first?.missing == 1)
    #expect(StudySentence(missing).text.contains("1 run has no value"))
    let constant = try Fixture.analysis(study, Self.cases(study) { _ in 100 })
    #expect(StudySentence(constant).text.contains("it is the same at every point"))
    #expect(StudyText(constant).lines.contains { $0.contains("nothing can be told") })
    // The table has the end point all the same, with a row for each setting and empty cells before
    // the unit.
    let table = try #require(StudyTables(constant).sensitivity)
    let rows = String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst()
    let settings = study.design.sampled?.laws.count ?? 0
    #expect(settings > 0 && rows.count == settings * study.design.endPoints.count)
    let cells = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(cells.allSatisfy { $0.suffix(3).prefix(2).allSatisfy(\.isEmpty) })
  }

  static let wrong: [(sweep: String, study: String, sentence: String)] = [
    (
      "sobol: { n: 8, of: { 'cgm.x-1': { uniform: [0, 1] } } }, 'therapy.maxBolus': [1, 2]", goals,
      "\"sobol\" draws all points of a sweep; \"therapy.maxBolus\" cannot stand beside it."
    ),
    ("sobol: { of: { 'cgm.x-1': { uniform: [0, 1] } } }", goals, "\"sweep.sobol.n\" is missing"),
    ("morris: { n: 8 }", goals, "\"sweep.morris.of\" is missing"),
    ("sobol: 8", goals, "must be an object such as { n: 64, of: { path: law } }"),
    ("sobol: { n: 1, of: { 'cgm.x-1': { uniform: [0, 1] } } }", goals, "\"sweep.sobol.n\" must be"),
    (
      "sobol: { n: 65536, of: { 'cgm.x-1': { uniform: [0, 1] } } }", goals,
      "This makes 196608 points, and at most 100000 are drawn"
    ),
    ("sobol: { n: 8, of: { 'cgm.x-1': [0, 1] } }", goals, "must be the law of its values"),
    ("sobol: { n: 8, of: { 'cgm.x-1': { uniform: [1, 1] } } }", goals, "This law has one value"),
    (
      "sobol: { n: 8, of: { 'cgm.x-1': { choices: [1] } } }", goals, "a list of at least two values"
    ),
    ("sobol: { n: 8, of: { 'a..b': { uniform: [0, 1] } } }", goals, "is not a path"),
    (
      "sobol: { n: 8, of: { 'therapy.suspendThreshold': { uniform: [60, 9000] } } }", goals,
      "\"therapy.suspendThreshold\" must be"
    ),
    (
      "morris: { n: 8, of: { 'random.seed': { choices: [1, 2] } } }", goals,
      "An arm must not change \"random\""
    ),
    (
      "morris: { n: 8, of: { 'cgm.x-1': { uniform: [0, 1] } } }",
      "control: { 'cgm.x-1': 0 }, " + goals,
      "A sampled sweep compares no arms; remove \"control\"."
    ),
    (
      "morris: { n: 8, of: { 'cgm.x-1': { uniform: [0, 1] } } }", "paired: false, " + goals,
      "The points of a sampled sweep share their chance"
    ),
    (
      "morris: { n: 8, of: { 'cgm.x-1': { uniform: [0, 1] } } }",
      "primary: [{ metric: 'tdd', better: 'lower', noninferior: 2 }]",
      "so that there is no goal to meet; remove \"noninferior\"."
    ),
    (
      "morris: { n: 8, of: { 'cgm.x-1': { uniform: [0, 1] } } }", "strata: 'group', " + goals,
      "warning: \"strata\" has no effect"
    ),
    (
      "morris: { n: 8, of: { 'cgm.x-1': { uniform: [0, 1] } } }",
      "primary: [{ metric: 'tdd', better: 'lower', harm: { above: 2 } }]",
      "warning: \"harm\" has no effect"
    ),
  ]

  @Test("What is wrong is said with its place", arguments: wrong.indices)
  func refuses(index: Int) {
    let (sweep, study, sentence) = Self.wrong[index]
    let sentences = Fixture.check(Self.files(sweep, study)).sentences
    #expect(
      sentences.contains { $0.contains(sentence) && $0.hasPrefix("study.json5:") },
      "\(sentences)")
    // A sweep that cannot be read is a sampled one all the same: the study lacks nothing.
    for word in ["\"study.control\" is missing", "needs a goal", "A goal needs"] {
      #expect(!sentences.contains { $0.contains(word) }, "\(sentences)")
    }
  }

  @Test("A study of a sampled sweep has one arm")
  func variants() {
    let sentences = Fixture.check(
      Self.files(
        "morris: { n: 8, of: { 'cgm.x-1': { uniform: [0, 1] } } }",
        rest: ", variants: { a: {}, b: {} }")
    ).sentences
    #expect(sentences.contains { $0.contains("give each variant a file of its own") })
  }

  @Test("Laws of spans, of words and with long ends give values of their kind")
  func laws() throws {
    let study = try Fixture.study(
      Self.files(
        "morris: { n: 5, of: { 'cgm.lag': { uniform: ['0m', '20m'] }, "
          + "'app.dosing': { choices: ['tempBasal', 'automaticBolus'] }, "
          + "'therapy.scale.sensitivity': { lognormal: { median: 1, sigma: 0.2 } } } }"))
    for point in 0..<study.plan.points {
      let values = study.settings(at: point).map(\.value)
      #expect(values[0].string?.contains { "hms".contains($0) } == true)
      #expect(["tempBasal", "automaticBolus"].contains(values[1].string))
      #expect((0.3...3).contains(values[2].double ?? 0))
    }
    #expect(study.design.sampled?.laws[0] == "{ uniform: ['0m', '20m'] }")
  }
}
