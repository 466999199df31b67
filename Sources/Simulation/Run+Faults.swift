internal import Devices
internal import HealthStore
internal import Quantities

/// Faults begin and end; each shows in the timeline.
extension Run {
  mutating func begin(_ fault: Fault) {
    state.faults.begin(fault, at: state.now)
    switch fault.effect {
    case .pump(let effect):
      return state.delivery.begin(effect, id: fault.id, at: state.now, noting: &state.trace)
    case .user(let slip):
      note(.fault, fault.id, "\(slip)")
      return
    case .wrongPump(let schedule): checkForeignSchedule(schedule, id: fault.id)
    case .sensor(let effect): state.sensor.begin(effect, id: fault.id, at: state.now)
    case .healthStore(let effect):
      state.store.begin(effect, id: fault.id, at: state.now, noting: &state.trace)
    case .app, .phone, .lowPower: break
    }
    applyConditions()
    if case .app(let effect) = fault.effect { begin(effect, id: fault.id) }
    note(.fault, fault.id, "The fault \(fault.id) takes hold.")
  }

  mutating func end(faultID id: String) {
    guard let fault = state.faults.end(id: id, at: state.now) else { return }
    switch fault.effect {
    case .pump: return state.delivery.endFault(id: id, at: state.now, noting: &state.trace)
    case .user: return
    case .sensor: state.sensor.end(id: id, at: state.now)
    case .healthStore:
      for written in state.store.end(id: id, at: state.now, noting: &state.trace) { take(written) }
    case .wrongPump, .app, .phone, .lowPower: break
    }
    applyConditions()
    if case .app(let effect) = fault.effect { end(effect, id: id) }
    note(.fault, id, "The fault \(id) is over.")
  }

  /// Says why a schedule of another person is never run.
  private mutating func checkForeignSchedule(_ schedule: DailySchedule<InsulinRate>, id: String) {
    do throws(PumpError) {
      try state.delivery.pump.profile.check(schedule)
    } catch {
      note(.warning, id, "The pump does not take the schedule of the fault \(id): \(error)")
    }
  }

  // MARK: - What follows

  /// Makes phone, app, pump and health store what settings and faults in force say.
  ///
  /// Called whenever one of the two has changed. What is so already is left alone.
  mutating func applyConditions() {
    state.phone.apply(state.faults, at: state.now)
    let schedule = state.faults.foreignSchedule(for: state.delivery.pump.profile)
    state.delivery.run(foreignSchedule: schedule, at: state.now, noting: &state.trace)
    state.store.applyPermissions(at: state.now, noting: &state.trace)
  }
}
