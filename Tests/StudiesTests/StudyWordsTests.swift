import Foundation
import RunPlans
import StructuredText
import Testing

@testable import Studies

/// What is told beside the figures of a study; the cases are made up, so that all can be counted.
@Suite("What a study tells beside its figures")
struct StudyWordsTests {
  /// The analysis of six patients with two replicates each; `made` gives the columns of a case.
  private func analysis(
    _ study: String, arms: String = Fixture.arms,
    _ made: (StudyProtocol.Case) -> [String: String]
  ) throws -> StudyAnalysis {
    let study = try Fixture.study(
      Fixture.scenario(patients: 6, "random: { replicates: 2 }, \(arms) \(study)"))
    return try Fixture.analysis(of: study, made)
  }

  @Test("What has no unit is told without a blank in its place", arguments: ["true", "1"])
  func tellsOfCounts(margin: String) throws {
    let study = """
      study: { control: 'plain', primary: [{ id: 'lows', metric: 'lows(70)', better: 'lower',
        superior: \(margin) }] }
      """
    let analysis = try analysis(study) { item in
      ["lows": "\(item.arm == 0 ? 5 + item.patient : 2)", "digest": "\(item.number)"]
    }
    let sentence = StudySentence(analysis).text
    #expect(sentence.contains("fell by 5.50 ["))
    #expect(margin == "true" || sentence.contains(" by more than 1;"), "\(sentence)")
    #expect(!sentence.contains("  "))
  }

