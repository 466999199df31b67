internal import Devices
internal import Quantities

/// A person who replaces reservoir, pod and sensor when they are due.
///
/// The person looks at every cycle and acts a second later. What is done is an event like one of
/// the scenario: the pump primes, a new sensor warms up, and both stand in the record of what
/// happened.
extension Run {
  /// Replaces what is due.
  mutating func replaceWhatIsDue() {
    let supplies = setup.supplies
    if let reason = supplies.reasonToReplace(
      world.delivery.pump, isAttached: world.delivery.body.isPumpAttached, at: world.now)
    {
      replace("\(reason) The person replaces it.", .pump, .pump(.replaceReservoir(nil)))
    }
    if let reason = supplies.reasonToReplace(world.sensor, at: world.now) {
      replace("\(reason) The person puts in a new one.", .cgm, .sensor(.replace))
    }
  }

  private mutating func replace(
    _ sentence: String, _ kind: Happening.Kind, _ action: ScenarioEvent.Action
  ) {
    let instant = world.now + .seconds(1)
    guard instant <= setup.end else { return }
    assert(
      instant > world.now, "Supplies are replaced after the person has seen that they are due.")
    world.note(kind, "supplies", sentence)
    // A bolus at the same instant comes from the new reservoir, and is not cut off.
    agenda.addPrecedent(ScenarioEvent(at: instant, id: "supplies", action), at: instant)
  }
}
