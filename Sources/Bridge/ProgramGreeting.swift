public import Simulation
internal import StructuredText

/// What a program has said of itself.
public struct ProgramGreeting: Sendable {
  /// What it calls itself.
  public internal(set) var name = ""
  /// Its version.
  public internal(set) var version = ""
  /// The seat in which it sits.
  public internal(set) var seat = ControllerSeat.controller
  /// Whether it recommends boluses to people.
  public internal(set) var recommendsBoluses = false
  /// Whether it can live through another run after the first.
  public internal(set) var canBeReused = false
  /// How much of the past it is told.
  var history = QuestionHistory.changes

  init() {}
}

extension JSONField {
  /// Reports what a program or a client says of itself in another form than that of the protocol.
  func checkIntroduction() {
    for key in ["name", "version"] where self[key].exists { _ = self[key].text() }
    if self["line"].exists { _ = self["line"].integer() }
  }
}