  /// Time in range rises by 5, 6 or 7 points; time below by 3, 4 or 5, or by -1, 0 or 1.
  @Test("The answer names what the other primary goals cost", arguments: [3, -1])
  func otherGoals(least: Int) throws {
    let study = """
      study: { control: 'plain', primary: [
        { id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true },
        { id: 'low', metric: 'below(54)', better: 'lower', noninferior: 0.1 }] }
      """
    let analysis = try analysis(study) { item in
      let third = item.patient % 3
      return [
        "range": "\(60 + item.arm * (5 + third))", "low": "\(2 + item.arm * (least + third))",
      ]
    }
    let sentence = StudySentence(analysis).text
    #expect(
      sentence.hasPrefix(
        "high is better than plain in time in 70 to 180 mg/dL; time in 70 to 180 mg/dL rose by "
          + "6.00 points ["))
    let cost =
      least > 0
      ? "; but high is worse than plain in time below 54 mg/dL: time below 54 mg/dL rose by 4.00 "
      : "; but high was not shown to keep within 0.1 points of plain in time below 54 mg/dL: "
        + "time below 54 mg/dL changed by 0.00 "
    #expect(sentence.contains(cost + "points ["), "\(sentence)")
  }

  @Test("Of a further goal that cannot be estimated it is told in which measure")
  func tellsFurtherGoal() throws {
    // One body dies under control: its mean has no value, and its time in range has.
    let analysis = try analysis(
      """
      study: { control: 'plain',
        primary: [
          { id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true },
          { id: 'glucose', metric: 'mean', better: 'lower', noninferior: 10 },
        ] }
      """
    ) { item in
      let values = ["range": "\(60 + 5 * item.arm)", "glucose": "\(100 + item.arm)"]
      let isDead = item.patient == 3 && item.replicate == 1 && item.arm == 0
      return isDead ? values.merging(["glucose": "", "status": "lethal"]) { $1 } : values
    }
    #expect(
      StudySentence(analysis).text
        == "high is better than plain in time in 70 to 180 mg/dL; time in 70 to 180 mg/dL rose by "
        + "5.00 points [5.00, 5.00]; but whether high meets its goal in mean glucose cannot be "
        + "told: mean glucose rose by 1.0 mg/dL [1.0, 1.0]; 1 run ended in death with plain, 0 "
        + "with high.")
  }

  @Test("Of each end point with few patients for its skew the text says so, however many there are")
  func tellsOfEachSkew() throws {
    // One of six differs: a skewness of 4/√5, so that 25 × 16/5 = 80 patients are wanted.
    let limits = [70, 60, 54, 50]
    let points = limits.map {
      "{ id: 'low\($0)', metric: 'below(\($0))', better: 'lower', superior: true }"
    }
    let analysis = try analysis(
      "study: { control: 'plain', primary: [\(points.joined(separator: ", "))] }"
    ) { item in
      let value = "\(item.patient == 2 ? 3 * item.arm : 0)"
      return Dictionary(uniqueKeysWithValues: limits.map { ("low\($0)", value) })
    }
    let text = StudyText(analysis).lines.joined(separator: " ")
    for limit in limits {
      #expect(
        text.contains(
          "Note  low\(limit): a single one of 6 patients differs, and unevenly: the interval is "
            + "wide because chance could have chosen others, and some 80 patients would be wanted"))
    }
  }

  @Test("A pair of runs that is left out of its patient's mean is told")
  func tellsOfPairsLeftOut() throws {
    // The second run of p3 ends in death: its patient has 10 from the first run alone, of 12 pairs.
    let analysis = try analysis(
      """
      study: { control: 'plain',
        primary: [{ id: 'glucose', metric: 'mean', better: 'lower', noninferior: 10 }] }
      """
    ) { item in
      guard item.patient == 3, item.replicate == 1, item.arm == 1 else {
        return ["glucose": "\(100 + 10 * item.arm)"]
      }
      return ["glucose": "", "status": "lethal"]
    }
    let result = try #require(analysis.comparisons.first?.results.first)
    #expect(result.count == 6 && result.missing == 0)
    #expect(result.pairs == 12 && result.leftOutPairs == 1)
    #expect(result.differences?.mean == 10)
    #expect(
      StudyText(analysis).lines.joined(separator: " ").contains(
        "Note  glucose: 1 of 12 pairs of runs left out, as one of the two has no value; their "
          + "patients go by the others."))
    let summary = JSONWriter().text(StudySummary(analysis, casesDigest: "").json)
    #expect(summary.contains("\"left_out_pairs\": 1"))
    let digest = StudyDigest(plan: "", cases: "", summary: "")
    #expect(
      StudyChecklist(analysis, digest: digest).text.contains(
        "glucose: n = 6, 1 of 12 pairs of runs left out"))
  }

  private static let owners = "one for each patient, replicate and arm"
  private static let windows = """
    study: { control: 'plain', paired: false,
      primary: [{ id: 'low', metric: 'below(70)', better: 'lower', superior: true }],
      secondary: [
        { id: 'night', metric: 'below(70)', daily: ['22:00', '06:00'], better: 'lower' },
      ],
      safety: [{ id: 'lows', metric: 'lows(54,15m)', better: 'lower', per: 'week' }] }
    """

  @Test("The list for a reader says when, per what and by whose chance an end point is measured")
  func tellsOfWindowsAndChance() throws {
    let analysis = try analysis(Self.windows) { ["low": "\($0.arm)", "night": "\($0.arm)"] }
    let digest = StudyDigest(plan: "", cases: "", summary: "")
    let text = StudyChecklist(analysis, digest: digest).text
    for line in [
      "* primary end point low: below(70)@true, lower is better; superior, margin 0",
      "* secondary end point night: below(70)@true from 22:00 to 06:00, lower is better",
      "* safety end point lows: lows(54,15m)@true per week, lower is better",
      "* Arms are not paired: the same people, with meals, noise and faults of each arm's own.",
      "* Random numbers: SplitMix64, named streams, seed 7, \(Self.owners)",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
    let summary = JSONWriter().text(StudySummary(analysis, casesDigest: "").json)
    #expect(summary.components(separatedBy: "\"daily\"").count == 2)
    #expect(summary.filter { !$0.isWhitespace }.contains("\"daily\":[\"22:00\",\"06:00\"]"))
  }

  @Test("Harm by two end points with the same words names which of them it is")
  func tellsHarmsApart() throws {
    // One patient is harmed by what the sensor shows, and nobody by the truth.
    let analysis = try analysis(
      """
      study: { control: 'plain',
        primary: [{ id: 'seen', metric: 'below(54)@cgm', better: 'lower', noninferior: 1,
          harm: { above: 1 } }],
        safety: [{ id: 'true', metric: 'below(54)', better: 'lower', harm: { above: 1 } },
          { id: 'night', metric: 'below(54)', daily: ['22:00', '06:00'], better: 'lower',
            harm: { above: 1 } }] }
      """
    ) { ["seen": $0.patient == 2 ? "\(4 * $0.arm)" : "0", "true": "0", "night": "0"] }
    let lines = StudyText(analysis).lines.joined(separator: " ")
    for part in [
      "HARM  1 of 6 patients newly above 1 % in time below 54 mg/dL (seen), 0 spared",
      "Harm  0 of 6 patients newly above 1 % in time below 54 mg/dL (true), 0 spared",
      "Harm  0 of 6 patients newly above 1 % in time below 54 mg/dL from 22:00 to 06:00, 0 spared",
    ] {
      #expect(lines.contains(part), "\(part)")
    }
  }

  @Test("A rule of harm says the unit of its limit, and none where events of a run are counted")
  func wordsOfHarm() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        """
        glucoseUnit: 'mmol/L', history: { glucose: { flat: 6.7 } }, cgm: { noise: { sd: 0.2 } },
        patient: { initialGlucose: 6.7, floor: { glucose: 1.1 } },
        variants: { plain: {}, other: {} },
        study: { control: 'plain',
          primary: [{ id: 'mean', metric: 'mean', better: 'lower', noninferior: 0.5,
            harm: { more: 2 } }],
          safety: [{ id: 'low', metric: 'below(3.9)', better: 'lower', harm: { above: 1 } },
            { id: 'lower', metric: 'below(3)', better: 'lower', harm: { more: 1 } },
            { id: 'least', metric: 'minGlucose', better: 'higher', harm: { below: 3 } },
            { id: 'lows', metric: 'lows(3)', per: 'week', better: 'lower', harm: { more: 2 } },
            { id: 'often', metric: 'lows(3)', per: 'week', better: 'lower', harm: { above: 3 } },
            { id: 'none', metric: 'lbgi', better: 'lower' }] }
        """))
    #expect(
      study.design.endPoints.map { EndPointWords($0).harm } == [
        "2 mmol/L more", "above 1 %", "1 point more", "below 3 mmol/L", "2 more",
        "above 3 per week", "",
      ])
  }

  @Test("Harm by more of what is good is warned of")
  func harmByGood() {
    func told(_ better: String) -> [String] {
      Fixture.check(
        Fixture.scenario(
          """
          variants: { plain: {}, high: { therapy: { maxBasal: 2 } } },
          study: { control: 'plain', primary: [{ metric: 'tir(70,180)', better: '\(better)',
            noninferior: 1, harm: { more: 5 } }] }
          """)
      ).sentences.filter { $0.contains("Who has more is harmed by this") }
    }
    #expect(told("higher").count == 1)
    #expect(told("lower") == [])
  }

  @Test("A goal that its interval meets, and Holm's method does not, says why it is not met")
  func tellsOfHolm() throws {
    // Both secondary goals have the same p, between 2.5 and 5 %: doubled it is above 5 %.
    let values = [3.4, 1.4, -0.2, 4.4, 2.4, 0.7]
    let analysis = try analysis(
      """
      study: { control: 'plain', multiplicity: 'holm',
        primary: [{ id: 'first', metric: 'mean', better: 'lower', noninferior: 10 }],
        secondary: [{ id: 'a', metric: 'tdd', better: 'higher', superior: true },
          { id: 'b', metric: 'tir(70,180)', better: 'higher', superior: true }] }
      """
    ) { item in
      let value = item.arm == 1 ? values[item.patient] : 0
      return ["first": "\(100 + value)", "a": "\(value)", "b": "\(value)"]
    }
    let results = try #require(analysis.comparisons.first?.results)
    #expect(results[0].verdict == .met && results[0].holmP == nil)
    for result in results.dropFirst() {
      let p = try #require(result.test?.p)
      try #require((0.0251..<0.05).contains(p), "\(p)")
      #expect(result.test?.isMet == true && result.verdict == .notMet)
      #expect(result.holmP == 2 * p)
      let told =
        "\(result.endPoint.id): the interval alone would meet the goal; by Holm's method over all "
        + "secondary goals its p is \(StudyNumber.fixed(2 * p, 3))."
      #expect(StudyText(analysis).lines.joined(separator: " ").contains(told))
    }
    let summary = JSONWriter().text(StudySummary(analysis, casesDigest: "").json)
    #expect(summary.components(separatedBy: "\"p_holm\"").count == 3)
  }

  @Test("A margin is told beside the mean under the control, and one that is larger stands out")
  func tellsMargins() throws {
    func margins(_ goal: String, control mean: Double) throws -> [(sentence: String, isLarge: Bool)]
    {
      let body = """
        study: { control: 'plain', primary: [
          { id: 'low', metric: 'below(54)', better: 'lower', \(goal) }] }
        """
      let study = try Fixture.study(Fixture.scenario(patients: 6, Fixture.arms + body))
      let values = [0.9, 1, 1.1, 0.9, 1, 1.1].map { $0 * mean }
      let cases = Fixture.cases(study, control: values, treatment: values)
      return try Fixture.analysis(study, cases).comparisons[0].marginSentences
    }
    // 2 points at 0.3 %, and 0.6 points at 4 %.
    let large = try margins("noninferior: 2", control: 0.3)
    #expect(large.map(\.isLarge) == [true])
    #expect(
      large[0].sentence
        == "time below 54 mg/dL: the margin of 2 points is 6.67 times the mean under "
        + "plain; the mean itself is less")
    let small = try margins("equivalent: 0.6", control: 4)
    #expect(small.map(\.isLarge) == [false])
    #expect(small[0].sentence.hasSuffix("is 0.15 times the mean under plain"), "\(small)")
    #expect(try margins("superior: true", control: 4).isEmpty)
    let none = try margins("noninferior: 2", control: 0)
    #expect(none.map(\.isLarge) == [true])
  }

  @Test("Spans that a sweep sets are sorted by how long they are, and all else by its text")
  func orderOfSettings() {
    // Two hours are 7 200 s, half an hour 1 800 s.
    #expect(StudyNumber.order(ofSetting: "2h") == "7200000")
    #expect(StudyNumber.order(ofSetting: "30m") == "1800000")
    #expect(StudyNumber.order(ofSetting: "-90s") == "-90000")
    for text in ["40", "18:30", "loop-3.4", ""] {
      #expect(StudyNumber.order(ofSetting: text) == nil)
    }
  }

  @Test("A case whose figure no run has is no row, so that squares of it are never summed")
  func figuresOfCases() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        Fixture.arms
          + "study: { control: 'plain', primary: [{ id: 'low', metric: 'below(70)', "
          + "better: 'lower', superior: true }] }"))
    let header = CaseRow.header(study.design)
    func row(_ low: String, days: String = "1") -> CaseRow? {
      let known = [
        "case": "0", "unit": "0", "replicate": "0", "point": "0", "status": "ok", "days": days,
        "seed": "7", "low": low,
      ]
      return CaseRow(header.map { known[$0] ?? "" })
    }
    #expect(row("2.5") != nil && row("") != nil)
    for figure in ["1e200", "inf", "nan", "0x10"] {
      #expect(row(figure) == nil && row("2.5", days: figure) == nil, "\(figure)")
    }
  }
}
