internal import Quantities

/// Why a run is over before its time; nothing is set while it goes on.
struct Ending: Sendable {
  /// The law that the run has broken.
  var brokenLaw: InvariantViolation?
  /// That the body did not survive.
  var lethalEnd: LethalEnd?

  /// When it is over; `nil` while it goes on.
  var instant: Instant? { lethalEnd?.instant ?? brokenLaw?.instant }
}
