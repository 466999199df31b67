public import Quantities

/// A stretch in which a temp basal in percent of the schedule ran above the app's limit.
public struct RateAboveLimit: Hashable, Sendable {
  /// When the rate rose above the limit.
  public var start: Instant
  /// When the rate changed again, or the temp basal ended.
  public var end: Instant
  /// What the pump ran.
  public var rate: InsulinRate
  /// The most that a temp basal might run at when this one was sent.
  public var limit: InsulinRate
}

extension RunResult {
  /// Where the loop's temp basals in percent followed the schedule above the app's limit, by time.
  ///
  /// Each was within the limit when it was sent; its pump goes up and down with the schedule.
  public var ratesAboveLimit: [RateAboveLimit] {
    programs.filter { $0.kind == .tempBasal && $0.isAutomatic && !$0.rateChanges.isEmpty }
      .flatMap(ratesAboveLimit)
  }

  private func ratesAboveLimit(of program: PumpProgramRecord) -> [RateAboveLimit] {
    let sent = program.sent ?? program.start
    guard let most = limits.last(where: { $0.instant <= sent })?.maximumBasalRate else { return [] }
    let ends = program.rateChanges.dropFirst().map(\.instant) + [program.end]
    return zip(program.rateChanges, ends).compactMap { change, end in
      // The algorithm may set the rate of a schedule or a preset that lies above the maximum.
      let neutral = limits.last { $0.instant <= change.instant }?.neutralBasalRate ?? .zero
      guard change.rate > max(most, neutral), change.instant < end else { return nil }
      return RateAboveLimit(start: change.instant, end: end, rate: change.rate, limit: most)
    }
  }
}

extension [LimitRecord] {
  /// The largest bolus that the app let a person ask for at an instant; `nil` before the first
  /// record.
  ///
  /// Where the limit changed at that instant, a bolus may have come before the change or after it.
  public func maximumBolus(at instant: Instant) -> InsulinAmount? {
    guard var place = lastIndex(where: { $0.instant <= instant }) else { return nil }
    var largest = self[place].maximumBolus
    while place > 0, self[place].instant == instant {
      place -= 1
      largest = Swift.max(largest, self[place].maximumBolus)
    }
    return largest
  }
}
