public import Quantities

/// Something an app or a person asks a pump to do.
public enum PumpCommand: Hashable, Sendable {
  /// Run at a rate for a while, by the loop or by a person.
  case startTempBasal(InsulinRate, duration: TimeSpan, automatic: Bool)
  /// Go back to the schedule.
  case cancelTempBasal
  /// Give a bolus, by the loop or by a person.
  case startBolus(InsulinAmount, automatic: Bool)
  /// End the bolus that runs.
  case cancelBolus
  /// Give nothing until resumed.
  case suspend
  /// Go back to the schedule after a suspension.
  case resume
  /// Run another schedule.
  case replaceSchedule(DailySchedule<InsulinRate>)
  /// Follow another clock.
  case setClock(WallClock)

  /// The word by which a scenario names the command.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// The word of a command in scenarios.
    case tempBasal, cancelTempBasal, bolus, cancel, suspend, resume, schedule, clock
  }

  /// The word by which a scenario names the command.
  public var name: Name {
    switch self {
    case .startTempBasal: .tempBasal
    case .cancelTempBasal: .cancelTempBasal
    case .startBolus: .bolus
    case .cancelBolus: .cancel
    case .suspend: .suspend
    case .resume: .resume
    case .replaceSchedule: .schedule
    case .setClock: .clock
    }
  }
}

extension PumpCommand: CustomStringConvertible {
  /// The command in words.
  public var description: String {
    switch self {
    case .startTempBasal(let rate, let duration, _): "temp basal of \(rate) for \(duration)"
    case .cancelTempBasal: "cancellation of the temp basal"
    case .startBolus(let amount, _): "bolus of \(amount)"
    case .cancelBolus: "cancellation of the bolus"
    case .suspend: "suspend"
    case .resume: "resume"
    case .replaceSchedule: "new basal schedule"
    case .setClock: "new clock"
    }
  }
}

/// What became of a command that a fault disturbed.
public enum CommandDisturbance: Hashable, Sendable {
  /// It never reached the pump.
  case lost
  /// The pump carried it out, or a part of it, and no reply came back.
  case replyLost(trulyDelivered: Double)
  /// It reaches the pump later.
  case delayed(until: Instant)
  /// A delayed command was carried out.
  case carriedOut
  /// A delayed command arrived and the pump refused it.
  case refusedLate(PumpError)
  /// The pump refused it although it was in order.
  case rejected
}
