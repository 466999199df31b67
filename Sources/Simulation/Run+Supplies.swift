internal import Devices
internal import Quantities

/// A person who replaces reservoir, pod and sensor when they are due.
///
/// The person looks at every cycle and acts a second later. What is done is an event like one of
/// the scenario: the pump primes, a new sensor warms up, and both stand in the record of what
/// happened.
extension Run {
  /// What is left in a reservoir that is replaced: 20 U, or a tenth of a smaller one.
  private static let lowReservoir = InsulinAmount.milliunits(20_000)

  /// Replaces what is due.
  mutating func replaceWhatIsDue() {
    if setup.supplies.replacesPump, let reason = reasonToReplacePump {
      replace("\(reason) The person replaces it.", .pump, .pump(.replaceReservoir(nil)))
    }
    if setup.supplies.replacesSensor, isSensorDue {
      let wear = state.sensor.profile.wear
      replace(
        "The sensor has been worn for \(wear). The person puts in a new one.", .cgm,
        .sensor(.replace))
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

  /// Why the pump or its reservoir is replaced now; `nil` while it lasts, while a bolus runs, and
  /// while a failure that a new reservoir does not cure has stopped it.
  private var reasonToReplacePump: String? {
    let pump = state.delivery.pump
    guard pump.bolus == nil, state.delivery.body.isPumpAttached else { return nil }
    switch pump.activeAlarm {
    case nil, .expired?, .reservoirEmpty?: break
    default: return nil
    }
    let profile = pump.profile
    if let life = profile.life, state.now - pump.activation >= life.advisory {
      return "The \(profile.name) has been worn for \(life.advisory)."
    }
    let tenth = InsulinAmount.milliunits(profile.reservoirCapacity.milliunits / 10)
    guard pump.reservoir <= min(Self.lowReservoir, tenth) else { return nil }
    return "The reservoir of the \(profile.name) holds \(unitsText(pump.reservoir.units)) U."
  }

  private var isSensorDue: Bool {
    let sensor = state.sensor
    return state.now - sensor.insertion >= sensor.profile.wear
  }
}
