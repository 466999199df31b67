/// What a pump does with the fraction of a pulse it owes when its program changes.
///
/// An alarm that stops delivery counts as a suspension.
///
/// Which rule a pump follows is public only for Omnipod, whose temp basals are known to start with
/// an empty accumulator (LoopKit/Loop issues 1015 and 1034, OmniBLE and OmniKit).
public enum ResidualRule: String, Hashable, Sendable, CaseIterable {
  /// Discarded whenever a command replaces the program, and carried over entries of the schedule
  /// (R1).
  ///
  /// Commands are the start of a temp basal (a re-issue with the same rate too), its end or
  /// cancellation, suspend, resume, and an edit of the schedule.
  case resetOnCommand
  /// As `resetOnCommand`, and also discarded at an entry of the schedule with another rate (R1b).
  case resetOnRateChange
  /// As `resetOnCommand`, and also discarded at every entry of the schedule and at midnight.
  case resetOnEverySegment
  /// Never discarded, over suspends and zero rates too: the pump delivers by volume (R2). A pump
  /// that resumes on the grid of its schedule does not do so under this rule.
  case carry
  /// Discarded only when a temp basal starts or delivery is suspended (R3).
  case resetOnTempStart
  /// Scheduled pulses sit on a fixed grid from the start of their entry; a temp basal has a timer
  /// of its own (R4).
  case scheduleGrid
}

extension ResidualRule: CustomStringConvertible {
  /// One sentence for a table of pumps.
  public var description: String {
    switch self {
    case .resetOnCommand: "forgets the fraction of a pulse at every command"
    case .resetOnRateChange: "forgets the fraction of a pulse at every change of rate"
    case .resetOnEverySegment: "forgets the fraction of a pulse at every basal segment"
    case .carry: "carries the fraction of a pulse over"
    case .resetOnTempStart: "forgets the fraction of a pulse when a temp basal starts"
    case .scheduleGrid: "keeps scheduled pulses on the grid of their schedule entry"
    }
  }
}
