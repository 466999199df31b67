internal import Devices
internal import Dosing
internal import HealthStore
internal import Quantities

/// Where insulin on board comes from (MinimedKit, `InsulinDataSource`).
public enum InsulinDataSource: Hashable, Sendable, CaseIterable {
  /// The pump's history, read to its end at every contact.
  case pumpHistory
  /// The level of the reservoir while its values are continuous. The history is read only when they
  /// are not.
  case reservoir
}

/// Insulin as it follows from the level of the reservoir.
extension KnownPump {
  /// The doses that count, with what the reservoir tells in place of the pump's own doses.
  ///
  /// That holds while the values are continuous over the insulin's time of action and newer than
  /// the history. Insulin that no pump gave goes on counting as it was entered; LoopKit cuts it off
  /// where the values begin (`DoseStore.swift`), which would lose it.
  ///
  /// What the level tells of a time that the phone's clock has not come to does not count yet, as
  /// in Loop (`LoopDataManager.swift`, `trimmed(to:)`).
  ///
  /// - Parameters:
  ///   - doses: The doses as they are on record.
  ///   - earliest: From when the level is looked at.
  ///   - now: Until when it counts.
  ///   - others: The doses among them that no pump gave.
  ///   - therapy: The settings, which say how long the insulin acts.
  /// - Returns: The doses as they are on record, or in part what the level tells.
  func followingReservoir(
    _ doses: [DoseEntry], from earliest: Instant, to now: Instant,
    besides others: @autoclosure () -> Set<SyncIdentifier>, _ therapy: TherapySettings
  ) -> [DoseEntry] {
    guard let last = reservoirHistory.values.last,
      events.lastReconciliation.map({ $0 < last.date }) ?? true,
      reservoirIsContinuous(at: last.date, therapy)
    else { return doses }
    let counted = reservoirHistory.doses(from: earliest).filter { $0.start < now }.map { dose in
      var dose = dose.end > now ? dose.trimmed(to: now) : dose
      dose.insulinType = therapy.insulinType
      return dose
    }
    guard let start = counted.first?.start else { return doses }
    let others = others()
    let pumpDoses = doses.filter { !others.contains($0.syncIdentifier ?? "") }
    let otherDoses = doses.filter { others.contains($0.syncIdentifier ?? "") }
    return otherDoses + pumpDoses.flatMap { $0.parts(before: start, after: last.date) } + counted
  }

  /// Whether the values reach back over the insulin's time of action, with nothing in between that
  /// moved the level without delivering.
  func reservoirIsContinuous(at instant: Instant, _ therapy: TherapySettings) -> Bool {
    let model = therapy.insulinType.model(rapidActing: therapy.rapidActingModel)
    let start = instant - .milliseconds(Int64(model.effectDuration * 1_000))
    return reservoirHistory.isContinuous(from: start)
      && !events.events(from: start).contains { $0.kind == .prime || $0.kind == .rewind }
  }
}

extension DoseEntry {
  /// What lies outside a stretch of time: the whole dose, or a part on either side.
  fileprivate func parts(before start: Instant, after end: Instant) -> [DoseEntry] {
    if self.end <= start || self.start >= end { return [self] }
    var parts: [DoseEntry] = []
    if self.start < start { parts.append(trimmed(to: start, syncIdentifier: syncIdentifier)) }
    if self.end > end { parts.append(trimmed(from: end, syncIdentifier: syncIdentifier)) }
    return parts
  }
}
