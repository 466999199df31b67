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
      state.delivery.pump, isAttached: state.delivery.body.isPumpAttached, at: state.now)
    {
      replace("\(reason) The person replaces it.", .pump, .pump(.replaceReservoir(nil)))
    }
    if let reason = supplies.reasonToReplace(state.sensor, at: state.now) {
      replace("\(reason) The person puts in a new one.", .cgm, .sensor(.replace))
    }
  }

  private mutating func replace(
    _ sentence: String, _ kind: Happening.Kind, _ action: ScenarioEvent.Action
  ) {
    let instant = state.now + .seconds(1)
    guard instant <= setup.end else { return }
    assert(
      instant > state.now, "Supplies are replaced after the person has seen that they are due.")
    note(kind, "supplies", sentence)
    state.agenda.addConsequence(ScenarioEvent(at: instant, id: "supplies", action), at: instant)
  }
}
