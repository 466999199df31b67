internal import Determinism
internal import Outcomes
internal import Scenarios
public import StructuredText

extension StudyAnalysis {
  /// The version of the summary's format.
  public static let format = "loopsim-study/1"

  /// Everything that was found, unrounded, with the digests of what it was computed from.
  public func summary(casesDigest: String) -> JSONValue {
    let plan = study.plan
    return .object(
      [
        .init("format", .string(Self.format)),
        .init("id", .string(plan.id)),
        .init("title", .string(plan.title)),
        .init("verdict", .string(sentence)),
        .init("version", .string(plan.version)),
        .init("plan_sha256", .string(study.digest)),
        .init("cases_sha256", .string(casesDigest)),
        .init("follows", plan.follows.map { .string($0) } ?? .null),
        .init("seed", .string("\(plan.seed)")),
        .init("confidence", .number(study.design.confidence)),
        .init("goal_confidence", .number(goalConfidence)),
        .init("multiplicity", .string(study.design.multiplicity.rawValue)),
        .init("paired", .bool(study.design.isPaired)),
        .init("flow", flowJSON),
        .init(
          "arms_differ",
          .array(
            study.differences.map { difference in
              .object([
                .init("path", .string(difference.path)),
                .init("values", .array(difference.values.map { $0.map { .string($0) } ?? .null })),
                .init("origin", .string(difference.origin)),
              ])
            })),
        .init("comparisons", .array(comparisons.map(json(of:)))),
        .init("dose_slopes", slopesJSON),
        .init("precision", precisionJSON),
      ] + programMembers + sensitivityMembers)
  }

  private var programMembers: [JSONValue.Member] {
    let programs = study.plan.programs
    return programs.isEmpty ? [] : [.init("programs", .array(programs.map(\.json)))]
  }

  private var flowJSON: JSONValue {
    .object([
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
    ])
  }

  private func json(of comparison: Comparison) -> JSONValue {
    let settings = JSONValue.object(
      comparison.settings.map { .init($0.path, .string($0.value)) })
    return .object([
      .init("control", .string(comparison.control)),
      .init("treatment", .string(comparison.treatment)),
      .init("point", comparison.settings.isEmpty ? .null : settings),
      .init("verdict", .string(sentence(of: comparison))),
      .init(
        "lethal",
        [
          "control": .integer(Int64(comparison.lethalRuns.control)),
          "treatment": .integer(Int64(comparison.lethalRuns.treatment)),
          "patients_newly": .integer(Int64(comparison.deaths.newly)),
          "patients_spared": .integer(Int64(comparison.deaths.spared)),
          "mcnemar_p": .number(comparison.deaths.p),
        ]),
      .init("endpoints", .array(comparison.results.map(json(of:)))),
      .init("harm", .array(comparison.harms.map(harmJSON))),
      .init("groups", groupsJSON(comparison)),
    ])
  }

  private func json(of result: EndPointResult) -> JSONValue {
    let point = result.endPoint
    return .object([
      .init("id", .string(point.id)),
      .init("metric", .string(point.metric.description)),
      .init("unit", .string(point.unit)),
      .init("better", .string(point.better.rawValue)),
      .init("class", .string(point.role.rawValue)),
      .init("n", .integer(Int64(result.count))),
      .init("missing", .integer(Int64(result.missing))),
      .init("per", point.rate.map { .string($0.name) } ?? .null),
      .init("control", json(of: result.control, result.patients.map(\.control))),
      .init("treatment", json(of: result.treatment, result.patients.map(\.treatment))),
      .init("difference", differenceJSON(result)),
      .init("rates", ratesJSON(result)),
      .init("goal", goalJSON(result)),
    ])
  }

  private func json(of arm: ArmSummary?, _ values: [Double]) -> JSONValue {
    guard let arm else { return .null }
    let sorted = values.sorted()
    func ends(_ share: Double) -> JSONValue {
      let interval = QuantileOfPatients(
        count: sorted.count, share: share, confidence: study.design.confidence
      ).interval(sorted: sorted)
      return Self.json(of: interval)
    }
    return .object([
      .init("mean", .number(arm.mean)), .init("sd", Self.number(arm.standardDeviation)),
      .init("median", .number(arm.median)), .init("q1", .number(arm.lowerQuartile)),
      .init("q3", .number(arm.upperQuartile)), .init("min", .number(arm.minimum)),
      .init("max", .number(arm.maximum)), .init("median_interval", ends(0.5)),
      .init("p95_interval", ends(0.95)),
    ])
  }

  private func differenceJSON(_ result: EndPointResult) -> JSONValue {
    guard let differences = result.differences, let resampled = result.resampled else {
      return .null
    }
    let confidence = result.confidence
    let median = result.pseudoMedian
    return .object([
      .init("mean", .number(differences.mean)),
      .init("sd", Self.number(differences.standardDeviation)),
      .init("skew", .number(differences.skewness)),
      .init("n_for_skew", .integer(Int64(differences.countWantedBySkew))),
      .init("confidence", .number(confidence)),
      .init("interval", Self.json(of: resampled.interval(confidence: confidence))),
      .init("studentised", Self.json(of: resampled.studentisedInterval(confidence: confidence))),
      .init("t", Self.json(of: differences.studentInterval(confidence: confidence))),
      .init("bca", Self.json(of: resampled.biasCorrectedInterval(confidence: confidence))),
      .init(
        "hodges_lehmann",
        median.map {
          .array([
            .number($0.estimate), Self.number($0.interval.lower), Self.number($0.interval.upper),
          ])
        } ?? .null),
      .init("se_total", Self.number(differences.standardError)),
      .init("se_chance", Self.number(result.variance?.chanceError)),
      .init("pairing_gain", Self.number(result.pairingGain)),
      .init("better", .integer(Int64(result.counts.better))),
      .init("equal", .integer(Int64(result.counts.equal))),
      .init("worse", .integer(Int64(result.counts.worse))),
      .init("wilcoxon_p", .number(result.ranks.p)),
      .init("sign_flip_p", .number(result.signFlipP)),
    ])
  }

