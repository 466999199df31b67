import Determinism
import Outcomes
import RunPlans
import StructuredText
import TestSupport
import Testing

@testable import Studies

@Suite("What a study finds")
struct StudyAnalysisTests {
  private static let range = """
    study: { control: 'plain',
      primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }] }
    """

  /// Time in range of twelve patients under two arms; intervals by R.
  private static let control: [Double] = [
    62.1, 70.4, 55.9, 81.2, 66.7, 74.0, 48.3, 69.5, 77.8, 59.6, 64.2, 72.9,
  ]
  private static let treatment: [Double] = [
    64.0, 71.1, 59.2, 80.5, 69.9, 75.2, 53.8, 70.1, 77.0, 63.3, 66.6, 74.5,
  ]

  private func twelve() throws -> StudyProtocol {
    try Fixture.study(Fixture.scenario(patients: 12, Fixture.arms + Self.range))
  }

  @Test("A table of cases gives the intervals of its differences")
  func compares() throws {
    let study = try twelve()
    let analysis = try Fixture.analysis(
      study, Fixture.cases(study, control: Self.control, treatment: Self.treatment))
    let result = try #require(analysis.comparisons.first?.results.first)
    #expect(agree(result.differences?.mean, 1.88333333333))
    #expect(agree(result.interval?.lower, 0.7046386236))
    #expect(result.verdict == .met)
    #expect(result.counts == .init(better: 10, equal: 0, worse: 2))
    #expect(
      StudySentence(analysis).text
        == "high is better than plain in time in 70 to 180 mg/dL; time in 70 to 180 mg/dL rose by "
        + "1.88 points [0.70, 3.16].")
  }

  @Test("A failed run bounds a share of time from both sides, and its goal is not met")
  func failed() throws {
    let study = try twelve()
    var treatment: [Double?] = Self.treatment
    treatment[2] = nil
    let bytes = Fixture.cases(study, control: Self.control, treatment: treatment)
    let analysis = try Fixture.analysis(study, bytes)
    #expect(analysis.flow.failed == 1)
    #expect(analysis.flow.reasons.map(\.reason) == ["made to fail"])
    let result = try #require(analysis.comparisons.first?.results.first)
    #expect(result.count == 11)
    #expect(result.missing == 1)
    #expect(result.bounds.count == 2)
    #expect(result.verdict == .notMet)
    #expect(
      StudyText(analysis).lines.joined(separator: " ").contains(
        "Note  range: the interval alone would meet the goal, but not with the worst and the best "
          + "in place of the failed runs."))
    func student(_ value: Double) throws -> IntervalOfMean {
      var differences = zip(Self.control, Self.treatment).map { $1 - $0 }
      differences[2] = value - 55.9
      return try #require(PairedDifferences(differences)?.studentInterval(confidence: 95))
    }
    let worst = try student(0)
    #expect(agree(worst.lower, -13.68644, 1e-6))
    #expect(agree(worst.upper, 7.58644, 1e-6))
    let best = try student(100)
    #expect(agree(best.lower, -2.56729, 1e-5))
    #expect(agree(best.upper, 13.13396, 1e-6))
  }

  @Test("A lethal run more is the headline, and a goal on a mean cannot be told")
  func lethal() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 12,
        Fixture.arms + """
          study: { control: 'plain',
            primary: [{ id: 'mean', metric: 'mean', better: 'lower', noninferior: 10 }] }
          """))
    let analysis = try Fixture.analysis(
      study,
      Fixture.cases(study, control: Self.control, treatment: Self.treatment, lethal: [5]))
    #expect(StudySentence(analysis).text == "Harm: 1 run ended in death with high, 0 with plain.")
    let comparison = try #require(analysis.comparisons.first)
    #expect(comparison.deaths.newly == 1)
    #expect(comparison.results[0].verdict == .notEstimable)
    #expect(comparison.results[0].count == 11)
    // The dead patient has the worst rank of all.
    #expect(comparison.results[0].ranks.positive > 66)
  }

  /// Nobody is below 54 mg/dL before the end, which comes with the first value below it.
  @Test("The rest of a lethal run's window counts as below every limit, and its mean is missing")
  func livedInPart() throws {
    let length = Extent.of(8, whole: 24)
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 5, hours: length,
        """
        patient: { floor: { glucose: 54 } }, app: { closedLoop: false },
        variants: { plain: {}, deadly: { events: [{ at: '+2h', bolus: { units: 10 } }] } },
        study: { control: 'plain',
          primary: [{ id: 'low', metric: 'below(54)', better: 'lower', noninferior: 1 }],
          secondary: [{ id: 'mean', metric: 'mean', better: 'lower', superior: true }],
          safety: [{ id: 'lows', metric: 'lows(54,15m)', better: 'lower' }] }
        """))
    let bytes = Fixture.bytes(study)
    let problems = ProblemList()
    let rows = try #require(
      CaseTable(bytes, file: "cases.csv", study: study, problems: problems)
    ).rows
    let slot = 100 * 5 / Double(60 * length)
    for row in rows where row.arm == "deadly" {
      #expect(row.status == .lethal)
      let hours = row.days * 24
      #expect((2...6).contains(hours))
      let below = try #require(row.values[0])
      #expect((below - 100 * (1 - hours / Double(length))).magnitude <= slot + 1e-9, "\(below)")
      #expect(row.values[1] == nil)
      #expect(row.values[2] == 1)
    }
    let analysis = try Fixture.analysis(study, bytes)
    #expect(
      StudySentence(analysis).text.hasPrefix(
        "Harm: 5 runs ended in death with deadly, 0 with plain."))
    let results = try #require(analysis.comparisons.first?.results)
    #expect(results[1].count == 0)
    #expect(
      analysis.comparisons[0].results.map(\.verdict)[0] == .notMet
        || analysis.comparisons[0].results.map(\.verdict)[0] == .worse)
    #expect(results[1].test == nil)
  }

  /// Readings at 0, 5, …, 25 minutes and none from 30 minutes to the end, or at 0 and 120 minutes.
  @Test(
    "What the sensor did not show before a lethal end is not counted as if it came after it",
    arguments: [
      ("{ id: 'gone', during: ['+30m', '6h30m'], cgm: { dropout: {} } }", 6, 1),
      (
        """
        { id: 'first', during: ['+2m', '1h55m'], cgm: { dropout: {} } },
        { id: 'then', during: ['+2h2m', '5h'], cgm: { dropout: {} } }
        """, 2, 0
      ),
    ])
  func sensorGapBeforeTheEnd(gaps: String, readings: Double, lows: Double) throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 5, hours: 8,
        """
        patient: { floor: { glucose: 54 } }, app: { closedLoop: false },
        faults: [\(gaps)],
        variants: { plain: {}, deadly: { events: [{ at: '+2h', bolus: { units: 10 } }] } },
        study: { control: 'plain',
          primary: [{ id: 'low', metric: 'below(54)@cgm', better: 'lower', noninferior: 1 }],
          secondary: [{ id: 'lows', metric: 'lows(130,15m)@cgm', better: 'lower' }] }
        """))
    let table = CaseTable(
      Fixture.bytes(study), file: "cases.csv", study: study, problems: ProblemList())
    for row in try #require(table).rows where row.arm == "deadly" {
      #expect(row.status == .lethal)
      let minutes = row.days * 1_440
      #expect((130...400).contains(minutes))
      // The slots of five minutes from the end on, the first of them at or after it, of the 97 that
      // eight hours have, both ends included.
      let after = Double(97 - Int((minutes / 5).rounded(.up)))
      let below = try #require(row.values[0])
      #expect((below - 100 * after / (readings + after)).magnitude < 1e-9, "\(below)")
      // The low at the start was over when nothing was read any more: it is counted once.
      #expect(row.values[1] == lows)
    }
  }

  @Test("Arms that are the same differ by exactly nothing")
  func equalArms() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 5, hours: 1,
        """
        variants: { plain: {}, other: {} },
        study: { control: 'plain',
          primary: [{ id: 'a', metric: 'mean@cgm', better: 'lower', noninferior: 1 }],
          secondary: [{ id: 'b', metric: 'mean@cgm', better: 'lower', superior: true }] }
        """))
    let bytes = Fixture.bytes(study)
    let analysis = try Fixture.analysis(study, bytes)
    let results = try #require(analysis.comparisons.first?.results)
    #expect(results[0].interval == IntervalOfMean(lower: 0, upper: 0))
    #expect(results.map(\.verdict) == [.met, .notMet])
    #expect(StudySentence(analysis).text == "other and plain are equal in every run.")
    let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
    for (first, second) in zip(rows, rows.dropFirst()) where first.contains(",plain,") {
      let (a, b) = (first.split(separator: ","), second.split(separator: ","))
      #expect(a.dropFirst(7) == b.dropFirst(7))
    }
  }

  /// The bias of a sensor shifts what it reads and nothing of the body, whatever the noise.
  @Test("A known effect is found exactly")
  func knownEffect() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 5, hours: 2,
        """
        app: { closedLoop: false },
        variants: { plain: {}, biased: { cgm: { bias: { offset: 10 }, rounding: 0 } } },
        study: { control: 'plain',
          primary: [{ id: 'seen', metric: 'mean@cgm', better: 'lower', noninferior: 20 }],
          secondary: [{ id: 'true', metric: 'mean', better: 'lower' }] }
        """.replacing("rounding: 0", with: "")))
    let analysis = try Fixture.analysis(study, Fixture.bytes(study))
    let results = try #require(analysis.comparisons.first?.results)
    #expect(results[0].patients.allSatisfy { ($0.difference - 10).magnitude < 1e-6 })
    #expect(results[1].patients.allSatisfy { $0.difference == 0 })
  }

  /// One unit more, nine hours before the window, has worked in full: all of it that the model's
  /// own running sum over eight hours holds, C(475 min) = 0.995389 (patient-models; Palerm's curve
  /// of tidepool-org/data-science-models, with time constants of 55 and 70 minutes).
  @Test(
    "A known dose lowers the mean by what the model says, whatever noise and seed",
    arguments: Extent.some(of: [1, 20_260_105], every: 2))
  func knownInsulin(seed: Int) throws {
    let files = Fixture.scenario(
      patients: 5, hours: 1,
      """
      random: { seed: \(seed) }, clock: { duration: '1h', preRoll: '9h' },
      patient: { initialGlucose: 200 }, app: { closedLoop: false }, cgm: { rounding: 0.01 },
      variants: { none: {}, unit: { events: [{ at: '-9h', bolus: { units: 1 } }] } },
      study: { control: 'none',
        primary: [{ id: 'true', metric: 'mean', better: 'lower', superior: true }],
        secondary: [{ id: 'seen', metric: 'mean@cgm', better: 'lower' }] }
      """
    ).mapValues { $0.replacing("'patient.needs.sensitivity[0][1]'", with: "'x-isf'") }
    let study = try Fixture.study(files)
    let analysis = try Fixture.analysis(study, Fixture.bytes(study))
    let sum = (0...475).map { minute in
      let time = Double(minute)
      return (PortableMath.exp(-time / 70) - PortableMath.exp(-time / 55)) / 15
    }.reduce(0, +)
    #expect((50 * sum - 49.7694).magnitude < 0.0001)
    for result in try #require(analysis.comparisons.first?.results) {
      #expect(result.patients.count == 5)
      // What the sensor shows is rounded to 0.01 mg/dL.
      let tolerance = result.endPoint.id == "true" ? 0.0001 : 0.01
      for patient in result.patients {
        #expect((patient.difference + 49.7694).magnitude < tolerance, "\(patient)")
      }
    }
  }

  @Test("Adding a patient changes no row of the others")
  func addsAPatient() throws {
    let body = Fixture.arms + Fixture.goals
    let small = try Fixture.study(Fixture.scenario(patients: 5, hours: 1, body))
    let large = try Fixture.study(Fixture.scenario(patients: 6, hours: 1, body))
    let rows = Fixture.bytes(small)
    #expect(Array(Fixture.bytes(large).prefix(rows.count)) == rows)
  }

  @Test("Every file follows from the cases and reads back")
  func files() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 5, hours: 1,
        """
        sweep: { 'therapy.scale.sensitivity': [0.5, 1, 2], 'therapy.scale.carbRatio': [1, 2] },
        study: { control: { 'therapy.scale.sensitivity': 1, 'therapy.scale.carbRatio': 1 },
          primary: [{ id: 'low', metric: 'below(110)', better: 'lower', noninferior: 50,
            harm: { above: 1 } }] }
        """))
    let analysis = try Fixture.analysis(study, Fixture.bytes(study))
    #expect(analysis.comparisons.count == 5)
    #expect(analysis.goalConfidence == 99)
    #expect(analysis.comparisons[0].control == "1 × 1")
    let surface = try #require(StudyTables(analysis).surface)
    let problems = ProblemList()
    let table = try #require(CSVTable(surface, file: "surface", problems: problems))
    #expect(table.rows.count == 5)
    let summary = JSONWriter().bytes(StudySummary(analysis, casesDigest: "0").json)
    let reading = JSONReader.read(summary, file: "summary")
    #expect(reading.problems.isEmpty)
    #expect(reading.root?["dose_slopes"]?.items?.count == 3)
    #expect(reading.root?["comparisons"]?.items?.count == 5)
    #expect(StudyText(analysis).lines[0].contains("5 of 5 points meet every primary goal"))
    let whole = StudyText(analysis).lines.joined(separator: " ")
    #expect(
      whole.contains(
        "Arms differ in   therapy.scale.sensitivity × therapy.scale.carbRatio, by whose values "))
    #expect(whole.contains(" Differences in time below 110 mg/dL, points: point "), "\(whole)")
    // No figure and no name is cut.
    for comparison in analysis.comparisons {
      let line = StudyText(analysis).lines.first { $0.hasPrefix("\(comparison.treatment)  ") }
      #expect(line?.contains("]") == true, "\(comparison.treatment)")
    }
    #expect(StudyText(analysis).lines.allSatisfy { $0.count <= 100 })
    let digest = StudyDigest(plan: "a", cases: "b", summary: "c")
    #expect(StudyChecklist(analysis, digest: digest).text.contains("therapy.scale.sensitivity"))
  }

  @Test("The dose of a day is that of the cases, however short these are")
  func dailyDoses() throws {
    let study = try Fixture.study(
      Fixture.scenario(patients: 5, hours: 1, Fixture.arms + Fixture.goals))
    let bytes = Fixture.bytes(study)
    let problems = ProblemList()
    let table = try #require(CSVTable(bytes, file: "cases", problems: problems))
    let (dose, arm) = (try #require(table.index(of: "tdd")), try #require(table.index(of: "arm")))
    let comparison = try #require(try Fixture.analysis(study, bytes).comparisons.first)
    for (name, patterns) in [
      (comparison.control, comparison.patterns.control),
      (comparison.treatment, comparison.patterns.treatment),
    ] {
      let doses = table.rows.filter { $0[arm].text == name }.compactMap { Double($0[dose].text) }
      #expect(doses.count == 5 && doses.allSatisfy { $0 > 0 })
      #expect(patterns.map(\.dailyDose) == doses)
    }
  }

  @Test("A patient who lacks a value at one point of a sweep has slopes by the others")
  func slopesOfPatientsWithGaps() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 6, hours: 1,
        """
        sweep: { 'therapy.scale.sensitivity': [0.5, 1, 2, 4] },
        study: { control: { 'therapy.scale.sensitivity': 1 },
          primary: [{ id: 'low', metric: 'below(110)', better: 'lower', superior: true }] }
        """))
    /// Each doubling adds so many points as the patient's number, and the last adds no value.
    func analysis(without lacking: Set<String>) throws -> StudyAnalysis {
      try Fixture.analysis(of: study) { item in
        let isLacking = lacking.contains("\(item.patient)@\(item.point)")
        return [
          "point": "\(item.point)", "status": isLacking ? "failed" : "ok",
          "reason": isLacking ? "made to fail" : "",
          "low": isLacking ? "" : "\(10 + (item.patient + 1) * item.point)",
        ]
      }
    }
    let whole = try #require(try analysis(without: []).doseResponse.axes)
    #expect(whole[0].slopes?.count == 6)
    #expect(whole[0].slopes?.mean == 3.5)
    // The first comparison is of point 0 with point 1, the control.
    let lacking = try analysis(without: ["5@0"]).doseResponse
    #expect(lacking.axes?[0].slopes?.count == 6)
    #expect(abs((lacking.axes?[0].slopes?.mean ?? 0) - 3.5) < 1e-12)
    #expect(lacking.leftOut == 0)
    // Who has no value at the control alone is compared with nothing, and has slopes all the same.
    let apart = try analysis(without: ["5@1"]).doseResponse
    #expect(apart.axes?[0].slopes?.count == 6)
    #expect(abs((apart.axes?[0].slopes?.mean ?? 0) - 3.5) < 1e-12)
    let without = try analysis(without: ["5@0", "5@2", "5@3"]).doseResponse
    #expect(without.axes?[0].slopes?.count == 5)
    #expect(without.leftOut == 1)
  }

  @Test("A changed table is refused with its line")
  func refusesTables() throws {
    let study = try twelve()
    let bytes = Fixture.cases(study, control: Self.control, treatment: Self.treatment)
    func problem(_ bytes: [UInt8]) -> String? {
      let problems = ProblemList()
      let table = CaseTable(bytes, file: "cases.csv", study: study, problems: problems)
      return table == nil ? problems.sorted.first?.description : nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(problem(bytes) == nil)
    #expect(
      problem(Array(text.replacing("\n3,1,", with: "\n4,1,").utf8))?.hasPrefix("cases.csv:5:1:")
        == true)
    let short = text.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    #expect(problem(Array(short.utf8))?.contains("23 cases; the plan has 24") == true)
    #expect(problem(Array(text.replacing("62.1", with: "x").utf8)) != nil)
    #expect(problem([]) != nil)
  }
}
