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
  /// The stretch of time of which the level tells, in place of the pump's own doses.
  ///
  /// The level tells while its values are continuous over the insulin's time of action and newer
  /// than the history.
  ///
  /// - Parameters:
  ///   - earliest: From when the level is looked at.
  ///   - now: Until when it counts.
  ///   - therapy: The settings, which say how long the insulin acts.
  /// - Returns: The stretch from the first drop of the level to its last value; `nil` if the
  ///   history counts.
  func toldByReservoir(
    from earliest: Instant, to now: Instant, _ therapy: TherapySettings
  ) -> Range<Instant>? {
    guard source == .reservoir, let last = reservoirHistory.values.last,
      events.lastReconciliation.map({ $0 < last.date }) ?? true,
      reservoirIsContinuous(at: last.date, therapy),
      let first = reservoirHistory.firstDrop(from: earliest), first.start < now
    else { return nil }
    return first.start..<last.date
  }

  /// Visits the drops of the level that begin before what the phone's clock says.
  func visitReservoirDrops(
    from earliest: Instant, to now: Instant, _ visit: (ReservoirHistory.Drop) -> Void
  ) {
    reservoirHistory.visitDrops(from: earliest) { drop in
      if drop.start < now { visit(drop) }
    }
  }

  /// Whether the values reach back over the insulin's time of action, with nothing in between that
  /// moved the level without delivering.
  func reservoirIsContinuous(at instant: Instant, _ therapy: TherapySettings) -> Bool {
    let model = therapy.pumpInsulinModel
    let start = instant - .milliseconds(Int64(model.effectDuration * 1_000))
    return reservoirHistory.isContinuous(from: start)
      && !events.contains(from: start) { $0 == .prime || $0 == .rewind }
  }
}

extension ReservoirHistory.Drop {
  /// The drop as a dose of the insulin in the pump, as far as the phone's clock has come: what lies
  /// beyond does not count yet, as in Loop (`LoopDataManager.swift`, `trimmed(to:)`).
  func dose(to now: Instant, of insulin: InsulinType) -> DoseEntry {
    var dose = end > now ? dose.trimmed(to: now) : dose
    dose.insulinType = insulin
    return dose
  }

  /// The same as the algorithm takes it; of a whole drop no entry is made first, since a day has
  /// hundreds.
  func algorithmDose(to now: Instant, _ app: AppInsulin) -> AlgorithmInput.InsulinDose {
    guard end <= now else { return dose(to: now, of: app.type).algorithmDose(app) }
    return .init(
      type: .basal, startDate: start, endDate: end, volume: amount.units,
      insulinModel: app.type.model(rapidActing: app.rapidActing))
  }
}

extension DoseEntry {
  /// Whether no part of the dose lies outside a stretch of time.
  @inline(__always)
  func lies(in stretch: Range<Instant>) -> Bool {
    start >= stretch.lowerBound && start < stretch.upperBound
      && end > stretch.lowerBound && end <= stretch.upperBound
  }

  /// Adds what lies outside a stretch of time to some doses: the whole dose, or a part on either
  /// side.
  func addParts(outside stretch: Range<Instant>, to doses: inout [DoseEntry]) {
    let (first, last) = (stretch.lowerBound, stretch.upperBound)
    if end <= first || start >= last {
      doses.append(self)
      return
    }
    if start < first { doses.append(trimmed(to: first, syncIdentifier: syncIdentifier)) }
    if end > last { doses.append(trimmed(from: last, syncIdentifier: syncIdentifier)) }
  }
}