  private func ratesJSON(_ result: EndPointResult) -> JSONValue {
    guard let rates = result.rates else { return .null }
    func json(_ rate: EventRate) -> JSONValue {
      let interval = rate.interval(confidence: result.confidence)
      return .object([
        .init("events", .number(rate.events)), .init("time", .number(rate.time)),
        .init("rate", .number(rate.value)),
        .init("interval", .array([.number(interval.lowerBound), .number(interval.upperBound)])),
        .init("dispersion", Self.number(rate.dispersion)),
        .init("clustered", .bool(rate.isClustered)),
      ])
    }
    let isPlain =
      (rates.control.dispersion ?? 1) <= 1 && (rates.treatment.dispersion ?? 1) <= 1
    let ratio =
      isPlain
      ? RateRatio(
        treatment: (Int(rates.treatment.events), rates.treatment.time),
        control: (Int(rates.control.events), rates.control.time), confidence: result.confidence)
      : nil
    return .object([
      .init("control", json(rates.control)), .init("treatment", json(rates.treatment)),
      .init(
        "ratio",
        ratio.map {
          .object([
            .init("value", Self.number($0.value)), .init("interval", Self.json(of: $0.interval)),
            .init("p", .number($0.p)),
          ])
        } ?? .null),
    ])
  }

  private func goalJSON(_ result: EndPointResult) -> JSONValue {
    guard let goal = result.endPoint.goal else { return .null }
    let isTested = result.verdict != .notTested
    return .object([
      .init("kind", .string(goal.word)), .init("margin", .number(goal.margin)),
      .init("level", .number(result.confidence)),
      .init("p", isTested ? Self.number(result.test?.p) : .null),
      .init("p_sides", .integer(goal == .superior(by: 0) ? 2 : 1)),
      .init("verdict", result.verdict.map { .string($0.rawValue) } ?? .null),
      .init("worse_by_margin", .bool(result.test?.isWorseByMargin ?? false)),
      .init(
        "bounds_failed",
        result.bounds.isEmpty ? .null : .array(result.bounds.map { Self.json(of: $0) })),
    ])
  }

  private func harmJSON(_ result: EndPointResult) -> JSONValue {
    func count(_ change: HarmChange) -> Int { result.patients.count { $0.harmed == change } }
    let (newly, spared, both) = (count(.newly), count(.spared), count(.both))
    let share = ShareOfPatients(newly, of: result.count)
    let interval = share?.interval(confidence: study.design.confidence)
    return .object([
      .init("endpoint", .string(result.endPoint.id)),
      .init("rule", .string(result.endPoint.harm?.words ?? "")),
      .init("control", .integer(Int64(spared + both))),
      .init("treatment", .integer(Int64(newly + both))),
      .init("newly", .integer(Int64(newly))), .init("spared", .integer(Int64(spared))),
      .init(
        "share",
        .array([
          Self.number(share?.value), Self.number(interval?.lowerBound),
          Self.number(interval?.upperBound),
        ])),
      .init("mcnemar_p", .number(ChangedPatients(newly: newly, spared: spared).p)),
    ])
  }

  private func groupsJSON(_ comparison: Comparison) -> JSONValue {
    guard study.design.strata != nil else { return .array([]) }
    return .array(
      comparison.results.flatMap { result in
        result.groups.map { group in
          .object([
            .init("endpoint", .string(result.endPoint.id)), .init("group", .string(group.name)),
            .init("n", .integer(Int64(group.count))), .init("control", .number(group.control)),
            .init("treatment", .number(group.treatment)),
            .init("difference", .number(group.difference)),
            .init("interval", group.interval.map { Self.json(of: $0) } ?? .null),
            .init("newly_harmed", .integer(Int64(group.newlyHarmed))),
          ])
        }
      })
  }

  private var precisionJSON: JSONValue {
    guard let pilot = study.plan.pilot else { return .null }
    let interval = comparisons.first?.results.first?.interval
    let reached = interval.flatMap { interval in
      interval.lower.flatMap { low in interval.upper.map { ($0 - low) / 2 } }
    }
    return .object([
      .init("pilot", .integer(Int64(pilot.patients))), .init("sd", .number(pilot.deviation)),
      .init("wish", .number(pilot.halfWidth)), .init("n", .integer(Int64(study.plan.patients))),
      .init("reached", Self.number(reached)),
    ])
  }

  static func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }

  static func json(of interval: IntervalOfMean?) -> JSONValue {
    guard let interval else { return .null }
    return .array([
      interval.lower.map { .number($0) } ?? "none", interval.upper.map { .number($0) } ?? "none",
    ])
  }
}
