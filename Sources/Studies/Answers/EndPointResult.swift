internal import Outcomes
public import RunPlans
internal import StructuredText

/// What a study found of one end point in one comparison.
public struct EndPointResult: Sendable {
  /// Numbers of patients by how the treatment did for them.
  public struct Counts: Hashable, Sendable {
    /// How many patients did better.
    public var better = 0
    /// How many patients did as before.
    public var equal = 0
    /// How many patients did worse.
    public var worse = 0
  }

  /// The end point.
  public let endPoint: StudyEndPoint
  /// Patients with a difference.
  public let count: Int
  /// Patients without a difference.
  public let missing: Int
  /// How many pairs of runs the patients with a difference have.
  public let pairs: Int
  /// How many of these pairs are left out, as one of their runs has no value.
  public let leftOutPairs: Int
  /// The patients under the control; `nil` without any.
  public let control: ArmSummary?
  /// The patients under the treatment; `nil` without any.
  public let treatment: ArmSummary?
  /// The differences of the patients; `nil` without any.
  public let differences: PairedDifferences?
  /// The bootstrap of the differences; `nil` where they are too few.
  public let resampled: ResampledMean?
  /// The confidence of the intervals, in percent.
  public let confidence: Double
  /// How the treatment did for the patients.
  public let counts: Counts
  /// Where the uncertainty comes from; `nil` where that cannot be told.
  public let variance: VarianceParts?
  /// How much less the differences vary than those of separate groups of people, at most 1.
  public let pairingGain: Double?
  /// Wilcoxon's signed ranks.
  public let ranks: SignedRanks
  /// The median of averages of pairs; `nil` without differences.
  public let pseudoMedian: HodgesLehmann?
  /// The p of the test by flipping signs.
  let signFlipP: Double
  /// The goal by itself; `nil` without one, or where it cannot be estimated.
  public let test: GoalTest?
  /// The verdict among the other goals; `nil` without a goal.
  public internal(set) var verdict: GoalVerdict?
  /// The two-sided p by Holm's method among the secondary goals; `nil` where that was not used.
  public internal(set) var holmP: Double?
  /// The intervals with the worst and the best value in place of failed runs.
  public let bounds: [IntervalOfMean]
  /// Whether the interval meets the goal, and does not with every outcome of the failed runs.
  let isMetWithoutFailures: Bool
  /// Whether the interval meets the goal because runs died early, and so had fewer events.
  public let isMetByDeaths: Bool
  /// Whether the interval excludes no difference only because runs died early, and so had fewer
  /// events.
  public let isDecidedByDeaths: Bool
  /// The rates of both arms over all time; `nil` where the end point is no rate.
  let rates: (control: EventRate, treatment: EventRate)?
  /// Every patient with a difference, for lists and pictures.
  public let patients: [PatientResult]

  /// The interval of the mean difference that decides, as the resamples give it; where it is told
  /// it is ``toldInterval``.
  public var interval: IntervalOfMean? { resampled?.interval(confidence: confidence) }

  /// The interval as it is told: that of a share of time ends where shares end, at 100 points.
  public var toldInterval: IntervalOfMean? { told(interval) }

  /// An interval of the end point as it is told, of all patients or of a group.
  public func told(_ interval: IntervalOfMean?) -> IntervalOfMean? {
    guard var interval, endPoint.metric.name.isShareOfTime else { return interval }
    interval.lower = max(interval.lower ?? -100, -100)
    interval.upper = min(interval.upper ?? 100, 100)
    return interval
  }

  /// The newly harmed patients, the worst first.
  public var newlyHarmed: [PatientResult] {
    patients.filter { $0.harmed == .newly }.sorted { left, right in
      left.difference == right.difference
        ? left.id < right.id : left.difference.magnitude > right.difference.magnitude
    }
  }

  /// How many patients are compared, of how many: `4 of 10 patients`.
  public var countOfAll: String { "\(count) of \(WordList.counted(count + missing, "patient"))" }

