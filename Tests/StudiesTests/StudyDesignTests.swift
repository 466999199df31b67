import Outcomes
import Quantities
import RunPlans
import StructuredText
import Testing

@testable import Studies

@Suite("The study in a scenario")
struct StudyDesignTests {
  @Test("A layout of another version is none")
  func layouts() {
    let layout = StudyLayout(shards: 4, planDigest: "ab")
    #expect(StudyLayout(Array(layout.text.utf8), file: "layout.json") == layout)
    for other in ["2", "-1", "\"1\"", "null"] {
      let text = layout.text.replacing("\"format\": 1", with: "\"format\": \(other)")
      #expect(StudyLayout(Array(text.utf8), file: "layout.json") == nil, "\(text)")
    }
  }

  /// What the settings of glucose are in mmol/L, and those of the patient among them.
  private static let molar = """
    glucoseUnit: 'mmol/L', history: { glucose: { flat: 6.7 } }, cgm: { noise: { sd: 0.2 } },
    """
  private static let molarPatient = "initialGlucose: 6.7, floor: { glucose: 1.1 }"

  @Test("Beside settings in mmol/L a default of glucose says that it is in mg/dL")
  func defaultsBesideMolar() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        """
        \(Self.molar) patient: { \(Self.molarPatient) },
        variants: { plain: {}, high: { therapy: { suspendThreshold: 5.5 } } },
        study: { control: 'plain',
          primary: [{ id: 'mean', metric: 'mean', better: 'lower', noninferior: 0.5 }],
          secondary: [{ id: 'low', metric: 'below(3.9)', better: 'lower' },
            { id: 'finer', metric: 'below(4.25)', better: 'lower' }] }
        """))
    #expect(
      study.design.endPoints.suffix(2).map { EndPointWords($0).name } == [
        "time below 3.9 mmol/L", "time below 4.25 mmol/L",
      ])
    #expect(study.differences.map(\.words) == [["75 mg/dL (not stated)", "5.5"]])
    // A mean of glucose has a decimal more than in mg/dL.
    #expect(study.design.endPoints.map { EndPointWords($0).decimals } == [2, 2, 2])
  }

  @Test(
    "A margin or a limit of harm in the other unit of glucose is told",
    arguments: [
      ("mg/dL", "metric: 'mean', better: 'lower', noninferior: 0.5", "Did you mean 9?"),
      ("mg/dL", "metric: 'sd', better: 'lower', equivalent: 0.3", "Did you mean 5?"),
      ("mmol/L", "metric: 'mean', better: 'lower', noninferior: 10", "Did you mean 0.6?"),
      (
        "mg/dL", "metric: 'minGlucose', better: 'higher', superior: true, harm: { below: 3.9 }",
        "Did you mean 70?"
      ),
      (
        "mg/dL", "metric: 'mean', better: 'lower', superior: true, harm: { more: 0.6 }",
        "Did you mean 11?"
      ),
      (
        "mmol/L", "metric: 'mean', better: 'lower', superior: true, harm: { more: 18 }",
        "Did you mean 1?"
      ),
      ("mmol/L", "metric: 'maxGlucose', better: 'lower', superior: true, harm: { more: 5 }", nil),
      ("mg/dL", "metric: 'lows(54)', better: 'lower', superior: true, harm: { more: 0.5 }", nil),
      ("mg/dL", "metric: 'mean', better: 'lower', noninferior: 1", nil),
      ("mg/dL", "metric: 'mean', better: 'lower', superior: 0.5", nil),
      ("mg/dL", "metric: 'below(70)', better: 'lower', noninferior: 0.5", nil),
      ("mg/dL", "metric: 'tdd', better: 'lower', noninferior: 0.5", nil),
      ("mmol/L", "metric: 'mean', better: 'lower', noninferior: 0.5", nil),
      ("mmol/L", "metric: 'maxGlucose', better: 'lower', equivalent: 3", nil),
    ] as [(String, String, String?)])
  func margins(unit: String, point: String, likely: String?) {
    let molar =
      Self.molar
      + "patient: { \(Self.molarPatient), needs: { sensitivity: [['00:00', 2.8]] } },"
    let told = Fixture.check(
      Fixture.scenario(
        (unit == "mmol/L" ? molar : "") + """
          variants: { plain: {}, high: { therapy: { maxBasal: 2 } } },
          study: { control: 'plain', primary: [{ \(point) }] }
          """)
    ).sentences.filter { $0.contains("[W-UNIT]") && !$0.contains("sensitivity") }
    #expect(told.count == (likely == nil ? 0 : 1), "\(told)")
    if let likely { #expect(told.first?.contains(likely) == true, "\(told)") }
  }

  @Test(
    "A half width in the other unit of glucose is told",
    arguments: [("mean", 0.5, "Did you mean 9?"), ("mean", 5, nil), ("tir(70,180)", 0.5, nil)]
      as [(String, Double, String?)])
  func halfWidth(metric: String, width: Double, likely: String?) {
    let told = Fixture.check(
      Fixture.scenario(
        """
        variants: { plain: {}, high: { therapy: { maxBasal: 2 } } },
        study: { control: 'plain', precision: { halfWidth: \(width), pilot: 10 },
          primary: [{ metric: '\(metric)', better: 'lower', superior: true }] }
        """)
    ).sentences.filter { $0.contains("[W-UNIT]") }
    #expect(told.count == (likely == nil ? 0 : 1), "\(told)")
    if let likely {
      #expect(told.first?.contains(likely) == true, "\(told)")
      #expect(told.first?.contains("a half width that no study of glucose has") == true)
    }
  }

  @Test("Tables say the unit of each end point, whatever unit the study is written in")
  func unitsOfTables() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        """
        \(Self.molar) patient: { \(Self.molarPatient) },
        variants: { plain: {}, high: { therapy: { suspendThreshold: 5.5 } } },
        study: { control: 'plain',
          primary: [{ id: 'level', metric: 'mean', better: 'lower', noninferior: 0.5 }],
          secondary: [{ id: 'moves', metric: 'mag', better: 'lower' },
            { id: 'low', metric: 'below(3.9)', better: 'lower' },
            { id: 'dose', metric: 'tdd', better: 'lower' }],
          safety: [{ id: 'top', metric: 'maxGlucose', better: 'lower', harm: { above: 8 } }] }
        """))
    let header = CaseRow.header(study.design)
    #expect(
      Array(header.dropFirst(CaseRow.identity.count).prefix(5)) == [
        "level_mmolL", "moves_mmolL_per_h", "low", "dose", "top_mmolL",
      ])
    // Beside them stand the figures of every study, in mg/dL, by their plain names.
    #expect(header.contains("mean") && header.contains("max"))
    let analysis = try Fixture.analysis(of: study) { item in
      ["level_mmolL": "7", "top_mmolL": item.arm == 0 ? "7.5" : "9.5", "dose": "30"]
    }
    let tables = StudyTables(analysis)
    func column(_ bytes: [UInt8], _ name: String) throws -> [String: Set<String>] {
      let table = try #require(CSVTable(bytes, file: "table", problems: ProblemList()))
      let place = try #require(table.header.firstIndex { $0.text == name })
      let point = try #require(table.header.firstIndex { $0.text == "endpoint" })
      return table.rows.reduce(into: [:]) {
        $0[$1[point].text, default: []].insert($1[place].text)
      }
    }
    #expect(
      try column(tables.patients, "unit") == [
        "level": ["mmol/L"], "dose": ["U/day"], "top": ["mmol/L"],
      ])
    #expect(try column(tables.harms, "unit") == ["top": ["mmol/L"]])
    #expect(try column(tables.harms, "treatment") == ["top": ["9.5"]])
  }

  @Test("A study is read with everything it says")
  func reads() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        Fixture.arms + """
          study: { control: 'plain', confidence: 90, multiplicity: 'holm', paired: false,
            primary: [{ metric: 'below(54)', better: 'lower', noninferior: 0.5 }],
            secondary: [
              { metric: 'mean@cgm', better: 'lower', daily: ['23:00', '06:00'], equivalent: 5 }],
            safety: [{ metric: 'lows(54,15m)', better: 'lower', per: '100 years',
              harm: { more: 2 } }] }
          """))
    let design = study.design
    #expect(design.confidence == 90)
    #expect(design.multiplicity == .holm)
    #expect(!design.isPaired)
    #expect(design.primary[0].id == "below-54-true")
    #expect(design.primary[0].goal == .noninferior(margin: 0.5))
    #expect(design.secondary[0].daily?.contains(.midnight) == true)
    #expect(design.safety[0].rate?.days == 36_525)
    #expect(design.safety[0].harm == .more(2))
    #expect(study.differences.map(\.path) == ["therapy.target"])
  }

  static let wrong: [(body: String, sentence: String)] = [
    (
      "study: { control: 'plain', primary: [{ metric: 'tdd', better: 'lower', superior: true }] }",
      "study.json5:4:21: error: The scenario has no variants; name a point of its sweep"
    ),
    (
      "variants: { plain: {}, other: {} }, study: { control: 'plan', "
        + "primary: [{ metric: 'tdd', better: 'lower', superior: true }] }",
      "There is no variant \"plan\". Did you mean \"plain\"?"
    ),
    (
      Fixture.arms
        + "study: { control: 'plain', primary: [{ metric: 'tdd', superior: true }] }",
      "\"study.primary[0].better\" is missing"
    ),
    (
      Fixture.arms + "study: { control: 'plain', primary: [{ metric: 'tdd', better: 'lower' }] }",
      "A primary end point needs a goal"
    ),
    (
      Fixture.arms + "study: { control: 'plain', primary: [{ metric: 'tdd', better: 'lower', "
        + "superior: true, equivalent: 1 }] }",
      "An end point has one goal; remove \"equivalent\" or \"superior\"."
    ),
    (
      Fixture.arms + "study: { control: 'plain', primary: [{ metric: 'tdd', better: 'lower', "
        + "noninferior: 0 }] }",
      "must be a margin above 0, in the metric's unit, not 0."
    ),
    (
      Fixture.arms + "study: { control: 'plain', primary: [{ metric: 'modd', better: 'lower', "
        + "superior: true }] }",
      "compares one day with another, and the run lasts"
    ),
    (
      Fixture.arms + "study: { control: 'plain', primary: [{ metric: 'tdd', better: 'lower', "
        + "superior: true, daily: ['00:00', '06:00'] }] }",
      "\"daily\" is for shares of time, means and risk indices of glucose; tdd is none."
    ),
    (
      Fixture.arms + "study: { control: 'plain', primary: [{ metric: 'mean', better: 'lower', "
        + "superior: true, daily: ['06:00'] }] }",
      "must be a list of two times of day, such as ['00:00', '06:00']; this list is not one."
    ),
    (
      Fixture.arms + "study: { control: 'plain', primary: [{ metric: 'mean', better: 'lower', "
        + "superior: true, daily: ['22:00', '22:00'] }] }",
      "The part of a day from 22:00 to 22:00 is empty. Leave out \"daily\" for all day."
    ),
    (
      Fixture.arms + "study: { control: 'plain', primary: [{ metric: 'tdd', better: 'lower', "
        + "superior: true, per: 'week' }] }",
      "\"per\" makes a rate of a count of events; tdd is none."
    ),
    (
      "variants: { plain: {}, other: { clock: { duration: '1h' } } }, " + Fixture.goals,
      "An arm must not change \"clock\": nothing would be compared with its like."
    ),
    (
      "variants: { plain: {}, other: { behaviour: { correction: { above: 200 } } } }, "
        + Fixture.goals,
      "warning: The arms differ in more than treatment: behaviour."
    ),
    (
      "variants: { plain: {}, other: { events: [{ at: '01:00', meal: { grams: 20 } }] } }, "
        + Fixture.goals,
      "warning: The arms differ in more than treatment: events."
    ),
    (
      "sweep: { 'cgm.bias.offset': [0, 5] }, study: { control: { 'cgm.bias.offset': 0 }, "
        + "primary: [{ metric: 'tdd', better: 'lower', superior: true }] }",
      "note: The points of the sweep differ in more than treatment: cgm.bias.offset."
    ),
    ("variants: { plain: {}, other: {} }, " + Fixture.goals, "warning: All arms are the same"),
    (
      "variants: { plain: {}, other: { title: 'x', tags: ['y'] } }, " + Fixture.goals,
      "warning: All arms are the same"
    ),
    (
      "variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } }, "
        + "twin: { title: 'x' } }, " + Fixture.goals,
      "warning: The arms \"plain\" and \"twin\" are the same"
    ),
    (
      "sweep: { 'therapy.scale.basal': [1, 0.8, 1.0] }, "
        + "study: { control: { 'therapy.scale.basal': 1 }, "
        + "primary: [{ metric: 'tdd', better: 'lower', superior: true }] }",
      "warning: The sweep has 1.0 twice, and the runs are the same. Remove one. [W-NULL]"
    ),
    (
      Fixture.arms + Fixture.goals + ", random: { seed: 7, patients: 'same' }",
      "Patients of a study live days of their own; remove random.patients: 'same'."
    ),
    (
      Fixture.arms + "study: { control: 'plain', precision: { halfWidth: 1, pilot: 50 }, primary: "
        + "[{ metric: 'tdd', better: 'lower', superior: true }] }",
      "A pilot of 50 patients and at least 30 after it need 80; the cohort has 6."
    ),
    (
      Fixture.arms + "study: { control: 'plain', strata: 'sex', primary: "
        + "[{ metric: 'tdd', better: 'lower', superior: true }] }",
      "The cohort's table has no column \"sex\" with a group for each patient."
    ),
    (
      "sweep: { 'therapy.scale.sensitivity': [0.5, 1] }, study: { control: "
        + "{ 'therapy.scale.sensitivity': 2 }, primary: "
        + "[{ metric: 'tdd', better: 'lower', superior: true }] }",
      "The sweep has no point with these values."
    ),
  ]

  @Test("What is wrong is said with its place", arguments: wrong.indices)
  func refuses(index: Int) {
    let (body, sentence) = Self.wrong[index]
    let sentences = Fixture.check(Fixture.scenario(body)).sentences
    #expect(
      sentences.contains { $0.contains(sentence) && $0.hasPrefix("study.json5:") },
      "\(sentences)")
  }

  @Test("Boluses that people give are treatment, in which arms may differ")
  func bolusesAreTreatment() {
    let files = Fixture.scenario(
      "variants: { plain: {}, other: { events: [{ at: '01:00', bolus: { units: 1 } }] } }, "
        + Fixture.goals)
    let sentences = Fixture.check(files).sentences
    #expect(!sentences.contains { $0.contains("more than treatment") }, "\(sentences)")
  }

  @Test("Two patients with one id, and too few of them, are refused")
  func patients() {
    var files = Fixture.scenario(patients: 6, Fixture.arms + Fixture.goals)
    files["people.csv"] = "id,isf,group\na,40,x\nb,41,x\na,42,x\nc,43,x\nd,44,x\n"
    let twice = Fixture.check(files).sentences
    #expect(
      twice.contains {
        $0.hasPrefix("people.csv:4:1: error: The patient \"a\" is there twice.")
      })
    let few = Fixture.check(Fixture.scenario(patients: 4, Fixture.arms + Fixture.goals)).sentences
    #expect(few.contains { $0.contains("A goal needs at least 5 patients; this study has 4.") })
  }

  @Test("What is wrong in an arm is told together with what is wrong in the study")
  func tellsOfArmsToo() {
    let files = Fixture.scenario(
      """
      variants: { plain: {}, high: { therapy: { maxBolus: -1 } } },
      study: { control: 'plane',
        primary: [{ id: 'mean', metric: 'mean', better: 'lower', noninferior: 1 }] }
      """)
    let sentences = Fixture.check(files).sentences
    #expect(sentences.contains { $0.contains("There is no variant \"plane\"") }, "\(sentences)")
    #expect(sentences.contains { $0.contains("\"therapy.maxBolus\" must be") }, "\(sentences)")
  }

  @Test("A mistake is told once: too few for a pilot, and a goal that is wrong")
  func mistakesOnce() {
    let few = Fixture.check(
      Fixture.scenario(
        Fixture.arms
          + "study: { control: 'plain', precision: { halfWidth: 1, pilot: 50 }, primary: "
          + "[{ metric: 'tdd', better: 'lower', superior: true }] }")
    ).sentences
    #expect(!few.contains { $0.contains("hardly show") }, "\(few)")
    for goals in ["superior: true, equivalent: 1", "noninferior: 0"] {
      let sentences = Fixture.check(
        Fixture.scenario(
          Fixture.arms
            + "study: { control: 'plain', primary: [{ metric: 'tdd', better: 'lower', \(goals) }] }"
        )
      ).sentences
      #expect(sentences.count { $0.contains("error: ") } == 1, "\(sentences)")
    }
  }

  @Test("What a small or dull study shows is noted")
  func notes() {
    let sentences = Fixture.check(Fixture.scenario(Fixture.arms + Fixture.goals)).sentences
    #expect(sentences.contains { $0.contains("note: The study has 6 patients") })
    #expect(!sentences.contains { $0.contains("floor") })
  }

  @Test("The plan reads back to itself, and a damaged one is refused")
  func plans() throws {
    let study = try Fixture.study(Fixture.scenario(Fixture.arms + Fixture.goals))
    let bytes = study.plan.bytes
    let problems = ProblemListBox()
    #expect(StudyPlan(bytes, file: "plan.json", problems: problems.list) == study.plan)
    let text = String(decoding: bytes, as: UTF8.self).replacing("p0,40", with: "p0,41")
    #expect(StudyPlan(Array(text.utf8), file: "plan.json", problems: problems.list) == nil)
    #expect(
      problems.list.sorted.contains { $0.sentence.contains("the plan is damaged") })
    #expect(StudyPlan(Array(bytes.dropLast(40)), file: "p", problems: problems.list) == nil)
    #expect(StudyPlan([], file: "p", problems: problems.list) == nil)
  }

  @Test("Shards adjoin and divide no unit", arguments: [1, 2, 3, 7, 12])
  func shards(count: Int) throws {
    let study = try Fixture.study(
      Fixture.scenario(Fixture.arms + Fixture.goals + ", random: { seed: 7, replicates: 2 }"))
    #expect(study.plan.units == 12)
    #expect(study.plan.runs == 24)
    let ranges = (0..<count).map { study.plan.units(ofShard: $0, of: count) }
    #expect(ranges.flatMap(Array.init) == Array(0..<12))
    #expect(study.cases(ofUnit: 3).map(\.number) == [6, 7])
    #expect(study.cases(ofUnit: 3).map(\.patient) == [1, 1])
    #expect(study.cases(ofUnit: 3).map(\.replicate) == [1, 1])
  }

  @Test("Numbers of shards are written as schedulers take them")
  func lists() {
    #expect(ShardList.text([3, 7, 8, 9]) == "3,7-9")
    #expect(ShardList.text([]) == "")
    #expect(ShardList.numbers("3,7-9") == [3, 7, 8, 9])
    #expect(ShardList.numbers("x") == nil)
    #expect(ShardList.numbers("9-3") == nil)
  }
}
