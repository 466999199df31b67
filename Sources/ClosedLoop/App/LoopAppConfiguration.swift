public import Devices
public import Dosing
public import Quantities

/// How the app is set up for a run.
///
/// The defaults are those of the Loop app and of LoopDocs; every switch that makes it behave
/// otherwise says so.
public struct LoopAppConfiguration: Sendable, Equatable {
  /// The therapy at the start.
  public var therapy: TherapySettings
  /// What the pump can do: recommendations are rounded down to it.
  public var pump: PumpProfile
  /// The clock on the wall where the person is.
  public var clock: WallClock
  /// Whether schedules keep the offset from UTC they were saved with, or follow the clock.
  public var scheduleZone: ScheduleZone
  /// Which app's rules are followed around the algorithm.
  public var generation: LoopGeneration
  /// How basal is reported to the health store.
  public var reporting: ReportingPolicy
  /// What the CGM asks of the app's glucose store.
  public var sensor: GlucoseStore.SensorPolicy
  /// Whether a dose deleted in the health store only is written again while the event history has
  /// it.
  ///
  /// `true` is what LoopDocs describes; `false` is what LoopKit's code does at the commit that was
  /// read.
  public var rereportsDeleted: Bool
  /// How far back doses are presented again and written late: 24 hours.
  public var rereportWindow: TimeSpan
  /// Whether carbohydrates of other apps are read.
  ///
  /// Loop 3 never reads them, whatever the permission; this is its build-time setting. Foreign
  /// carbohydrates then lead to automatic dosing in closed loop.
  public var readsForeignCarbs: Bool
  /// Whether glucose of other apps is read, such as a fingerstick meter's.
  public var readsForeignGlucose: Bool
  /// Whether insulin of other apps is read.
  public var readsForeignInsulin: Bool
  /// Where insulin on board comes from.
  public var insulinDataSource = InsulinDataSource.pumpHistory
  /// The app's identity in the health store.
  public var bundleIdentifier: String
  /// The app's name, as the health store shows it.
  public var name: String
  /// Chooses the identities of the samples that the app writes.
  public var identitySeed: UInt64
  /// How long events, deliveries and carbohydrates are kept: 7 days in Loop.
  ///
  /// A run that is to list all of its records keeps them longer.
  public var retention = TimeSpan.days(7)

  /// Creates a configuration; without more it is that of the Loop app.
  public init(
    therapy: TherapySettings, pump: PumpProfile, clock: WallClock,
    scheduleZone: ScheduleZone = .fixedOffset, generation: LoopGeneration = .current,
    reporting: ReportingPolicy = .init(),
    sensor: GlucoseStore.SensorPolicy = .init(), rereportsDeleted: Bool = true,
    rereportWindow: TimeSpan = .days(1), readsForeignCarbs: Bool = false,
    readsForeignGlucose: Bool = true, readsForeignInsulin: Bool = true,
    bundleIdentifier: String = "com.loopkit.Loop", name: String = "Loop",
    identitySeed: UInt64 = 0
  ) {
    self.therapy = therapy
    self.pump = pump
    self.clock = clock
    self.scheduleZone = scheduleZone
    self.generation = generation
    self.reporting = reporting
    self.sensor = sensor
    self.rereportsDeleted = rereportsDeleted
    self.rereportWindow = rereportWindow
    self.readsForeignCarbs = readsForeignCarbs
    self.readsForeignGlucose = readsForeignGlucose
    self.readsForeignInsulin = readsForeignInsulin
    self.bundleIdentifier = bundleIdentifier
    self.name = name
    self.identitySeed = identitySeed
  }

  /// The clock that the first schedules follow, from an instant on.
  func scheduleClock(from instant: Instant) -> WallClock {
    switch scheduleZone {
    case .fixedOffset: WallClock(initialOffset: clock.offset(at: instant))
    case .wallClock: clock
    }
  }
}

/// Which clock the times of day of a schedule follow.
public enum ScheduleZone: String, Hashable, Sendable, CaseIterable {
  /// The clock of the pump, as the app has set it or the pump says: summer time and travel do not
  /// move a schedule until the pump's clock is set (Loop, `DeviceDataManager.swift`,
  /// `setScheduleTimeZone(_:)`).
  case fixedOffset
  /// The clock on the wall.
  case wallClock
}
