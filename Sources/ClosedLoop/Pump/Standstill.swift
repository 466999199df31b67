/// Whether delivery stands still, for who walks through the history of a pump in its order.
///
/// An alarm that stops delivery counts as a suspension, unless delivery is suspended already.
struct Standstill: Sendable {
  private(set) var isSuspended = false
  /// Whether an alarm stopped a pump that was not suspended.
  private(set) var isByAlarm = false
  /// Whether an alarm came during the suspension, after which a pump may tell of it again.
  private var hasPassedAlarm = false

  /// Begins where nothing stands still, or with what is known of it.
  init(isSuspended: Bool = false, isByAlarm: Bool = false) {
    self.isSuspended = isSuspended
    self.isByAlarm = isByAlarm
  }

  /// Goes on over an event, and returns the dose that it stands for.
  mutating func dose(of event: HistoryEvent) -> DoseEntry? {
    let told = event.standstill ?? event.dose
    switch (event.kind, told?.kind) {
    case (.alarm, .suspend):
      defer { isSuspended = true }
      // Of two alarms it was the first that stopped the pump, until both are cleared.
      guard !isSuspended else {
        hasPassedAlarm = !isByAlarm
        return nil
      }
      isByAlarm = true
    case (.alarmCleared, _):
      defer { isByAlarm = false }
      guard isByAlarm else { return nil }
      isSuspended = false
    case (_, .suspend):
      defer { (isSuspended, isByAlarm, hasPassedAlarm) = (true, false, false) }
      if isSuspended, hasPassedAlarm { return nil }
    case (_, .resume), (_, .tempBasal): (isSuspended, hasPassedAlarm) = (false, false)
    default: break
    }
    return told
  }
}
