internal import Outcomes
internal import RunPlans
public import StructuredText

/// Everything that a study found, unrounded, with the digests of what it was computed from.
public struct StudySummary {
  private let analysis: StudyAnalysis
  private let casesDigest: String
  private var study: StudyProtocol { analysis.study }

  /// The version of the format.
  private static let format = "loopsim-study/1"

  /// Takes what a study found, and the digest of the cases that it was computed from.
  public init(_ analysis: StudyAnalysis, casesDigest: String) {
    self.analysis = analysis
    self.casesDigest = casesDigest
  }

  /// The summary as one object.
  public var json: JSONValue {
    let plan = study.plan
    return .object(
      [
        .init("format", .string(Self.format)),
        .init("id", .string(plan.id)),
        .init("title", .string(plan.title)),
        .init("verdict", .string(StudySentence(analysis).text)),
        .init("version", .string(plan.version)),
        .init("plan_sha256", .string(study.digest)),
        .init("cases_sha256", .string(casesDigest)),
        .init("follows", plan.follows.map { .string($0) } ?? .null),
        .init("seed", .string("\(plan.seed)")),
        .init("confidence", .number(study.design.confidence)),
        .init("goal_confidence", .number(analysis.goalConfidence)),
        .init("multiplicity", .string(study.design.multiplicity.rawValue)),
        .init("paired", .bool(study.design.isPaired)),
        .init("flow", flow),
        .init("arms_differ", .array(study.differences.map(json(of:)))),
        .init("comparisons", .array(analysis.comparisons.map(json(of:)))),
        .init("dose_slopes", doseSlopes),
        .init("precision", precision),
      ] + programs + sensitivity)
  }

  /// Members that are there only where the study has programs.
  private var programs: [JSONValue.Member] {
    let programs = study.plan.programs
    return programs.isEmpty ? [] : [.init("programs", .array(programs.map(\.json)))]
  }

  /// The member of a sampled sweep.
  private var sensitivity: [JSONValue.Member] {
    guard let sampled = study.design.sampled else { return [] }
    return [.init("sensitivity", SensitivityJSON(sampled, of: analysis).value)]
  }

  private func json(of difference: ArmDifference) -> JSONValue {
    .object([
      .init("path", .string(difference.path)),
      .init("values", .array(difference.values.map { $0.map { .string($0) } ?? .null })),
      .init("origin", .string(difference.origin)),
    ])
  }

  private var flow: JSONValue {
    let flow = analysis.flow
    var members: [JSONValue.Member] = [
      .init("patients", .integer(Int64(study.plan.patients))),
      .init("replicates", .integer(Int64(study.plan.replicates))),
      .init("arms", .array(study.plan.arms.map { .string($0) })),
      .init("points", .integer(Int64(study.plan.points))),
      .init("runs_planned", .integer(Int64(flow.planned))),
      .init("ok", .integer(Int64(flow.ok))),
      .init("lethal", .integer(Int64(flow.lethal))),
      .init("failed_runs", .integer(Int64(flow.failed))),
      .init(
        "failed",
        .array(
          flow.reasons.map {
            ["reason": .string($0.reason), "count": .integer(Int64($0.count))]
          })),
      .init("implausible", .array(flow.implausible.map { .string($0) })),
    ]
    // Members that are there only where glucose left the models, and where pumps stopped.
    if !flow.implausibleTreated.isEmpty {
      members.append(
        .init("implausible_treated", .array(flow.implausibleTreated.map { .string($0) })))
    }
    if let pumps = flow.stoppedPumps { members.append(.init("stopped_pumps", json(of: pumps))) }
    return .object(members)
  }

  private func json(of pumps: StoppedPumps) -> JSONValue {
    let arms = pumps.arms.map { arm -> JSONValue in
      [
        "name": .string(arm.name), "runs": .integer(Int64(arm.runs)),
        "of": .integer(Int64(pumps.runsOfEach)),
      ]
    }
    return [
      "runs": .integer(Int64(pumps.runs)), "patients": .integer(Int64(pumps.patients)),
      "longest_minutes": .number(pumps.longestMinutes),
      "longest_case": .integer(Int64(pumps.longestCase)), "arms": .array(arms),
    ]
  }

  private func json(of comparison: StudyComparison) -> JSONValue {
    let settings = JSONValue.object(
      comparison.settings.map { .init($0.path, .string($0.value)) })
    return .object([
      .init("control", .string(comparison.control)),
      .init("treatment", .string(comparison.treatment)),
      .init("point", comparison.settings.isEmpty ? .null : settings),
      .init("verdict", .string(ComparisonSentence(comparison).text)),
      .init(
        "lethal",
        [
          "control": .integer(Int64(comparison.lethalRuns.control)),
          "treatment": .integer(Int64(comparison.lethalRuns.treatment)),
          "patients_newly": .integer(Int64(comparison.deaths.newly)),
          "patients_spared": .integer(Int64(comparison.deaths.spared)),
          "mcnemar_p": .number(comparison.deaths.p),
        ]),
      .init("endpoints", .array(comparison.results.map { json(of: $0).value })),
      .init("harm", .array(comparison.harms.map { json(of: $0).harm })),
      .init("groups", groups(of: comparison)),
    ])
  }

  private func json(of result: EndPointResult) -> EndPointJSON {
    EndPointJSON(result, confidence: study.design.confidence)
  }

  private func groups(of comparison: StudyComparison) -> JSONValue {
    guard study.design.strata != nil else { return .array([]) }
    return .array(comparison.results.flatMap { json(of: $0).groups })
  }

  /// How strongly the first end point follows each axis of a sweep.
  private var doseSlopes: JSONValue {
    let response = analysis.doseResponse
    guard let axes = response.axes else { return .null }
    let leftOut: [JSONValue.Member] =
      response.leftOut == 0 ? [] : [.init("left_out", .integer(Int64(response.leftOut)))]
    return .array(
      axes.map { axis in
        guard let slopes = axis.slopes else { return .null }
        let resampled = ResampledMean(slopes)
        let confidence = study.design.confidence
        return .object(
          [
            .init("axis", .string(axis.name)), .init("mean", .number(slopes.mean)),
            .init("se", .optional(slopes.standardError)),
            .init("interval", .ends(of: resampled.interval(confidence: confidence))),
            .init(
              "studentised", .ends(of: resampled.studentisedInterval(confidence: confidence))),
          ] + leftOut)
      })
  }

  private var precision: JSONValue {
    guard let pilot = study.plan.pilot else { return .null }
    return .object([
      .init("pilot", .integer(Int64(pilot.patients))), .init("sd", .number(pilot.deviation)),
      .init("wish", .number(pilot.halfWidth)), .init("n", .integer(Int64(study.plan.patients))),
      .init("reached", .optional(analysis.reachedHalfWidth)),
    ])
  }
}
