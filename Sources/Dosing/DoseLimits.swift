import Quantities

/// What a correction becomes under the limits in force.
///
/// Source: LoopKit/LoopAlgorithm, `LoopAlgorithm.swift`, `recommendTempBasal`,
/// `recommendAutomaticDose` and `recommendManualBolus`; `DoseMath.swift`.
struct DoseLimits: Hashable, Sendable {
  /// The scheduled basal rate in force, in U/h.
  var scheduledBasalRate: Double
  /// U.
  var maximumBolus: Double
  /// U/h.
  var maximumBasalRate: Double
  /// U.
  var activeInsulinLimit: Double
  /// U.
  var activeInsulin: Double
  /// The part of a correction that an automatic bolus gives.
  var applicationFactor: Double
  /// The part of the maximum bolus that an automatic bolus is at most; `nil` for the former.
  var limitFactor: Double?
  var generation = LoopGeneration.current

  /// Which limits acted, without storage of its own.
  struct Acted: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let maximumBasalRate = Self(rawValue: 1)
    static let maximumBolus = Self(rawValue: 2)
    static let activeInsulin = Self(rawValue: 4)
    static let predictedLowFirst = Self(rawValue: 8)
    static let nothingLessThanZero = Self(rawValue: 16)
    static let scheduledBasal = Self(rawValue: 32)

    var limits: [DosingReasoning.Limit] {
      let all: [(Self, DosingReasoning.Limit)] = [
        (.maximumBasalRate, .maximumBasalRate), (.maximumBolus, .maximumBolus),
        (.activeInsulin, .activeInsulin), (.predictedLowFirst, .predictedLowFirst),
        (.nothingLessThanZero, .nothingLessThanZero), (.scheduledBasal, .scheduledBasal),
      ]
      return all.filter { contains($0.0) }.map(\.1)
    }
  }

  /// An amount or a rate, and the limits that made it so.
  struct Limited: Hashable, Sendable {
    var value: Double
    var acted: Acted
  }

  /// The rate for half an hour that gives the correction: `U/0.5 h` on top of the schedule, at most
  /// the maximum, or what leads insulin on board to its limit in that time.
  func tempBasal(_ correction: CorrectionMath.Correction, lowFirst: Bool) -> Limited {
    var cap = maximumBasalRate
    var reason = Acted.maximumBasalRate
    if lowFirst {
      cap = scheduledBasalRate
      reason = .predictedLowFirst
    }
    let headroom = (activeInsulinLimit - activeInsulin) * (3_600.0 / 1_800.0) + scheduledBasalRate
    if headroom < cap { reason = .activeInsulin }
    return rate(correction, cap: min(headroom, cap), reason)
  }

  /// The basal rate beside an automatic bolus, which is never above the schedule.
  func basalBesideBolus(_ correction: CorrectionMath.Correction) -> Limited {
    rate(correction, cap: scheduledBasalRate, .scheduledBasal)
  }

  /// The bolus to give at once: a part of the correction, at most that part of the maximum bolus
  /// and what insulin on board has room for.
  func automaticBolus(_ correction: CorrectionMath.Correction, lowFirst: Bool) -> Limited {
    let part =
      maximumBolus
      * generation.largestPartOfMaximumBolus(stated: limitFactor ?? applicationFactor)
    let room = max(0, activeInsulinLimit - activeInsulin)
    var limit = min(part, room)
    var reason: Acted = room < part ? .activeInsulin : .maximumBolus
    if lowFirst {
      limit = 0
      reason = .predictedLowFirst
    }
    let wanted = correction.units * applicationFactor
    let value = min(max(0, wanted), limit)
    var acted: Acted = []
    if wanted < 0 { acted.insert(.nothingLessThanZero) }
    if max(0, wanted) > limit { acted.insert(reason) }
    return Limited(value: value, acted: acted)
  }

  /// The bolus for a person to confirm: the correction, at most the maximum bolus.
  func manualBolus(_ correction: CorrectionMath.Correction) -> Limited {
    let wanted = correction.units
    var acted: Acted = []
    if wanted < 0 { acted.insert(.nothingLessThanZero) }
    if wanted > maximumBolus { acted.insert(.maximumBolus) }
    return Limited(value: min(maximumBolus, max(0, wanted)), acted: acted)
  }

  private func rate(
    _ correction: CorrectionMath.Correction, cap: Double, _ reason: Acted
  ) -> Limited {
    var rate = correction.units / (1_800.0 / 3_600.0)
    if case .suspend = correction {} else { rate += scheduledBasalRate }
    var acted: Acted = []
    if rate < 0 { acted.insert(.nothingLessThanZero) }
    if max(0, rate) > cap { acted.insert(reason) }
    return Limited(value: min(cap, max(0, rate)), acted: acted)
  }
}

