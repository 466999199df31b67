import Quantities

/// The alarms that stop a pump, in the order in which they were raised, until they are cleared.
struct StoppingAlarms: Hashable, Sendable {
  /// An alarm, and what holds it up.
  private struct Entry: Hashable, Sendable {
    var alarm: PumpAlarm
    /// The fault at whose end the alarm is cleared; `nil` if only a person clears it.
    var fault: String?
  }

  private var entries: [Entry] = []
  /// The suspension during which the first of them stopped delivery, and which goes on when it is
  /// cleared; `nil` where delivery was not suspended.
  private(set) var suspension: Suspension?

  /// A suspension that an alarm has put an end to for the time being.
  struct Suspension: Hashable, Sendable {
    /// The pump event that tells of it.
    var event: PumpEvent.Identifier?
    /// When it began.
    var start: Instant
  }

  /// The alarm that has stopped delivery; the first one if there are several.
  var first: PumpAlarm? { entries.first?.alarm }

  /// All of them.
  var all: [PumpAlarm] { entries.map(\.alarm) }

  /// The first of them that nobody can clear.
  var firstToStay: PumpAlarm? { entries.first { !$0.alarm.canBeCleared }?.alarm }

  /// Adds an alarm.
  ///
  /// - Parameters:
  ///   - alarm: The alarm.
  ///   - fault: The fault that holds it up until it ends; `nil` for the pump's own.
  ///   - program: What the basal side was doing when it came.
  /// - Returns: Whether the alarm is the first, and so stops delivery.
  mutating func add(_ alarm: PumpAlarm, heldBy fault: String?, during program: BasalProgram) -> Bool
  {
    entries.append(Entry(alarm: alarm, fault: fault))
    guard entries.count == 1 else { return false }
    suspension =
      program.kind == .suspended ? Suspension(event: program.event, start: program.start) : nil
    return true
  }

  /// What is left when the first alarm that a fault holds up is cleared.
  enum Clearing {
    /// The fault holds none.
    case nothing
    /// The alarm was the only one; it is left to be cleared with the rest of the pump.
    case last
    /// It is gone, and the pump stays stopped by another one.
    case gone(PumpAlarm, stillStoppedBy: PumpAlarm)
  }

  /// Clears the first alarm that a fault holds up, unless it is the only one.
  mutating func clear(heldBy fault: String) -> Clearing {
    guard let index = entries.firstIndex(where: { $0.fault == fault }) else { return .nothing }
    if entries.count == 1 { return .last }
    let gone = entries.remove(at: index).alarm
    return .gone(gone, stillStoppedBy: entries[0].alarm)
  }

  /// Clears all of them.
  mutating func clearAll() {
    entries = []
    suspension = nil
  }
}
