public import ClosedLoop
public import Devices
public import Quantities

/// A fault of a scenario: it has a name, and it never changes the truth in silence.
public struct Fault: Sendable {
  /// The name of the fault in the scenario.
  public var id: String
  /// What is disturbed.
  public var effect: Effect

  /// Creates a `Fault` from its parts; see the properties.
  public init(id: String, _ effect: Effect) {
    self.id = id
    self.effect = effect
  }

  /// What is disturbed, and how.
  public enum Effect: Sendable {
    /// The pump, its tubing, its site or its radio.
    case pump(PumpFault)
    /// A pump that runs someone else's schedule, of which the app knows nothing.
    case wrongPump(DailySchedule<InsulinRate>)
    /// The sensor.
    case sensor(SensorFault)
    /// The app.
    case app(AppFault)
    /// The health store, or the permission to use it.
    case healthStore(HealthStoreFault)
    /// The phone.
    case phone(PhoneState)
    /// The phone saves power: only a reading of the CGM wakes the app, and nothing comes in from
    /// the health store.
    case lowPower
    /// What a person does in the app.
    case user(UserFault)
  }
}

extension ScenarioEvent {
  /// Whether from then on other insulin can reach the body than the pump counts.
  public var changesWhatArrives: Bool {
    switch action {
    case .beginFault(let fault):
      guard case .pump(let effect) = fault.effect else { return false }
      return effect.changesWhatArrives
    case .bolus(let request): return request.reported != nil
    default: return false
    }
  }
}

/// What goes wrong in the app.
public enum AppFault: Sendable {
  /// The loop does not run, for a number of cycles or as long as the fault lasts.
  case skipLoops(count: Int?)
  /// The loop runs twice in one interval.
  case doubleRun
  /// The app is not running; what it loses is missing when it starts again.
  case crash(loses: CrashLoss)
  /// The algorithm sees wrong data.
  case disturbed(DataDisturbance)
  /// The phone's clock jumps, and so do all the times the app knows.
  case clockJump(TimeSpan)
  /// A setting in the app is not the one that the pump was given.
  case wrongSetting(SettingsChange, from: WrongSettingOrigin)
}

/// What an app loses that stops without warning.
public struct CrashLoss: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// What it only remembers: its last cycle and decision.
  public static let memory = Self(rawValue: 1)
  /// What it had not saved: everything that was entered or received since its last cycle.
  ///
  /// What the pump reported is read again.
  public static let unsaved = Self(rawValue: 2)
}

/// Where a wrong setting comes from.
public enum WrongSettingOrigin: String, Hashable, Sendable, CaseIterable {
  /// From a service that keeps settings in step; the next exchange, when the fault ends, puts it
  /// right.
  case sync
  /// From settings that were imported; it stays until someone saves settings again.
  case `import`
}

/// What goes wrong in the health store.
public struct HealthStoreFault: Hashable, Sendable {
  /// How.
  public enum Kind: Hashable, Sendable {
    /// Nothing can be written.
    case writeFails
    /// Nothing can be read.
    case readDenied
    /// Everything is gone, once.
    case wipe
    /// Samples of the app arrive a second time, from another source.
    case duplicate
    /// What other apps write arrives when the fault ends.
    case lateSync
    /// Another source states something else for each sample of the app: its value by a factor.
    case conflict(factor: Double)
  }

  /// What goes wrong.
  public var kind: Kind
  /// The kinds of data concerned.
  public var data: [HealthStoreAccess.Data]
  /// The part of the samples concerned, and of the cycles where nothing can be written or read.
  public var rate: Double

  /// Creates a `HealthStoreFault` from its parts; see the properties.
  public init(
    _ kind: Kind, data: [HealthStoreAccess.Data] = HealthStoreAccess.Data.allCases,
    rate: Double = 1
  ) {
    self.kind = kind
    self.data = data
    self.rate = rate
  }
}
