internal import Devices
internal import Quantities

extension Happening {
  /// What a pump's occurrence means to a person; nothing for pulses and the schedule running on.
  init?(_ occurrence: PumpLogEntry) {
    let instant = occurrence.instant
    func happening(_ kind: Kind, _ name: String, _ text: String) -> Self {
      Self(instant: instant, kind: kind, name: name, text: text)
    }
    switch occurrence.kind {
    case .pulse, .scheduleEntry: return nil
    case .basalStarted(let program):
      switch program.kind {
      case .tempBasal:
        let text = ASCIIText {
          $0.append("A temp basal of ")
          $0.append(program.rate)
          $0.append(" starts.")
        }.text
        self = happening(.tempBasal, "start", text)
      case .suspended: self = happening(.suspend, "suspend", "Delivery is suspended.")
      case .stopped(let alarm):
        self = happening(.alert, "stopped", "All delivery stops (\(alarm)).")
      case .scheduled: return nil
      }
    case .basalEnded(_, .resumed, _):
      self = happening(.resume, "resume", "Delivery is resumed.")
    case .basalEnded(let program, let reason, let discarded):
      guard program.kind == .tempBasal else { return nil }
      let text = ASCIIText {
        $0.append("The temp basal ends (")
        $0.append(reason == .scheduleEdited ? "the schedule was edited" : reason.rawValue)
        $0.append(").")
        if discarded.milliunitMillisecondsPerHour != 0 {
          $0.append(" A fraction of a pulse is discarded.")
        }
      }.text
      self = happening(.tempBasal, "end", text)
    case .bolusStarted(let bolus):
      self = happening(.bolus, "start", "A bolus of \(bolus.asked) starts.")
    case .bolusEnded(let bolus):
      self = happening(
        .bolus, "end", "The bolus ends with \(bolus.delivered) of \(bolus.asked) delivered.")
    case .alarm(let alarm): self = happening(.alert, "\(alarm)", "The pump alarms: \(alarm).")
    case .alarmCleared(let alarm):
      self = happening(.pump, "alarmCleared", "The alarm is cleared: \(alarm).")
    case .reservoirReplaced(let amount, let isPod):
      self = happening(
        .pump, "replace",
        isPod ? "A pod with \(amount) is put on." : "A reservoir with \(amount) is put in.")
    case .primed(let amount): self = happening(.pump, "prime", "The pump is primed with \(amount).")
    case .faultBegan(let id): self = happening(.fault, id, "The fault \(id) takes hold.")
    case .faultEnded(let id): self = happening(.fault, id, "The fault \(id) is over.")
    case .commandDisturbed(let command, let disturbance):
      self = happening(
        disturbance.isLate ? .warning : .fault, "\(command.name)",
        "The \(command)\(disturbance.words(of: command, at: instant))")
    }
  }
}

extension Happening {
  /// The words after the name of a command that was carried out, and whose reply was lost.
  static let lostReply = " is carried out, and the reply to it is lost"
  /// The words after the name of a command that the pump never got.
  static let lostCommand = ": lost."
}

extension CommandDisturbance {
  /// Whether the command came to the pump when whoever sent it had been told that it failed.
  fileprivate var isLate: Bool {
    switch self {
    case .carriedOut, .refusedLate: true
    case .lost, .replyLost, .delayed, .rejected: false
    }
  }

  /// What became of the command, after its name, to the end of the sentence.
  fileprivate func words(of command: PumpCommand, at instant: Instant) -> String {
    switch self {
    case .lost: Happening.lostCommand
    case .rejected: ": rejected."
    case .replyLost(let part):
      "\(Happening.lostReply)"
        + (part < 1 && command.name == .bolus
          ? "; the pump gives \(whole(part * 100)) % of it." : ".")
    case .delayed(let due): " reaches the pump \((due - instant).roundedToSecond) late."
    case .carriedOut: " reached the pump late, and was carried out after all."
    // Of a command without a reply also at once: the sender alone learns nothing of it.
    case .refusedLate(let error): " reached the pump, which refused it: \(error)"
    }
  }
}
