internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// What stands between the app and what it would follow and use.
extension Run {
  /// Takes note of what keeps the app from following the pump and from using the health store.
  mutating func noteObstacles() {
    let allowed = state.store.authorization(for: .insulin)
    let stop = stopOfApp
    // Until it has been read again nobody knows whether the pump can be reached.
    if stop != nil { state.link.hearsPump = false }
    state.circumstances.obstacles.note(
      stop, canWrite: allowed?.share == .authorized, canRead: allowed?.read == .authorized,
      at: state.now)
  }

  private var stopOfApp: AppObstacles.Stop? {
    switch state.phoneState {
    case .off: .phoneOff
    case .backgroundKilled: .appKilled
    case .on, .bluetoothOff:
      if !isAppRunning {
        .appCrashed
      } else if state.phoneState == .bluetoothOff {
        .bluetoothOff
      } else {
        state.link.hearsPump ? nil : .pumpUnreachable
      }
    }
  }
}
