public import Devices

/// A fault of a scenario: it has a name, and it never changes the truth in silence.
public struct Fault: Sendable {
  public var id: String
  public var effect: Effect

  public init(id: String, _ effect: Effect) {
    self.id = id
    self.effect = effect
  }

  /// What is disturbed, and how.
  public enum Effect: Sendable {
    case pump(PumpFault)
    case sensor(SensorFault)
    case app(AppFault)
    case healthStore(HealthStoreFault)
    case phone(PhoneState)
    case user(UserFault)
  }
}

/// What goes wrong in the app.
public enum AppFault: Hashable, Sendable {
  /// The loop does not run.
  case skipLoops
  /// The loop runs twice in one interval.
  case doubleRun
  /// The app is not running; what it had not saved is lost.
  case crash
}

/// What goes wrong in the health store.
public enum HealthStoreFault: Hashable, Sendable {
  /// Nothing can be written.
  case writeFails
  /// Nothing can be read.
  case readDenied
  /// Everything is gone, once.
  case wipe
}
