internal import Devices
internal import HealthStore
internal import Quantities

/// Faults begin and end; each shows in the timeline.
extension World {
  /// A fault takes hold.
  mutating func begin(_ fault: Fault) {
    if case .pump(.misreportedBolus) = fault.effect, !beginMisreport(of: fault.id) { return }
    let changesApp = changesApp(fault.effect)
    faults.begin(fault, at: now)
    if fault.effect.isSeenByApp { isTrigger = true }
    switch fault.effect {
    case .pump(let effect):
      return changingPumpClock {
        $0.delivery.begin(effect, id: fault.id, at: $0.now, noting: &$0.trace)
      }
    case .user(let slip):
      note(.fault, fault.id, slip.sentence(at: now, end: plannedEnd))
      return
    case .wrongPump(let schedule):
      delivery.check(foreignSchedule: schedule, id: fault.id, at: now, noting: &trace)
    case .sensor(let effect): sensor.begin(effect, id: fault.id, at: now)
    case .healthStore(let effect):
      store.begin(effect, id: fault.id, at: now, noting: &trace)
    case .app, .phone, .lowPower: break
    }
    applyConditions()
    if case .app(let effect) = fault.effect {
      effect.begin(id: fault.id, changesApp: changesApp, in: &self)
    }
    note(.fault, fault.id, "The fault \(fault.id) takes hold.")
  }

  /// Whether a fault brings a setting into the app that is other than the one it has.
  private func changesApp(_ effect: Fault.Effect) -> Bool {
    guard case .app(.wrongSetting(let change, _)) = effect else { return false }
    return change.named(of: phone.therapy) != change
  }

  /// The earliest fault in force of an id is over.
  mutating func end(faultID id: String) {
    guard let fault = faults.end(id: id, at: now) else { return }
    if fault.effect.isSeenByApp { isTrigger = true }
    switch fault.effect {
    case .pump:
      return changingPumpClock { $0.delivery.endFault(id: id, at: $0.now, noting: &$0.trace) }
    case .user: return
    case .sensor: sensor.end(id: id, at: now)
    case .healthStore:
      for written in store.end(id: id, at: now, noting: &trace) { take(written) }
    case .wrongPump, .app, .phone, .lowPower: break
    }
    applyConditions()
    if case .app(let effect) = fault.effect { effect.end(id: id, in: &self) }
    note(.fault, id, "The fault \(id) is over.")
  }

  /// Does what may change the pump's clock, and notes what that shows from then on.
  mutating func changingPumpClock<Result, Failure: Error>(
    _ act: (inout World) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The pump itself may not have lived up to now.
    let reached = delivery.pump.clockError(at: now)
    defer {
      circumstances.clocks.note(
        .pump, error: delivery.pump.clockError, reached: reached,
        isDrifting: faults.driftPumpClock, at: now)
    }
    return try act(&self)
  }

  // MARK: - What follows

  /// Schedules that follow the phone's clock go by the zone in which it is now.
  mutating func followZone() {
    if !phone.stays.isEmpty { phone.follow(phone.stay(at: now), at: now) }
  }

  /// Makes phone, app, pump and health store what settings and faults in force say.
  ///
  /// Called whenever one of the two has changed. What is so already is left alone.
  mutating func applyConditions() {
    noteSchedulesUnderWrongClock(next: phone.clockSetting + faults.clockJump)
    phone.apply(faults, at: now)
    followZone()
    circumstances.note(phoneClockError: phone.clockError, at: now)
    let schedule = faults.foreignSchedule(for: delivery.pump.profile)
    delivery.run(foreignSchedule: schedule, at: now, noting: &trace)
    store.applyPermissions(at: now, noting: &trace)
  }

  /// Notes the schedules of the app before they change, or its clock does.
  ///
  /// An app whose clock goes on by a week forgets all that was before, and one whose clock is
  /// behind takes a schedule that is saved then for all that comes later by its own dates.
  ///
  /// - Parameter error: How far the phone's clock is ahead from now on; as far as before if `nil`.
  mutating func noteSchedulesUnderWrongClock(next error: TimeSpan? = nil) {
    guard phone.clockError != .zero || error ?? .zero != .zero else { return }
    appRecord.noteSchedules(of: phone, at: now, always: true)
  }
}
