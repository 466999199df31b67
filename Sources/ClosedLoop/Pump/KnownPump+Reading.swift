internal import Devices
internal import Dosing
internal import HealthStore
internal import Quantities

/// Reading the pump.
extension KnownPump {
  /// Takes in what the pump said when it was read, and the pulses it counted since.
  ///
  /// While insulin follows from the reservoir the events are listed all the same, but the history
  /// does not count as read.
  ///
  /// - Parameters:
  ///   - report: What the pump said.
  ///   - counted: The basal pulses that it counted since it was last read.
  ///   - therapies: The therapy, which says what insulin is in the pump and what is scheduled.
  ///   - reported: Up to when basal has been cut into segments.
  ///   - now: The present.
  mutating func read(
    _ report: PumpReport, pulses counted: [CountedPulses], _ therapies: TherapyHistory,
    reportedUntil reported: Instant, at now: Instant
  ) {
    note(counted)
    settleUncertain(toldBy: report.events)
    settleUncertain(by: report.status, therapies, at: now)
    let followsLevel = source == .reservoir
    takeReservoir(report, keepsLevel: followsLevel)
    let readsHistory =
      !followsLevel || report.reservoir.amount == nil
      || !reservoirIsContinuous(at: report.completeThrough, therapies.current)
    take(report, insulin: therapies.current.insulinType, readsHistory: readsHistory, at: now)
    refreshPrograms(reportedUntil: reported)
  }

  /// Settles the commands without a reply for good, once another pod has taken the place of the one
  /// they were sent to, which can no longer be asked.
  ///
  /// A bolus counts as given, and so does a temp basal above the schedule; see
  /// `UncertainDelivery.isAssumedCarriedOut`. Of a command that ends a temp basal nothing is
  /// assumed: the pump tells of its programs whenever it is read, and says thereby whether one has
  /// ended.
  private mutating func settleUncertain(
    by status: PumpStatus, _ therapies: TherapyHistory, at now: Instant
  ) {
    let assumed = takeUncertain(replacedBy: status).compactMap { pending in
      HistoryEvent(
        assumed: pending, until: status.podActivation.map { pending.shown($0) } ?? now,
        scheduled: therapies.basal.value(at: pending.instant),
        insulin: therapies.current.insulinType)
    }
    if !assumed.isEmpty { assume(assumed, at: now) }
  }
}
