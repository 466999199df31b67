public import Quantities

/// A virtual insulin pump that gives whole pulses and keeps exact accounts.
///
/// The pump is the truth of a simulation: it advances to instants, takes commands, and tells what
/// happened in the order of time. At one instant the order is: pulses that are due, the end of a
/// temp basal, commands in the order they are given, entries of the schedule. Cutting the time
/// into other steps changes nothing.
///
///     var pump = try Pump(
///       profile: .generic50, schedule: DailySchedule(always: rate), clock: .utc, at: start)
///     try pump.startTempBasal(rate: .zero, duration: .minutes(30), at: start)
///     let occurrences = pump.advance(to: start + .minutes(5))
///
/// A copy is a checkpoint.
public struct Pump: Sendable {
  /// What the model of pump can do.
  public let profile: PumpProfile
  /// What it delivers, and keeps of that.
  var delivery: PumpDelivery
  /// What keeps it from what it is told, and its insulin from the body.
  var faults: PumpFaults

  /// Creates a pump that runs its schedule from an instant on.
  ///
  /// - Parameters:
  ///   - profile: What the pump can do.
  ///   - schedule: The basal schedule, by the pump's own clock.
  ///   - clock: What the pump's own clock shows; a fixed offset unless someone resets it.
  ///   - start: When the account begins, with an empty accumulator.
  ///   - activation: When the pump was put on; at `start` when not given. Alarms of age that were
  ///     due before `start` have been given already.
  ///   - reservoir: What the reservoir holds; full when not given.
  ///   - serial: A number that distinguishes this pump's events from another's.
  ///   - seed: The seed of the run, for faults that draw by chance; their streams are named `pump`.
  /// - Throws: ``PumpError`` when the pump cannot run the schedule.
  public init(
    profile: PumpProfile, schedule: DailySchedule<InsulinRate>, clock: WallClock,
    at start: Instant, activation: Instant? = nil, reservoir: InsulinAmount? = nil,
    serial: UInt32 = 1, seed: UInt64 = 0
  ) throws(PumpError) {
    try profile.check(schedule)
    self.profile = profile
    let filled = min(max(reservoir ?? profile.reservoirCapacity, .zero), .milliunits(1_000_000_000))
    let timetable = PumpTimetable(
      programmed: schedule, foreign: nil, clock: PumpClock(zone: clock, at: start))
    delivery = PumpDelivery(
      of: profile, by: timetable, from: start, activation: activation ?? start, holding: filled,
      serial: serial)
    faults = PumpFaults(seed: seed)
  }

  /// The instant up to which everything has happened.
  public var now: Instant { delivery.now }

  /// The schedules in the pump, and its own clock.
  var timetable: PumpTimetable { delivery.timetable }

  /// The basal schedule that the pump was programmed with, by its own clock.
  public var programmedSchedule: DailySchedule<InsulinRate> { delivery.timetable.programmed }

  /// Someone else's schedule that runs in place of the programmed one; `nil` if none does.
  public var foreignSchedule: DailySchedule<InsulinRate>? { delivery.timetable.foreign }

  /// The basal schedule that runs, by the pump's own clock.
  public var schedule: DailySchedule<InsulinRate> { delivery.timetable.schedule }

  /// What the basal side is doing.
  public var program: BasalProgram { delivery.program }

  /// The bolus being given.
  public var bolus: BolusDelivery? { delivery.boluses.running }

  /// The pulses counted as basal.
  public var basalLog: PulseLog { delivery.basal.log }

  /// The pulses counted as bolus.
  public var bolusLog: PulseLog { delivery.boluses.log }

  /// When the pump, or its present reservoir or pod, was put on.
  public var activation: Instant { delivery.age.activation }

  /// The alarm that has stopped delivery, until it is cleared; the first one if there are several.
  public var activeAlarm: PumpAlarm? { delivery.alarms.first }

  /// The alarms that have stopped delivery, in the order in which they came.
  package var activeAlarms: [PumpAlarm] { delivery.alarms.all }

  /// The accounts of all insulin, as of now.
  public var ledger: DeliveryLedger { delivery.ledger }

  /// The insulin left in the reservoir.
  public var reservoir: InsulinAmount { delivery.supply.remaining }

  /// What the pump says is left in the reservoir.
  public var reservoirReading: ReservoirReading {
    delivery.supply.reading(profile.reservoirReporting)
  }

  /// The rate of basal delivery that holds from now on.
  public var basalRate: InsulinRate {
    delivery.basal.rateToCome(from: delivery.now, by: delivery.timetable)
  }

  /// The rate of the schedule at an instant, by the pump's own clock.
  public func scheduledRate(at instant: Instant) -> InsulinRate {
    delivery.timetable.rate(at: instant)
  }

  /// Whether nobody has resumed delivery since it was suspended.
  public var isSuspended: Bool { delivery.basal.isSuspended }

  /// The insulin counted as basal in the window (start, end].
  public func basalDelivered(after start: Instant, through end: Instant) -> InsulinAmount {
    delivery.basal.log.amount(after: start, through: end)
  }

  /// The insulin counted as bolus in the window (start, end].
  public func bolusDelivered(after start: Instant, through end: Instant) -> InsulinAmount {
    delivery.boluses.log.amount(after: start, through: end)
  }

  /// What a row of a record says of a pump.
  package struct Figures {
    package var isSuspended: Bool
    package var scheduledRate: InsulinRate
    package var basalRate: InsulinRate
    package var basalDelivered: InsulinAmount
    package var bolusDelivered: InsulinAmount
  }

  /// The rates at the end of a window (start, end], and the insulin counted in it.
  package borrowing func figures(after start: Instant, through end: Instant) -> Figures {
    Figures(
      isSuspended: isSuspended, scheduledRate: scheduledRate(at: end), basalRate: basalRate,
      basalDelivered: basalDelivered(after: start, through: end),
      bolusDelivered: bolusDelivered(after: start, through: end))
  }

  /// Forgets the single pulses at or before an instant, to save memory; the totals stay.
  public mutating func forgetPulses(through instant: Instant) {
    delivery.forgetPulses(through: instant)
  }

  /// The time of the pump's own clock less true time.
  public var clockError: TimeSpan { clockError(at: now) }

  /// How far the pump's clock is ahead of true time at an instant that is not past, if nobody
  /// touches it until then.
  public func clockError(at instant: Instant) -> TimeSpan {
    delivery.timetable.clock.skew(at: instant)
  }

  /// The zone the pump's own clock is set to.
  public var zone: WallClock { delivery.timetable.clock.zone }
}
