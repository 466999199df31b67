public import Quantities

/// The stretches of time from which the app gathers data for one run, as closed intervals.
///
/// Source: LoopKit/Loop (`tidepool-merge`), `LoopDataManager.swift`, `fetchData`.
public struct DataWindows: Hashable, Sendable {
  /// Doses that overlap this are used: 10 h of carbohydrate and 6 h 10 min of insulin back.
  public let doses: ClosedRange<Instant>
  /// Entries in this are used if they had been made by then: 12 h 1 min back, 6 h 10 min ahead.
  public let carbEntries: ClosedRange<Instant>
  /// Samples in this are used: 12 h 1 min back.
  public let glucose: ClosedRange<Instant>
  /// The correction range is needed for this.
  public let target: ClosedRange<Instant>

  /// The windows of a run at an instant.
  public init(at now: Instant) {
    let end = (now + Self.insulinActivity).ceiled(to: .minutes(5))
    doses = (now - Self.maximumCarbAbsorption - Self.insulinActivity)...now
    carbEntries = (now - Self.history)...end
    glucose = (now - Self.history)...now
    target = now...end
  }

  /// The longest time carbohydrate is followed for: 10 h.
  public static let maximumCarbAbsorption = TimeSpan.hours(10)
  /// The longest time insulin acts: 6 h 10 min.
  public static let insulinActivity = TimeSpan.minutes(370)
  /// How far back glucose and carbohydrate go: 12 h 1 min.
  public static let history = TimeSpan.minutes(721)
}

extension AlgorithmInput.InsulinDose {
  /// What of the dose had been given by `now`; nothing for a dose that starts later.
  ///
  /// A basal dose is cut at `now`, its volume in proportion; a bolus is kept whole.
  ///
  /// Source: LoopKit/Loop (`tidepool-merge`), `LoopDataManager.swift`, `trimmed(to:)`.
  public func trimmed(to now: Instant) -> Self? {
    guard startDate <= now else { return nil }
    guard type == .basal, endDate > now else { return self }
    var dose = self
    let duration = (endDate - startDate).seconds
    dose.endDate = now
    if duration > .ulpOfOne { dose.volume *= (now - startDate).seconds / duration }
    return dose
  }
}
