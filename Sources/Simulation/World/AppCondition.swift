internal import Quantities

/// Whether the app can work at an instant.
///
/// It follows from what people have done with the phone and from the faults in force; nothing
/// remembers it.
struct AppCondition: Hashable, Sendable {
  /// Whether there is an app at all.
  let hasApp: Bool
  /// Whether the phone works: what people have done with it, or worse where a fault makes it so.
  let phone: PhoneState
  /// Whether a crash has stopped the app.
  let isCrashed: Bool

  init(hasApp: Bool, setting: PhoneState, under faults: FaultState) {
    self.hasApp = hasApp
    phone = max(setting, faults.phone)
    isCrashed = faults.stopsApp
  }

  /// Whether the phone lets the app run, be it crashed or not.
  var canRun: Bool { hasApp && (phone == .on || phone == .bluetoothOff) }

  /// Whether the phone runs and the app on it.
  var isRunning: Bool { canRun && !isCrashed }

  /// Whether the app hears pump and sensor where they can be reached.
  var hearsDevices: Bool { isRunning && phone != .bluetoothOff }

  /// What the app does while the pump is not suspended.
  func mode(isClosedLoop: Bool) -> LoopMode {
    guard isRunning else { return .off }
    return isClosedLoop ? .closedLoop : .openLoop
  }

  /// What keeps the app from following the pump; `nil` where nothing does.
  ///
  /// `hearsPump` is whether it could read the pump when it last tried.
  func stop(hearsPump: Bool) -> AppObstacles.Stop? {
    switch phone {
    case .off: .phoneOff
    case .backgroundKilled: .appKilled
    case .on, .bluetoothOff:
      if !isRunning {
        .appCrashed
      } else if phone == .bluetoothOff {
        .bluetoothOff
      } else {
        hearsPump ? nil : .pumpUnreachable
      }
    }
  }
}