  /// The same as a clause: `18 of 20 patients are compared`.
  public var comparedWords: String { "\(countOfAll) \(WordList.verb("is", of: count)) compared" }

  /// How many pairs of runs the means are without: `1 of 24 pairs of runs left out`; `nil` where
  /// none.
  public var leftOutWords: String? {
    leftOutPairs > 0
      ? "\(leftOutPairs) of \(WordList.counted(pairs, "pair")) of runs left out" : nil
  }

  /// How many patients have a difference that is not zero.
  private var differing: Int { patients.count { $0.difference != 0 } }

  /// What is told where there are fewer patients than the skew of the differences wants,
  /// and else `nil`.
  public var skewNote: String? {
    differences.flatMap { count < $0.countWantedBySkew ? skewSentence : nil }
  }

  /// Why an interval is as wide as it is where there are few patients for the skew of the
  /// differences, in one sentence without a full stop.
  var skewSentence: String {
    let some = differing
    let wanted = differences?.countWantedBySkew ?? 0
    let who = "\(some == 1 ? "a single one" : "\(some)") of \(WordList.counted(count, "patient"))"
    return
      "\(who) \(WordList.verb("differs", of: some)), and unevenly: the interval is wide because "
      + "chance could have chosen others, and some \(WordList.counted(wanted, "patient")) would be "
      + "wanted for it (25 × skewness²)"
  }

  /// That a goal which its interval meets is not met beside the others, in one sentence without a
  /// full stop; `nil` where it is not so.
  public var holmSentence: String? {
    guard let holmP, let test, test.isMet, verdict == .notMet else { return nil }
    return
      "the interval alone would meet the goal; by Holm's method over all secondary goals its p is "
      + StudyNumber.fixed(holmP, 3)
  }

  /// That a goal which its interval meets is not met with any outcome of the failed runs, in one
  /// sentence without a full stop; `nil` where it is not so.
  public var failureSentence: String? {
    isMetWithoutFailures
      ? "the interval alone would meet the goal, but not with the worst and the best in place of "
        + "the failed runs" : nil
  }

  /// That an interval meets its goal, or excludes no difference, by early deaths alone, in one
  /// sentence without a full stop; `nil` where it is not so.
  public var deathSentence: String? {
    guard isMetByDeaths || isDecidedByDeaths else { return nil }
    return
      (isMetByDeaths
      ? "the interval alone would meet the goal" : "the interval alone excludes no difference")
      + ", but not where a run that died early counts with the events alone that it has more, as "
      + "its shorter time spares nobody"
  }

  /// That patients do not count by their difference, as a run of theirs that died early has fewer
  /// events for want of time, in one sentence without a full stop; `nil` where none does.
  public var fewerByDeathSentence: String? {
    let count = patients.count { $0.benefit != endPoint.benefit(of: $0.difference) }
    guard count > 0 else { return nil }
    return
      "\(WordList.counted(count, "patient")) with a run that died early "
      + "\(WordList.verb("counts", of: count)) as better, equal or worse by the events alone "
      + "that it "
      + "has more, as its shorter time spares nobody"
  }

  /// What an interval without width says, in one sentence without a full stop; `nil` where patients
  /// do not all differ by the same, and where no goal is read off it.
  public var equalSentence: String? {
    guard test != nil, let differences, differences.isConstant,
      let share = ShareOfPatients(0, of: count)
    else { return nil }
    let most = StudyNumber.fixed(share.interval(confidence: confidence).upperBound * 100, 0)
    let patients = WordList.counted(count, "patient")
    let (who, others) =
      differing == 0
      ? ("none of \(patients) differs", "differ")
      : ("all \(patients) differ by the same amount", "differ by another")
    return
      "\(who), so that the interval has no width: of all patients up to \(most) % may \(others), "
      + "and the study does not say by how much"
  }
}

