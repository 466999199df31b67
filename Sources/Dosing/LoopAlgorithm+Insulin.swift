public import Quantities

/// Library calls that a recommendation does not need.
extension LoopAlgorithm {
  /// Sets doses against the basal schedule, and fills every stretch without a basal dose with the
  /// scheduled basal.
  ///
  /// The filling begins with the schedule or with the first basal dose, whichever is earlier, ends
  /// with the later of the schedule and the last basal dose, and is cut where the schedule changes.
  /// Boluses do not interrupt it.
  ///
  /// Throws `notSorted` for a schedule that is not sorted.
  ///
  /// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `annotated(with:fillBasalGaps:)`.
  public static func annotate(
    _ doses: [AlgorithmInput.InsulinDose], fillingGapsIn basal: [AlgorithmInput.ScheduleEntry]
  ) throws(AlgorithmError) -> [RelativeDose] {
    guard let schedule = basal.first else { return [] }
    if let index = basal.firstUnsorted(by: \.startDate) { throw .notSorted(.basal, index: index) }
    let firstBasal = doses.first { $0.type == .basal }?.startDate ?? schedule.startDate
    var filled = min(schedule.startDate, firstBasal)
    var result: [RelativeDose] = []
    for dose in doses {
      if dose.type == .basal {
        if dose.startDate > filled { fill(basal, from: filled, to: dose.startDate, &result) }
        filled = max(filled, dose.endDate)
      }
      result += try PrecomputedInsulin.annotate(doses: [dose], basal: basal).dosesRelativeToBasal
    }
    let end = basal.reduce(filled) { max($0, $1.endDate) }
    if end > filled { fill(basal, from: filled, to: end, &result) }
    return result
  }

  private static func fill(
    _ basal: [AlgorithmInput.ScheduleEntry], from start: Instant, to end: Instant,
    _ result: inout [RelativeDose]
  ) {
    assert(start < end, "A gap that is filled lasts for some time.")
    for entry in basal.trimmed(from: start, to: end) {
      let hours = (entry.endDate - entry.startDate).hours
      result.append(
        RelativeDose(
          type: .basal(scheduledRate: entry.value), startDate: entry.startDate,
          endDate: entry.endDate, volume: entry.value * hours, insulinModel: .rapidActingAdult))
    }
  }

  /// Net insulin on board every five minutes, in U, from the first dose until all have acted.
  ///
  /// Throws `timelineTooLong` for doses too far apart.
  ///
  /// Source: LoopKit/LoopAlgorithm, `InsulinMath.swift`, `insulinOnBoardTimeline`.
  public static func insulinOnBoard(
    _ doses: [RelativeDose], from: Instant? = nil, to: Instant? = nil
  ) throws(AlgorithmError) -> [(date: Instant, units: Double)] {
    guard let first = doses.map(\.startDate).min() else { return [] }
    let axis = TimeAxis(near: first)
    let elements = doses.map { DoseElement($0, axis) }
    let start = from.map(axis.seconds) ?? 0
    var end = start
    for element in elements {
      end = max(end, element.end + InsulinModel.longestEffectDuration)
    }
    return try TimeAxis.grid(from: start, to: to.map(axis.seconds) ?? end).map { step in
      let time = Double(step) * TimeAxis.step
      return (axis.instant(step: step), Dosing.insulinOnBoard(elements, at: time))
    }
  }
}

extension [AlgorithmInput.ScheduleEntry] {
  /// The entries that touch an interval, clipped to it; those that only touch it have no length.
  ///
  /// Source: LoopKit/LoopAlgorithm, `AbsoluteScheduleValue.swift`, `trimmed(from:to:)`.
  public func trimmed(from start: Instant, to end: Instant) -> Self {
    filter { $0.endDate >= start && $0.startDate <= end }.map {
      .init(
        startDate: Swift.max($0.startDate, start), endDate: Swift.min($0.endDate, end),
        value: $0.value)
    }
  }
}

extension DoseElement {
  init(_ dose: RelativeDose, _ axis: TimeAxis) {
    start = axis.seconds(dose.startDate)
    end = axis.seconds(dose.endDate)
    volume = dose.volume
    model = dose.insulinModel
    scheduledRate =
      switch dose.type {
      case .bolus: nil
      case .basal(let rate): rate
      }
  }
}

extension AlgorithmInput.CarbEntry {
  /// Carbs on board at a time, in g, by the entered absorption time alone.
  ///
  ///     g·(1 − F((t − s − d)/T))
  ///
  /// Source: LoopKit/LoopAlgorithm, `CarbMath.swift`, `carbsOnBoard(at:)`.
  public func carbsOnBoard(
    at date: Instant, model: CarbAbsorptionModel = .piecewiseLinear,
    defaultAbsorptionTime: TimeSpan = .hours(3), delay: TimeSpan = .minutes(10)
  ) -> Double {
    guard date >= self.date else { return 0 }
    let time = (absorptionTime ?? defaultAbsorptionTime).seconds
    let elapsed = (date - self.date - delay).seconds
    return quantity.grams * (1 - model.fractionAbsorbed(elapsed / time))
  }

  /// When all of it counts as absorbed at the latest, whatever is observed.
  public var latestAbsorption: Instant {
    let time = (absorptionTime?.seconds ?? CarbPoint.defaultAbsorptionTime) * CarbRecord.overrun
    return date + .milliseconds(Int64((time + CarbRecord.delay) * 1_000))
  }
}

extension [CarbStatus] {
  /// Carbs on board when absorption was last observed: the remaining grams of all entries.
  ///
  /// Source: LoopKit/LoopAlgorithm, `CarbStatus.swift`, `getClampedCarbsOnBoard`.
  public var clampedCarbsOnBoard: (date: Instant, grams: Double)? {
    guard let date = map({ $0.observedStart + $0.observedDuration }).max() else { return nil }
    return (date, reduce(0) { $0 + $1.remaining })
  }
}
