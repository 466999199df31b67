internal import Outcomes
internal import Quantities
internal import RunPlans
internal import StructuredText

/// One end point of a comparison as the summary of a study has it.
struct EndPointJSON {
  private let result: EndPointResult
  /// The confidence of the study, which that of the result's goal may exceed.
  private let confidence: Double

  /// Takes what was found of an end point, and the confidence of the study in percent.
  init(_ result: EndPointResult, confidence: Double) {
    self.result = result
    self.confidence = confidence
  }

  /// What was found, without who was harmed.
  var value: JSONValue {
    let point = result.endPoint
    var members: [JSONValue.Member] = [
      .init("id", .string(point.id)),
      .init("metric", .string(point.metric.description)),
      .init("unit", .string(point.unit)),
      .init("better", .string(point.better.rawValue)),
      .init("class", .string(point.role.rawValue)),
      .init("n", .integer(Int64(result.count))),
      .init("missing", .integer(Int64(result.missing))),
    ]
    // Members that are there only where there is something to tell.
    if result.leftOutPairs > 0 {
      members.append(.init("left_out_pairs", .integer(Int64(result.leftOutPairs))))
    }
    if let window = point.daily {
      let ends = [window.start, window.end].map { JSONValue.string($0.hoursAndMinutes) }
      members.append(.init("daily", .array(ends)))
    }
    members += [
      .init("per", point.rate.map { .string($0.name) } ?? .null),
      .init("control", json(of: result.control, result.patients.map(\.control))),
      .init("treatment", json(of: result.treatment, result.patients.map(\.treatment))),
      .init("difference", difference),
      .init("rates", rates),
      .init("goal", goal),
    ]
    return .object(members)
  }

  private func json(of arm: ArmSummary?, _ values: [Double]) -> JSONValue {
    guard let arm else { return .null }
    let sorted = values.sorted()
    func ends(_ share: Double) -> JSONValue {
      let interval = QuantileOfPatients(
        count: sorted.count, share: share, confidence: confidence
      ).interval(sorted: sorted)
      return .ends(of: interval)
    }
    return .object([
      .init("mean", .number(arm.mean)), .init("sd", .optional(arm.standardDeviation)),
      .init("median", .number(arm.median)), .init("q1", .number(arm.lowerQuartile)),
      .init("q3", .number(arm.upperQuartile)), .init("min", .number(arm.minimum)),
      .init("max", .number(arm.maximum)), .init("median_interval", ends(0.5)),
      .init("p95_interval", ends(0.95)),
    ])
  }

  private var difference: JSONValue {
    guard let differences = result.differences, let resampled = result.resampled else {
      return .null
    }
    let confidence = result.confidence
    let median = result.pseudoMedian
    return .object([
      .init("mean", .number(differences.mean)),
      .init("sd", .optional(differences.standardDeviation)),
      .init("skew", .number(differences.skewness)),
      .init("n_for_skew", .integer(Int64(differences.countWantedBySkew))),
      .init("confidence", .number(confidence)),
      .init("interval", .ends(of: result.toldInterval)),
      .init("studentised", .ends(of: resampled.studentisedInterval(confidence: confidence))),
      .init("t", .ends(of: differences.studentInterval(confidence: confidence))),
      .init("bca", .ends(of: resampled.biasCorrectedInterval(confidence: confidence))),
      .init(
        "hodges_lehmann",
        median.map {
          .array([
            .number($0.estimate), .optional($0.interval.lower), .optional($0.interval.upper),
          ])
        } ?? .null),
      .init("se_total", .optional(differences.standardError)),
      .init("se_chance", .optional(result.variance?.chanceError)),
      .init("pairing_gain", .optional(result.pairingGain)),
      .init("better", .integer(Int64(result.counts.better))),
      .init("equal", .integer(Int64(result.counts.equal))),
      .init("worse", .integer(Int64(result.counts.worse))),
      .init("wilcoxon_p", .number(result.ranks.p)),
      .init("sign_flip_p", .number(result.signFlipP)),
    ])
  }

  private var rates: JSONValue {
    guard let rates = result.rates else { return .null }
    func json(_ rate: EventRate) -> JSONValue {
      let interval = rate.interval(confidence: result.confidence)
      return .object([
        .init("events", .number(rate.events)), .init("time", .number(rate.time)),
        .init("rate", .number(rate.value)),
        .init("interval", .ends(of: interval)),
        .init("dispersion", .optional(rate.dispersion)),
        .init("clustered", .bool(rate.isClustered)),
      ])
    }
    let ratio =
      !rates.control.isDispersed && !rates.treatment.isDispersed
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
            .init("value", .optional($0.value)), .init("interval", .ends(of: $0.interval)),
            .init("p", .number($0.p)),
          ])
        } ?? .null),
    ])
  }

  private var goal: JSONValue {
    guard let goal = result.endPoint.goal else { return .null }
    let isTested = result.verdict != .notTested
    // A member that is there only where Holm's method was used.
    let holm = result.holmP.map { [JSONValue.Member("p_holm", .number($0))] } ?? []
    // And one only where early deaths alone would meet the goal.
    let deaths = result.isMetByDeaths ? [JSONValue.Member("met_by_deaths", .bool(true))] : []
    let head: [JSONValue.Member] = [
      .init("kind", .string(goal.word)), .init("margin", .number(goal.margin)),
      .init("level", .number(result.confidence)),
      .init("p", isTested ? .optional(result.test?.p) : .null),
      .init("p_sides", .integer(goal == .superior(by: 0) ? 2 : 1)),
    ]
    let rest: [JSONValue.Member] = [
      .init("verdict", result.verdict.map { .string($0.rawValue) } ?? .null),
      .init("worse_by_margin", .bool(result.test?.isWorseByMargin ?? false)),
      .init(
        "bounds_failed",
        result.bounds.isEmpty
          ? .null : .array(result.bounds.map { .ends(of: result.told($0)) })),
    ]
    return .object(head + holm + rest + deaths)
  }

  /// Who was harmed by the rule of the end point.
  var harm: JSONValue {
    func count(_ change: HarmChange) -> Int { result.patients.count { $0.harmed == change } }
    let (newly, spared, both) = (count(.newly), count(.spared), count(.both))
    let share = ShareOfPatients(newly, of: result.count).map { share -> JSONValue in
      let interval = share.interval(confidence: confidence)
      return [.number(share.value), .number(interval.lowerBound), .number(interval.upperBound)]
    }
    return .object([
      .init("endpoint", .string(result.endPoint.id)),
      .init("rule", .string(result.endPoint.harm?.words ?? "")),
      .init("control", .integer(Int64(spared + both))),
      .init("treatment", .integer(Int64(newly + both))),
      .init("newly", .integer(Int64(newly))), .init("spared", .integer(Int64(spared))),
      .init("share", share ?? .null),
      .init("mcnemar_p", .number(ChangedPatients(newly: newly, spared: spared).p)),
    ])
  }

  /// Each group of patients.
  var groups: [JSONValue] {
    result.groups.map { group in
      .object([
        .init("endpoint", .string(result.endPoint.id)), .init("group", .string(group.name)),
        .init("n", .integer(Int64(group.count))), .init("control", .number(group.control)),
        .init("treatment", .number(group.treatment)),
        .init("difference", .number(group.difference)),
        .init("interval", .ends(of: result.told(group.interval))),
        .init("newly_harmed", .integer(Int64(group.newlyHarmed))),
      ])
    }
  }
}