/// One end point of one patient under two arms.
public struct PatientResult: Hashable, Sendable {
  /// The id of the patient.
  public var id: String
  /// The patient's group.
  public var group: String
  /// The value under the control.
  public var control: Double
  /// The value under the treatment.
  public var treatment: Double
  /// The treatment's value less the control's.
  public var difference: Double
  /// How much more there is in a run under the treatment: of a rate, how many events.
  public var more: Double
  /// The differences of the replicates.
  public var replicates: [Double]
  /// 1 where the treatment is better, -1 where it is worse, 0 where neither; of events, a run that
  /// died early counts what it has more alone.
  public var benefit: Int
  /// Whether the patient is harmed under each arm; `nil` without a rule of harm.
  public var harmed: HarmChange?
}

/// How an arm changes whether a patient is harmed.
public enum HarmChange: String, CaseIterable, Hashable, Sendable {
  /// Harmed under the treatment alone.
  case newly
  /// Harmed under the control alone.
  case spared
  /// Harmed under both arms.
  case both
  /// Harmed under neither arm.
  case neither
}

extension EndPointResult {
  /// Compares two cells of a study.
  init(
    _ rows: [CaseRow], of study: StudyProtocol, endPoint index: Int, control: Int,
    treatment: Int, confidence: Double
  ) {
    func values(_ stand: PairedValues.Stand) -> PairedValues {
      PairedValues(
        rows, of: study, endPoint: index, control: control, treatment: treatment, stand: stand)
    }
    let endPoint = study.design.endPoints[index]
    let paired = values(.none)
    let compared = paired.compared
    let differences = paired.differences(in: study)
    let resampled = differences.map { ResampledMean($0) }
    self.endPoint = endPoint
    self.confidence = confidence
    self.differences = differences
    self.resampled = resampled
    count = compared.count
    missing = paired.patients.count - compared.count
    pairs = compared.count * study.plan.replicates
    leftOutPairs = compared.reduce(0) { $0 + $1.patient.missing }
    self.control = ArmSummary(compared.map(\.patient.control))
    self.treatment = ArmSummary(compared.map(\.patient.treatment))
    patients = compared.map { patient, difference in
      PatientResult(
        patient, difference, endPoint,
        study.patient(study.plan.firstPatient + patient.place))
    }
    counts = Counts(
      better: patients.count { $0.benefit > 0 }, equal: patients.count { $0.benefit == 0 },
      worse: patients.count { $0.benefit < 0 })
    variance = VarianceParts(compared.map(\.patient.replicates))
    pairingGain = Self.gain(compared.map(\.patient), differences)
    let ranked = paired.ranked(endPoint)
    ranks = SignedRanks(ranked)
    pseudoMedian = HodgesLehmann(compared.map(\.difference), confidence: confidence)
    signFlipP = SignFlips.p(compared.map(\.difference))
    let hasFailures = paired.patients.contains(where: \.failed)
    let died = paired.patients.contains { $0.diedUnderControl || $0.diedUnderTreatment }
    let isShare = endPoint.metric.name.isShareOfTime
    let isCount = endPoint.metric.name.isCountOfEvents
    let stood: [ResampledMean] =
      hasFailures && isShare
      ? [values(.worst), values(.best)].compactMap { $0.differences(in: study) }
        .map { ResampledMean($0) } : []
    bounds = stood.map { $0.interval(confidence: confidence) }
    rates = endPoint.rate.flatMap { rate in
      Self.rates(rows, study, index, control, treatment, rate)
    }
    let lived = died && isCount ? paired.moreDifferences(in: study).map { ResampledMean($0) } : nil
    isDecidedByDeaths =
      lived.map { other in
        let side = resampled?.interval(confidence: confidence).side ?? 0
        return side != 0 && side != other.interval(confidence: confidence).side
      } ?? false
    let cannot = hasFailures && !isShare || died && !isShare && !isCount
    guard let goal = endPoint.goal, let resampled, !cannot, count >= Goal.fewestPatients else {
      test = nil
      (isMetWithoutFailures, isMetByDeaths) = (false, false)
      return
    }
    func tested(_ differences: ResampledMean) -> GoalTest {
      GoalTest(goal, differences, better: endPoint.better, confidence: confidence)
    }
    let alone = tested(resampled)
    // With failed runs a goal is met only if it is met whatever they would have been.
    let bounded = alone.held(against: stood.map(tested))
    isMetWithoutFailures = alone.isMet && !bounded.isMet
    // Nor is it met by having fewer events for want of time.
    let held = bounded.held(against: lived.map { [tested($0)] } ?? [])
    isMetByDeaths = bounded.isMet && !held.isMet
    test = held
  }

