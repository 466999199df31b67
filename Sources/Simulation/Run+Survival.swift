internal import Physiology
public import Quantities

/// Whether the body lives: glucose in plasma must not fall below the floor of the setup.
///
/// The floor is looked at from the start of the part that counts on: whenever something is due, and
/// at every whole minute between. Where there is none, nothing is looked at; of a body outside,
/// what it last said is.
extension Run {
  /// The last instant of the run: the setup's, or that at which the body did not survive or a law
  /// was broken.
  public var lastInstant: Instant { state.ending.instant ?? setup.end }

  /// Pump and body go on to an instant at which nothing is due.
  mutating func advanceDevicesAndBody(to instant: Instant) {
    guard checkSurvival(until: instant) else { return }
    assert(instant >= state.now, "A body does not live backwards.")
    state.now = instant
    state.delivery.live(to: state.now, noting: &state.trace)
    state.model.look(at: state.delivery.body, now: state.now, noting: &state.trace)
    _ = checkSurvival()
  }

  /// Lives minute by minute up to an instant, that one excluded; false when the body does not.
  ///
  /// What is due at the instant itself comes before the delivery of that instant.
  mutating func checkSurvival(until instant: Instant) -> Bool {
    guard setup.lethalGlucose != nil else { return true }
    // A body outside is not asked for the sake of its floor alone.
    guard !state.delivery.body.isAsked else { return state.ending.lethalEnd == nil }
    while state.ending.lethalEnd == nil, let look = nextLook, look < instant {
      assert(look >= state.now, "The body is looked at forward in time.")
      state.now = look
      state.delivery.live(to: state.now, noting: &state.trace)
      _ = checkSurvival()
    }
    return state.ending.lethalEnd == nil
  }

  /// The next whole minute of the world, from the start on.
  private var nextLook: Instant? {
    let minutes = (state.now - setup.beginning).quotient(by: .minutes(1)) + 1
    return max(setup.beginning + .minutes(1) * minutes, setup.start)
  }

  /// Whether the body lives now; where it does not, the run ends here with a row of its own.
  mutating func checkSurvival() -> Bool {
    guard let floor = setup.lethalGlucose, state.ending.lethalEnd == nil, state.now >= setup.start
    else {
      return state.ending.lethalEnd == nil
    }
    let glucose = state.delivery.body.glucose
    guard glucose.mgdL < floor.mgdL else { return true }
    state.ending.lethalEnd = LethalEnd(instant: state.now, glucose: glucose, floor: floor)
    note(
      .lethal, "floor",
      "Glucose is below \(setup.glucoseUnit.words(floor)), which nobody survives. "
        + "The run ends here.")
    if state.trace.rows.last?.instant != state.now { record() }
    return false
  }
}
