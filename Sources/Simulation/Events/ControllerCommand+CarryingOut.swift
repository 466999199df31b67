internal import ClosedLoop
internal import Devices
internal import Quantities

/// How a command of a program comes about in the world.
extension ControllerCommand {
  /// What the guards have left of the command goes to the pump, unless one before it failed.
  ///
  /// - Returns: What became of it.
  func carryOut(in world: inout World, afterFailure hasFailed: Bool) -> CommandReport {
    for guarding in guards {
      world.note(.guarded, guarding.rawValue, sentence(on: guarding))
    }
    guard let given else { return CommandReport(command: self, outcome: .notSent) }
    guard !hasFailed else {
      world.noteNotSent(given)
      return CommandReport(command: self, outcome: .notReached)
    }
    if case .startBolus(let amount, _) = given {
      world.appRecord.note(BolusRequestRecord(amount, by: nil, at: world.now))
    }
    world.link.failure = nil
    world.send(given)
    let outcome: CommandReport.Outcome =
      world.link.failure.map { .failed("\($0)") }
      ?? (world.commandLatency > .zero ? .underway : .carriedOut)
    return CommandReport(command: self, outcome: outcome)
  }
}

extension CommandReport {
  /// Whether the pump did not take the command.
  var hasFailed: Bool {
    if case .failed = outcome { true } else { false }
  }

  /// Whether the pump has the command, or gets it.
  var isEnacted: Bool { outcome == .carriedOut || outcome == .underway }
}

extension ControllerCommand {
  /// What a guard did, in a sentence.
  func sentence(on guarding: CommandGuard) -> String {
    guard let given else { return "The \(asked) was not sent: \(guarding.words)." }
    return "The \(asked) became a \(given): \(guarding.words)."
  }
}

extension CommandGuard {
  /// Why the guard acted.
  fileprivate var words: String {
    switch self {
    case .openLoop: "the app is in open loop"
    case .pumpUnknown: "the pump has not said what it is doing"
    case .deliveryUncertain: "nobody knows whether the last command was carried out"
    case .stopped: "an alarm has stopped the pump"
    case .suspended: "delivery is suspended"
    case .staleGlucose: "glucose or pump data are missing or too old"
    case .unreliableGlucose: "the CGM's values are unreliable"
    case .belowZero: "nothing below 0 can be given"
    case .maxBasal: "the maximum basal rate"
    case .maxBolus: "the maximum bolus"
    case .maxActiveInsulin: "the limit of insulin on board"
    case .bolusInProgress: "a bolus is being given"
    case .pumpStep: "the pump's steps"
    case .pumpMaximum: "the most that the pump gives"
    case .duration: "the durations that the pump accepts"
    }
  }
}
