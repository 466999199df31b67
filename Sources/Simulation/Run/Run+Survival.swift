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
  public var lastInstant: Instant { ending.instant ?? setup.end }

  /// Pump and body go on to an instant at which nothing is due.
  mutating func advanceDevicesAndBody(to instant: Instant) {
    guard checkSurvival(until: instant) else { return }
    assert(instant >= world.now, "A body does not live backwards.")
    world.now = instant
    world.live()
    world.watchModel()
    _ = checkSurvival()
  }

  /// Lives minute by minute up to an instant, that one excluded; false when the body does not.
  ///
  /// What is due at the instant itself comes before the delivery of that instant.
  mutating func checkSurvival(until instant: Instant) -> Bool {
    guard setup.lethalGlucose != nil else { return true }
    // A body outside is not asked for the sake of its floor alone.
    guard !world.delivery.body.isAsked else { return ending.lethalEnd == nil }
    while ending.lethalEnd == nil, nextLook < instant { look(at: nextLook) }
    return ending.lethalEnd == nil
  }

  /// Looks whether the body lives at an instant where nothing else does, once all looks before it
  /// are over; true where there is no reason to look.
  mutating func lookIfDue(at instant: Instant) -> Bool {
    if setup.lethalGlucose != nil, nextLook == instant { look(at: instant) }
    return ending.lethalEnd == nil
  }

  private mutating func look(at instant: Instant) {
    assert(instant >= world.now, "The body is looked at forward in time.")
    world.now = instant
    world.live()
    _ = checkSurvival()
  }

  /// The next whole minute of the world, from the start on.
  private var nextLook: Instant {
    let minutes = (world.now - setup.beginning).quotient(by: .minutes(1)) + 1
    return max(setup.beginning + .minutes(1) * minutes, setup.start)
  }

  /// Whether the body lives now; where it does not, the run ends here with a row of its own.
  mutating func checkSurvival() -> Bool {
    guard let floor = setup.lethalGlucose, ending.lethalEnd == nil, world.now >= setup.start
    else {
      return ending.lethalEnd == nil
    }
    let glucose = world.delivery.body.glucose
    guard glucose.mgdL < floor.mgdL else { return true }
    ending.lethalEnd = LethalEnd(instant: world.now, glucose: glucose, floor: floor)
    world.note(
      .lethal, "floor",
      "Glucose is below \(setup.glucoseUnit.exactly(floor)), which nobody survives. "
        + "The run ends here.")
    if world.trace.rows.last?.instant != world.now { record() }
    return false
  }
}
