public import Devices
internal import Dosing
public import Quantities

/// What a program that decides instead of the app is told: all of it from the app's own records.
public struct ControllerView: Sendable {
  /// When what is told begins; what ended before is too old, and not gone.
  public var start: Instant
  /// Glucose values, by date.
  public var glucose: [GlucoseStore.Row]
  /// The event history.
  public var pumpEvents: [HistoryEvent]
  /// The insulin deliveries that count.
  public var deliveries: [InsulinDeliveryStore.Row]
  /// The carbohydrate entries of what was eaten, or typed, since then.
  public var carbs: [CarbStore.Row]
  /// What the pump last said.
  public var pump: PumpView
  /// The settings in force.
  public var settings: Settings
  /// The time of day by the clock that the schedules among them follow.
  public var scheduleTime: TimeOfDay
  /// Net insulin on board as the app computes it, in U; `nil` where it cannot say.
  public var insulinOnBoard: Double?

  /// What the pump last said about itself.
  public struct PumpView: Hashable, Sendable {
    /// `nil` before the pump was first read.
    public var status: PumpStatus?
    /// What the pump said is left; `nil` where it has said nothing.
    public var reservoir: ReservoirReading?
    /// Whether a command has no reply, and nobody knows whether it was carried out.
    public var isUncertain: Bool
    /// When the pump last answered, by the phone's clock.
    public var read: Instant?
  }

  /// The settings in force.
  public struct Settings: Sendable, Equatable {
    /// The therapy.
    public var therapy: TherapySettings
    /// The basal schedule that the app believes the pump to run.
    public var basal: DailySchedule<InsulinRate>
    /// The name of the preset that holds.
    public var preset: String?
    /// The phone's offset from UTC.
    public var offset: TimeSpan

    /// Creates a `Settings` from its parts; see the properties.
    public init(
      therapy: TherapySettings, basal: DailySchedule<InsulinRate>, preset: String? = nil,
      offset: TimeSpan
    ) {
      self.therapy = therapy
      self.basal = basal
      self.preset = preset
      self.offset = offset
    }
  }
}

extension ControllerView {
  /// What an app knows at an instant, reaching back by `history`.
  package init(of app: LoopApp, at now: Instant, history: TimeSpan) {
    let first = now - history
    start = first
    glucose = Array(app.glucose.store.rows(from: first, to: now))
    pumpEvents = app.pump.events.events(endingFrom: first)
    deliveries = Array(app.insulin.delivery.activeRows(endingFrom: first))
    // Of food that was eaten before, an entry is news where it was typed since.
    carbs = app.carbs.activeRows(from: first - CarbStore.longestPast).filter {
      max($0.entry.date, $0.userCreatedAt) >= first
    }
    pump = PumpView(
      status: app.pump.status, reservoir: app.pump.reservoir, isUncertain: app.pump.isUncertain,
      read: app.pump.status.map { $0.instant + app.clockError })
    settings = Settings(
      therapy: app.therapy, basal: app.therapies.basal.latest,
      preset: app.therapies.presets.active(at: now)?.name,
      offset: app.configuration.clock.offset(at: now))
    scheduleTime = app.therapies.basal.clock.timeOfDay(at: now)
    insulinOnBoard = app.insulinOnBoard(at: now)
  }
}
