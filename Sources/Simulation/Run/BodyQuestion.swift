public import Physiology
public import Quantities

/// What the keeper of a body outside is asked: to live from one instant to another.
public struct BodyQuestion: Hashable, Sendable {
  /// The instant of the question before; that of the first question is ``to``, and asks how the
  /// body begins.
  public var from: Instant
  /// The instant through which the body lives, and of which it speaks.
  public var to: Instant
  /// What enters the body, from ``from`` through ``to``.
  public var intake: ExternalIntake
}

/// What the keeper of a body outside says of it.
public struct BodyAnswer: Hashable, Sendable {
  /// The glucose that a body can have, in mg/dL.
  public static let glucose = 0.0...2_000.0

  /// The body at the instant through which it was to live.
  public var state: ExternalPatient.State
  /// The conditions that it does not know, by their words.
  public var unknown: [String]

  /// What the keeper says, with the conditions that its body does not know.
  public init(_ state: ExternalPatient.State, unknown: [String] = []) {
    self.state = state
    self.unknown = unknown
  }

  /// Whether a body can be so.
  var isPossible: Bool {
    Self.glucose.contains(state.glucose.mgdL) && Self.glucose.contains(state.sensed.mgdL)
      && (state.insulinOnBoard ?? 0).isFinite
  }
}

extension Setup {
  /// Whether the body is one outside, which is asked how it is.
  public var isBodyAsked: Bool { ExternalPatient.within(patient) != nil }
}
