import Outcomes
import RunPlans
import ScenarioLanguage
import Scenarios
import StructuredText
import Testing

@testable import Studies

/// Small studies of bodies that cost little.
enum Fixture {
  /// A study of so many superposition patients; `body` is laid over it.
  static func scenario(patients: Int = 6, hours: Int = 2, _ body: String) -> [String: String] {
    let rows = (0..<patients).map { number in
      "p\(number),\(40 + 3 * number),\(number.isMultiple(of: 2) ? "even" : "odd")\n"
    }
    return [
      "base.json5": """
      { format: 'loopsim/1', clock: { duration: '\(hours)h' }, random: { seed: 7 },
        patient: { model: 'tidepool-simple', initialGlucose: 120, floor: { glucose: 20 },
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        cgm: { model: 'ar1', noise: { sd: 4, phi: 0.7 } },
        history: { glucose: { flat: 120 } } }
      """,
      "people.csv": "id,isf,group\n" + rows.joined(),
      "study.json5": """
      { format: 'loopsim/1', id: 'small', title: 'A small study', extends: 'base.json5',
        cohort: { from: 'people.csv',
          columns: { isf: 'patient.needs.sensitivity[0][1]' } },
        \(body) }
      """,
    ]
  }

  /// Two arms that are the same but for a target.
  static let arms = """
    variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } } },
    """

  static let goals = """
    study: { control: 'plain', strata: 'group',
      primary: [{ id: 'mean', metric: 'mean@cgm', better: 'lower', noninferior: 10 }],
      secondary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }],
      safety: [{ id: 'low', metric: 'below(70)', better: 'lower', harm: { above: 1 } }] }
    """

  /// What is wrong with a study's file, and its plan.
  static func check(_ files: [String: String]) -> (plan: RunPlan?, sentences: [String]) {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    let plan = ScenarioCheck.plan("study.json5", reader: &reader, problems: problems)
    return (plan, problems.sorted.map(\.description))
  }

  static func study(_ files: [String: String]) throws -> StudyProtocol {
    let (runs, sentences) = check(files)
    let plan = StudyPlan(
      of: try #require(runs, "\(sentences)"), file: "study.json5",
      files: FrozenFiles(files.map { .init(path: $0.key, text: $0.value) }), version: "test")
    let problems = ProblemList()
    let study = StudyProtocol(
      plan, digest: StudyPlan.digest(of: plan.bytes), problems: problems)
    return try #require(study, "\(problems.sorted)")
  }

  /// The bytes of all cases of a study.
  static func bytes(_ study: StudyProtocol) -> [UInt8] {
    let rows = (0..<study.plan.units).flatMap { unit in
      study.cases(ofUnit: unit).compactMap { study.carryOut($0) }
    }
    return CaseRow.table(rows, header: CaseRow.header(study.design), withHeader: true)
  }

  static func analysis(_ study: StudyProtocol, _ bytes: [UInt8]) throws -> StudyAnalysis {
    let problems = ProblemList()
    let table = CaseTable(bytes, file: "cases.csv", study: study, problems: problems)
    return StudyAnalysis(try #require(table, "\(problems.sorted)"), of: study)
  }

  /// Cases with made-up values of the first end point: `nil` stands for a failed run.
  static func cases(
    _ study: StudyProtocol, control: [Double?], treatment: [Double?], lethal: Set<Int> = []
  ) -> [UInt8] {
    var rows: [CaseRow] = []
    let count =
      study.design.endPoints.count + StandardFigure.all.count + HourlyFigures.header.count
    for item in (0..<study.plan.units).flatMap({ study.cases(ofUnit: $0) }) {
      let value = item.arm == 0 ? control[item.patient] : treatment[item.patient]
      let status =
        lethal.contains(item.number) ? "lethal" : value == nil ? "failed" : "ok"
      let text = lethal.contains(item.number) ? "" : value.map { "\($0)" } ?? ""
      let fields =
        [
          "\(item.number)", "\(item.unit)", study.patient(item.patient).id,
          study.patient(item.patient).group ?? "", "\(item.replicate)", "\(item.point)",
          study.plan.arms[item.arm], status, value == nil ? "made to fail" : "",
          "2026-01-05T00:00:00Z", "1", "7", "0",
        ] + [text] + Array(repeating: "", count: count - 1)
      if let row = CaseRow(fields) { rows.append(row) }
    }
    return CaseRow.table(rows, header: CaseRow.header(study.design), withHeader: true)
  }

  /// The analysis of a study whose every case lived to its end; `made` gives its other columns.
  static func analysis(
    of study: StudyProtocol, _ made: (StudyProtocol.Case) -> [String: String]
  ) throws -> StudyAnalysis {
    let header = CaseRow.header(study.design)
    let rows = try (0..<study.plan.units).flatMap { study.cases(ofUnit: $0) }.map { item in
      let patient = study.patient(item.patient)
      var known = [
        "case": "\(item.number)", "unit": "\(item.unit)", "patient": patient.id,
        "group": patient.group ?? "", "replicate": "\(item.replicate)", "point": "0",
        "arm": study.plan.arms[item.arm], "status": "ok", "days": "1", "seed": "7",
        "digest": "\(item.number)", "ended": "2026-01-06T00:00:00Z",
      ]
      known.merge(made(item)) { $1 }
      return try #require(CaseRow(header.map { known[$0] ?? "" }))
    }
    return try analysis(study, CaseRow.table(rows, header: header, withHeader: true))
  }
}
