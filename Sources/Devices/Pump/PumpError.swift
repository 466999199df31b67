public import Quantities

/// Why a pump refuses a command, or why nobody knows whether it took it.
public indirect enum PumpError: Error, Hashable, Sendable {
  /// The pump cannot run at the rate.
  case rateNotSupported(InsulinRate, pump: String, nearest: InsulinRate, maximum: InsulinRate)
  /// The pump cannot run at a rate of the schedule; those about it that it accepts are in words.
  case scheduleRateNotSupported(
    InsulinRate, entry: Int, pump: String, accepted: String, maximum: InsulinRate)
  /// The schedule has more entries than the pump keeps.
  case tooManyScheduleEntries(Int, pump: String, maximum: Int)
  /// An entry of the schedule begins at a time that the pump cannot keep.
  case scheduleEntryOffGrid(TimeOfDay, pump: String, grid: TimeSpan)
  /// The pump cannot run a temp basal for so long; those durations that it accepts are in words.
  case durationNotSupported(TimeSpan, pump: String, accepted: String)
  /// The pump cannot give a bolus of the size.
  case bolusNotSupported(
    InsulinAmount, pump: String, nearest: InsulinAmount, maximum: InsulinAmount)
  /// Delivery is suspended.
  case suspended
  /// A bolus runs.
  case bolusInProgress(remaining: InsulinAmount)
  /// There is no bolus to cancel.
  case noBolusInProgress
  /// The rate is no whole percentage of the schedule, which the pump asks for.
  case notPercentage(InsulinRate, scheduled: InsulinRate, maximumPercent: Int64)
  /// An alarm has stopped the pump.
  case stopped(PumpAlarm)
  /// The command is of a time that has passed.
  case inThePast(Instant, now: Instant)
  /// The command did not reach the pump.
  case noCommunication
  /// The command was sent and no reply came: it may or may not have been carried out.
  case uncertainDelivery(PumpCommand)
  /// The pump refused a command that is in order.
  case rejected(PumpCommand)
}

extension PumpError: CustomStringConvertible {
  /// The words before the name of a command of whose delivery nobody knows.
  package static let noReply = "No reply came to the "

  public var description: String {
    switch self {
    case .rateNotSupported(let rate, let pump, let nearest, let maximum):
      "\(pump) cannot run a temp basal of \(rate); the next lower rate is \(nearest), the highest "
        + "\(maximum)."
    case .scheduleRateNotSupported(let rate, let entry, let pump, let accepted, let maximum):
      "Entry \(entry + 1) of the basal schedule has \(rate), but \(pump) takes \(accepted) up to "
        + "\(maximum). Choose such a rate."
    case .tooManyScheduleEntries(let count, let pump, let maximum):
      "The basal schedule has \(count) entries, but \(pump) holds \(maximum). Join some."
    case .scheduleEntryOffGrid(let time, let pump, let grid):
      "The basal schedule has an entry at \(time), but entries of \(pump) start on multiples of "
        + "\(grid). Move it."
    case .durationNotSupported(let duration, let pump, let accepted):
      "\(pump) cannot run a temp basal for \(duration); it takes \(accepted)."
    case .bolusNotSupported(let amount, let pump, let nearest, let maximum):
      "\(pump) cannot give a bolus of \(amount); the next lower volume is \(nearest), the largest "
        + "\(maximum)."
    case .suspended: "Delivery is suspended. Resume it before asking for insulin."
    case .bolusInProgress(let remaining):
      "A bolus is being given, with \(remaining) to go. Wait for its end or cancel it."
    case .noBolusInProgress: "No bolus is being given, so there is none to cancel."
    case .notPercentage(let rate, let scheduled, let maximum):
      "The pump runs temp basals as a percentage of the schedule, up to \(maximum) %, and \(rate) "
        + "is out of reach from \(scheduled)."
    case .stopped(let alarm): alarm.stopped
    case .inThePast(let instant, let now):
      "The command is for \(instant), but the pump is already at \(now). Give it at or after then."
    case .noCommunication: "The pump cannot be reached. The command was not carried out."
    case .uncertainDelivery(let command):
      "\(Self.noReply)\(command). Read the pump's status before giving more insulin."
    case .rejected(let command): "The pump rejected the \(command). Try again or check the pump."
    }
  }
}
