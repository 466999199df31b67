public import Expectations
internal import Outcomes
internal import Simulation
public import StructuredText
public import Studies

/// Several runs that belong together because one file made them in one way: an arm of a comparison.
public struct BatchArm: Sendable {
  /// The scenario, with its variant and the point of its sweep.
  public var name: String
  /// What the point of the sweep stands for, each value with its path; empty without a sweep.
  public var settings: [JSONValue.Member]
  /// The runs of the arm.
  public var rows: [BatchRow]

  package init(name: String, settings: [JSONValue.Member], rows: [BatchRow]) {
    self.name = name
    self.settings = settings
    self.rows = rows
  }

  /// The runs of a batch, arm by arm, in the order in which arms first appear.
  public static func arms(of rows: [BatchRow]) -> [BatchArm] {
    var arms: [BatchArm] = []
    var places: [String: Int] = [:]
    for row in rows {
      var parts = [row.coordinates.scenario]
      if let variant = row.coordinates.variant { parts.append(variant) }
      if let point = row.coordinates.point { parts.append("s\(point)") }
      let name = parts.joined(separator: "/")
      if let place = places[name] {
        arms[place].rows.append(row)
      } else {
        places[name] = arms.count
        arms.append(BatchArm(name: name, settings: row.coordinates.settings, rows: [row]))
      }
    }
    return arms
  }

  /// What a figure comes to over the runs; `nil` where no run has it.
  public func summary(of figure: BatchRow.Figure) -> ArmSummary? {
    ArmSummary(rows.map { $0.value(figure) })
  }
}

/// The tables of a batch: one row a run, and what the runs come to together.
public enum BatchTables {
  /// The format of the tables; it changes when a column or a key changes its meaning or goes.
  public static let format: Int64 = 1

  /// The columns that say which run a row is, and how it ended.
  static let places = [
    "id", "file", "scenario", "variant", "sweep_point", "set", "patient", "replicate", "tags",
    "start", "end", "time_zone", "seed", "digest", "verdict", "expectations_passed",
    "expectations", "records_agree", "differences", "cycles_due", "cycles_completed", "lethal",
    "went_wrong", "troubles", "patient_in_table",
  ]

  /// One row a run: where it lies in the batch, its figures, its verdicts and its digest.
  public static func runs(_ rows: [BatchRow]) -> String {
    var table = CSVWriter(header: places + BatchRow.Figure.allCases.map(\.rawValue))
    for row in rows {
      let place = row.coordinates
      let point = place.point.map { "\($0)" }
      let assignments =
        place.assignments.isEmpty ? nil : JSONWriter().line(.object(place.assignments))
      let texts: [String] = [
        row.id, place.file, place.scenario, place.variant ?? "", point ?? "", assignments ?? "",
        place.patient ?? "", "\(place.replicate)", place.tags.joined(separator: " "), row.start,
        row.end, place.timeZone, "\(row.seed)", row.digest, row.hasFailed ? "failed" : "ok",
        "\(row.passed)", "\(row.expectations)", row.hasApp ? row.answer.rawValue : "",
        "\(row.differences)",
        "\(row.cyclesDue)", "\(row.cyclesCompleted)", row.isLethal ? "yes" : "no",
        "\(row.troubles.count)", kinds(of: row), place.patientInTable ?? "",
      ]
      for text in texts { table.field(text) }
      for figure in row.figures { table.field(figure, decimals: 4) }
    }
    return table.text
  }

  /// What went wrong in a run, each kind once, in the order of ``RunTrouble/Kind``.
  private static func kinds(of row: BatchRow) -> String {
    let kinds = Set(row.troubles.map(\.kind))
    return RunTrouble.Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: " ")
  }

  /// What the runs come to together: arms with their figures, joint verdicts, what went wrong.
  ///
  /// - Parameters:
  ///   - rows: The runs.
  ///   - missing: The runs that came to no result.
  ///   - joint: What came of the expectations that look at several runs.
  ///   - version: The version of the program.
  /// - Returns: The tree.
  public static func batch(
    _ rows: [BatchRow], missing: [RunWithoutResult] = [], joint: [ExpectationResult],
    version: String
  ) -> JSONValue {
    [
      "format": .integer(format), "version": .string(version),
      "runs": .integer(Int64(rows.count)),
      "without_result": .array(
        missing.map { ["run": .string($0.id), "reason": .string($0.reason)] }),
      "failed": .integer(Int64(rows.count { $0.hasFailed })),
      "lethal": .integer(Int64(rows.count { $0.isLethal })),
      "records_disagree": .integer(Int64(rows.count { $0.hasWrongRecord })),
      "records_explained": .integer(Int64(rows.count { $0.isExplained })),
      "with_something_wrong": .integer(Int64(rows.count { !$0.troubles.isEmpty })),
      "troubles": .object(
        RunTrouble.Kind.allCases.compactMap { kind in
          let count = rows.count { $0.troubles.contains { $0.kind == kind } }
          return count == 0 ? nil : .init(kind.rawValue, .integer(Int64(count)))
        }),
      "arms": .array(BatchArm.arms(of: rows).map(json)),
      "joint": .array(joint.map { $0.json(named: true) }),
      "notice": "Not a medical device. Do not use these figures to decide about therapy.",
      "alike": .array(AlikeCause.causes(of: rows).map(\.cause.json)),
    ]
  }

  private static func json(_ arm: BatchArm) -> JSONValue {
    let figures = BatchRow.Figure.allCases.map { figure -> JSONValue.Member in
      guard let summary = arm.summary(of: figure) else { return .init(figure.rawValue, .null) }
      return .init(
        figure.rawValue,
        [
          "n": .integer(Int64(summary.count)), "mean": .rounded(summary.mean, 4),
          "sd": .rounded(summary.standardDeviation, 4),
          "min": .rounded(summary.minimum, 4), "q1": .rounded(summary.lowerQuartile, 4),
          "median": .rounded(summary.median, 4), "q3": .rounded(summary.upperQuartile, 4),
          "max": .rounded(summary.maximum, 4),
        ])
    }
    return [
      "name": .string(arm.name), "set": .object(arm.settings),
      "runs": .integer(Int64(arm.rows.count)),
      "failed": .integer(Int64(arm.rows.count { $0.hasFailed })),
      "lethal": .integer(Int64(arm.rows.count { $0.isLethal })), "figures": .object(figures),
    ]
  }
}