  private static func gain(
    _ patients: [PairedValues.Patient], _ differences: PairedDifferences?
  ) -> Double? {
    guard let deviation = differences?.standardDeviation,
      let first = Statistics.standardDeviation(patients.compactMap(\.control)),
      let second = Statistics.standardDeviation(patients.compactMap(\.treatment)),
      first > 0 || second > 0
    else { return nil }
    return 1 - deviation * deviation / (first * first + second * second)
  }

  private static func rates(
    _ rows: [CaseRow], _ study: StudyProtocol, _ endPoint: Int, _ control: Int,
    _ treatment: Int, _ rate: StudyEndPoint.Rate
  ) -> (EventRate, EventRate)? {
    func pooled(_ cell: Int) -> EventRate? {
      var counts: [Double] = []
      var times: [Double] = []
      let plan = study.plan
      for patient in 0..<plan.patients {
        var count = 0.0
        var time = 0.0
        for replicate in 0..<plan.replicates {
          let row = rows[(patient * plan.replicates + replicate) * plan.runsPerUnit + cell]
          guard let value = row.values[endPoint] else { continue }
          count += value
          time += row.days / rate.days
        }
        counts.append(count)
        times.append(time)
      }
      return EventRate(counts: counts, times: times)
    }
    guard let first = pooled(control), let second = pooled(treatment) else { return nil }
    return (first, second)
  }
}

extension PatientResult {
  fileprivate init(
    _ patient: PairedValues.Patient, _ difference: Double, _ endPoint: StudyEndPoint,
    _ name: (id: String, group: String?)
  ) {
    id = name.id
    group = name.group ?? ""
    control = patient.control ?? 0
    treatment = patient.treatment ?? 0
    self.difference = difference
    let more = patient.more ?? 0
    self.more = more
    replicates = patient.replicates
    benefit = endPoint.benefit(of: patient.change(in: endPoint) ?? difference)
    harmed = endPoint.harm.map { harm in
      let (under, with) = (
        harm.harms(control, more: -more), harm.harms(treatment, more: more)
      )
      return under ? (with ? .both : .spared) : (with ? .newly : .neither)
    }
  }
}

extension StudyEndPoint {
  /// 1 where a difference is better, -1 where it is worse, 0 where neither.
  fileprivate func benefit(of difference: Double) -> Int {
    let benefit = better == .higher ? difference : -difference
    return benefit > 0 ? 1 : benefit < 0 ? -1 : 0
  }
}

extension StudyEndPoint.Harm {
  /// Whether a value harms, where a run has so much more than one of the other arm.
  func harms(_ value: Double, more: Double) -> Bool {
    switch self {
    case .above(let limit): PairedDifferences.rounded(value) > limit
    case .below(let limit): PairedDifferences.rounded(value) < limit
    case .more(let count): PairedDifferences.rounded(more) >= count
    }
  }

  /// The rule in words.
  public var words: String {
    switch self {
    case .above(let limit): "above \(StudyNumber.text(limit))"
    case .below(let limit): "below \(StudyNumber.text(limit))"
    case .more(let count): "\(StudyNumber.text(count)) more"
    }
  }
}
