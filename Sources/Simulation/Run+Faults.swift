internal import Devices
internal import HealthStore
internal import Quantities

/// Faults begin and end; each shows in the timeline.
extension Run {
  mutating func begin(_ fault: Fault) {
    state.activeFaults.append(fault)
    state.faultStarts.append((fault.id, state.now))
    if case .pump(let effect) = fault.effect {
      // The pump itself tells of it.
      state.pump.begin(effect, id: fault.id, at: state.now)
      takeOccurrences()
      return
    }
    switch fault.effect {
    case .pump: break
    case .wrongPump(let schedule): runOtherSchedule(schedule, id: fault.id)
    case .sensor(let effect): state.sensor.begin(effect, id: fault.id, at: state.now)
    case .app(let effect): begin(effect, id: fault.id)
    case .healthStore(let effect): begin(effect, id: fault.id)
    case .phone(let phone): state.phone = phone
    case .user(let slip):
      note(.fault, fault.id, "\(slip)")
      return
    case .lowPower: break
    }
    note(.fault, fault.id, "The fault \(fault.id) takes hold.")
  }

  mutating func end(faultID id: String) {
    guard let index = state.activeFaults.firstIndex(where: { $0.id == id }) else { return }
    let fault = state.activeFaults.remove(at: index)
    state.faultEnds.append((id, state.now))
    if case .pump = fault.effect {
      state.pump.end(id: id, at: state.now)
      takeOccurrences()
      return
    }
    switch fault.effect {
    case .pump, .lowPower: break
    case .wrongPump: runOwnSchedule(id: id)
    case .sensor: state.sensor.end(id: id, at: state.now)
    case .user: return
    case .app(let effect): end(effect, id: id)
    case .healthStore(let effect): end(effect, id: id)
    case .phone: state.phone = .on
    }
    note(.fault, id, "The fault \(id) is over.")
  }

  // MARK: - Someone else's pump

  private mutating func runOtherSchedule(_ schedule: DailySchedule<InsulinRate>, id: String) {
    let own = state.pump.schedule
    guard programmed(schedule, id: id) else { return }
    state.ownSchedules.append((id, own))
    state.scheduleFaults.insert(id)
  }

  private mutating func runOwnSchedule(id: String) {
    guard let index = state.ownSchedules.firstIndex(where: { $0.id == id }) else { return }
    _ = programmed(state.ownSchedules.remove(at: index).schedule, id: id)
  }

  /// Programs the pump behind the app's back; false when the pump refuses.
  private mutating func programmed(_ schedule: DailySchedule<InsulinRate>, id: String) -> Bool {
    defer { takeOccurrences() }
    do throws(PumpError) {
      try state.pump.perform(.replaceSchedule(schedule), at: state.now)
      return true
    } catch {
      note(.warning, id, "The pump does not take the schedule of the fault \(id): \(error)")
      return false
    }
  }
}
