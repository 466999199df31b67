public import Quantities

/// What an app learns when it reads a pump.
public struct PumpReport: Hashable, Sendable {
  /// Finished events since the last report, then those still running, each group in the order in
  /// which they began.
  public var events: [PumpEvent]
  /// The instant up to which the history is complete.
  public var completeThrough: Instant
  /// What the pump says is left.
  public var reservoir: ReservoirReading
  /// What it says it is doing.
  public var status: PumpStatus
}

/// What a pump says about itself at an instant.
public struct PumpStatus: Hashable, Sendable {
  /// When it says so.
  public var instant: Instant
  /// What the basal side does; nothing when an alarm has stopped it, or when nobody knows.
  public var program: BasalProgram?
  /// The basal rate that runs, which a program that follows the schedule changes at its entries;
  /// `nil` where ``program`` is.
  public var rate: InsulinRate?
  /// The bolus that runs; `nil` where none does, and when nobody knows.
  public var bolus: BolusDelivery?
  /// The alarm that stands; `nil` where none does.
  public var alarm: PumpAlarm?
  /// The offset from UTC of the pump's own clock.
  public var zone: WallClock
  /// Whether a command has not been acknowledged and nobody knows what became of it.
  public var deliveryIsUncertain: Bool
  /// When the pod was put on; `nil` for a pump that keeps its history with another reservoir.
  public var podActivation: Instant?
}

extension Pump {
  /// Reads the pump now: the events since the last report, the reservoir, and the status.
  ///
  /// Running events come as mutable ones, and come again until they have ended. Reading takes the
  /// finished events: an app stores what it is given.
  ///
  /// - Throws: ``PumpError/noCommunication`` while the pump cannot be reached.
  public mutating func report() throws(PumpError) -> PumpReport {
    if faults.commandsWithoutContact != nil { throw .noCommunication }
    var events = delivery.history.takeEvents(at: now, running: program, bolus)
    if profile.stampsEventsWithOwnClock {
      for index in events.indices {
        // An entry has the time at which it began, and a length.
        let skew = timetable.clock.formerSkew(at: events[index].start)
        events[index].start += skew
        events[index].end += skew
      }
    }
    return PumpReport(
      events: events, completeThrough: now, reservoir: reservoirReading, status: status)
  }

  /// The events that have ended and that no report has told of, because nobody has read the pump
  /// since or their command has not been acknowledged.
  public var untoldEvents: [PumpEvent.Identifier] { delivery.history.untold }

  /// The events that have ended and of which no report tells, and none will.
  package var hiddenEvents: Set<PumpEvent.Identifier> { delivery.history.hidden }

  /// Another app begins to read the pump, which tells it of what holds delivery up.
  ///
  /// A temp basal or a bolus that runs is in every report anyhow.
  public mutating func meetApp() { delivery.tellOfStandstill() }

  /// What the pump would say about itself now.
  public var status: PumpStatus {
    let isUncertain = delivery.history.isUncertain
    let isKnown = activeAlarm == nil && !isUncertain
    return PumpStatus(
      instant: now, program: isKnown ? program : nil, rate: isKnown ? basalRate : nil,
      bolus: isKnown ? bolus : nil, alarm: activeAlarm, zone: zone,
      deliveryIsUncertain: isUncertain, podActivation: profile.isPatchPump ? activation : nil)
  }
}
