import Quantities

/// What a pump tells again of a delivery that stands still.
extension PumpDelivery {
  /// Tells again of the suspension or the alarm by which delivery stands still; no effect while it
  /// does not.
  ///
  /// Of an alarm that came while delivery was suspended both are told: the suspension goes on when
  /// the alarm is cleared.
  mutating func tellOfStandstill() {
    switch program.kind {
    case .scheduled, .tempBasal: return
    case .suspended: tellAgain(ofSuspension: program.event, from: program.start)
    case .stopped(let alarm):
      if let suspension = alarms.suspension {
        tellAgain(ofSuspension: suspension.event, from: suspension.start)
      }
      history.tellAgain(
        PumpEvent(
          identifier: history.nextIdentifier(), kind: .alarm(alarm), start: program.start))
    }
  }

  private mutating func tellAgain(
    ofSuspension event: PumpEvent.Identifier?, from start: Instant
  ) {
    let event = event ?? history.nextIdentifier()
    history.tellAgain(PumpEvent(identifier: event, kind: .suspend, start: start))
  }
}
