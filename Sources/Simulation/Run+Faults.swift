internal import Devices
internal import HealthStore
internal import Quantities

/// Faults begin and end; each shows in the timeline.
extension Run {
  mutating func begin(_ fault: Fault) {
    state.activeFaults.append(fault)
    state.faultStarts.append((fault.id, state.now))
    switch fault.effect {
    case .pump(let effect):
      state.pump.begin(effect, id: fault.id, at: state.now)
      takeOccurrences()
      return
    case .sensor(let effect): state.sensor.begin(effect, id: fault.id, at: state.now)
    case .app: break
    case .healthStore(.wipe): wipeHealthStore()
    case .healthStore(.writeFails): setAccess(isGranted: false, toWrite: true)
    case .healthStore(.readDenied): setAccess(isGranted: false, toWrite: false)
    case .phone(let phone): state.phone = phone
    case .user(let slip):
      note(.fault, fault.id, "\(slip)")
      return
    }
    note(.fault, fault.id, "The fault \(fault.id) takes hold.")
  }

  mutating func end(faultID id: String) {
    guard let index = state.activeFaults.firstIndex(where: { $0.id == id }) else { return }
    let fault = state.activeFaults.remove(at: index)
    state.faultEnds.append((id, state.now))
    switch fault.effect {
    case .pump:
      state.pump.end(id: id, at: state.now)
      takeOccurrences()
      return
    case .sensor: state.sensor.end(id: id, at: state.now)
    case .app, .healthStore(.wipe): break
    case .user: return
    case .healthStore(.writeFails): setAccess(isGranted: true, toWrite: true)
    case .healthStore(.readDenied): setAccess(isGranted: true, toWrite: false)
    case .phone: state.phone = .on
    }
    note(.fault, id, "The fault \(id) is over.")
  }
}