extension DoseLimits {
  /// The limits that an input states, with the original's numbers where it states none.
  init(_ input: AlgorithmInput, scheduledBasalRate: Double, activeInsulin: Double) {
    self.init(
      scheduledBasalRate: scheduledBasalRate, maximumBolus: input.maximumBolus,
      maximumBasalRate: input.maximumBasalRate,
      activeInsulinLimit: input.maximumBolus * (input.maximumActiveInsulinMultiplier ?? 2),
      activeInsulin: activeInsulin,
      applicationFactor: input.automaticBolusApplicationFactor ?? 0.4,
      limitFactor: input.automaticBolusLimitFactor,
      generation: input.generation)
  }
}

/// A recommendation without storage of its own, its predicted items as indices into the prediction.
struct CompactDecision: Hashable, Sendable {
  enum Notice: Hashable, Sendable {
    case glucoseBelowSuspendThreshold(Int)
    case currentGlucoseBelowTarget
    case predictedGlucoseBelowTarget(Int)
    case predictedGlucoseInRange
    case allGlucoseBelowTarget(Int)

    var isPredictedLow: Bool { if case .predictedGlucoseBelowTarget = self { true } else { false } }
  }

  var type: RecommendationType
  var correction: CorrectionMath.Correction
  /// U/h; nothing for a manual bolus.
  var basalRate: Double?
  /// U; nothing for a temp basal.
  var bolus: Double?
  var notice: Notice?
  var acted: DoseLimits.Acted
}

extension CorrectionMath {
  /// Whether a glucose value lies below the range in force then.
  func isBelowTarget(_ glucose: GlucosePoint) -> Bool {
    target.closestPrior(to: glucose.start).map { glucose.value < target[$0].lower } ?? false
  }

  /// Decides what to recommend.
  ///
  /// `currentIsBelowTarget` says whether the last glucose lies below the range in force then.
  static func decide(
    _ type: RecommendationType, _ correction: Correction, _ prediction: some PredictedSeries,
    limits: DoseLimits, currentIsBelowTarget: Bool
  ) -> CompactDecision {
    var lowFirst = false
    if case .aboveRange(let minimum, _, let target, _) = correction {
      lowFirst = prediction.values[minimum] < target
    }
    var decision = CompactDecision(type: type, correction: correction, acted: [])
    switch type {
    case .tempBasal:
      let rate = limits.tempBasal(correction, lowFirst: lowFirst)
      decision.basalRate = rate.value
      decision.acted = rate.acted
    case .automaticBolus:
      let rate = limits.basalBesideBolus(correction)
      let bolus = limits.automaticBolus(correction, lowFirst: lowFirst)
      decision.basalRate = rate.value
      decision.bolus = bolus.value
      decision.acted = rate.acted.union(bolus.acted)
    case .manualBolus:
      let bolus = limits.manualBolus(correction)
      decision.bolus = bolus.value
      decision.acted = bolus.acted
      decision.notice = notice(correction, lowFirst: lowFirst)
      // The older app says so only instead of a predicted low.
      if currentIsBelowTarget,
        limits.generation == .current || decision.notice?.isPredictedLow == true
      {
        decision.notice = .currentGlucoseBelowTarget
      }
    }
    return decision
  }

  private static func notice(_ correction: Correction, lowFirst: Bool) -> CompactDecision.Notice? {
    switch correction {
    case .suspend(let minimum): .glucoseBelowSuspendThreshold(minimum)
    case .inRange: .predictedGlucoseInRange
    case .entirelyBelowRange(let minimum, _, _): .allGlucoseBelowTarget(minimum)
    case .aboveRange(let minimum, _, _, let units):
      units > 0 && lowFirst ? .predictedGlucoseBelowTarget(minimum) : nil
    }
  }
}
