internal import ClosedLoop
public import Quantities

/// What someone asked for as a bolus, and how much of it went to the pump as a command.
///
/// asked + misreported = above the limit + off the grid + wanted. What was wanted went to the pump
/// as a command, unless the request was refused; what the pump then made of its command is in its
/// own ledger.
public struct BolusRequestRecord: Hashable, Sendable {
  /// When it was asked for.
  public var instant: Instant
  /// The event's name in the scenario; empty for the loop's own.
  public var name: String
  /// Who asked; `nil` for the loop.
  public var requester: BolusRequester?
  /// What was asked for, whatever became of it.
  public var asked: InsulinAmount
  /// What was cut off by the limit of the app or by the pump's largest bolus.
  public var aboveLimit: InsulinAmount = .zero
  /// What was cut off because the pump gives boluses in steps.
  public var offGrid: InsulinAmount = .zero
  /// By how much more the pump counts than the body is meant to get; less than zero where it counts
  /// less.
  public var misreported: InsulinAmount = .zero
  /// Whether the scenario states what the pump reports of it, so that it is no dose of the app's.
  public internal(set) var hasStatedReport = false
  /// Whether it came to nothing before there was a command: the phone was off, or the app refused
  /// what a carer sent.
  public var isRefused = false

  init(
    _ asked: InsulinAmount, by requester: BolusRequester?, name: String = "", at instant: Instant
  ) {
    self.instant = instant
    self.name = name
    self.requester = requester
    self.asked = asked
  }

  /// What the pump is to give, after what is cut off.
  public var wanted: InsulinAmount { asked + misreported - aboveLimit - offGrid }

  /// Whether the body got it without a count of the pump's.
  var isUncounted: Bool {
    hasStatedReport && !isRefused && asked > .zero && asked + misreported == .zero
  }

  /// What the pump was told to give.
  public var commanded: InsulinAmount { isRefused ? .zero : wanted }
}

/// Who asks for a bolus.
public enum BolusRequester: String, Hashable, Sendable, CaseIterable {
  /// A person in the app.
  case user
  /// A person with the quick-bolus button of the pump.
  case quick
  /// A person on a watch, which shows the app.
  case watch
  /// Someone who should not, in the app.
  case unauthorized
  /// A person with the pump's own buttons or its own controller.
  case pump
  /// A carer from afar, by a command to the app.
  case remote

  /// Those who stand beside the person; a command from afar is an event of its own.
  public static let inPerson = allCases.filter { $0 != .remote }

  /// Whether the request goes through the app, which takes none above its maximum bolus.
  ///
  /// Loop answers a larger one with "Exceeds Maximum Bolus" (LoopKit/Loop,
  /// `BolusEntryViewModel.swift`), and the watch's dial ends there; the person then gives the
  /// maximum. On the pump itself only the pump's own largest bolus is a limit.
  public var goesThroughApp: Bool {
    switch self {
    case .user, .watch, .unauthorized, .remote: true
    case .quick, .pump: false
    }
  }
}
