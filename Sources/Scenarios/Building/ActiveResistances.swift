internal import Physiology
internal import Simulation

/// The changes of insulin sensitivity that hold at a time; several at once multiply.
///
/// Each begins and ends with an event of one id; the end of one leaves the others.
struct ActiveResistances {
  private var active: [(id: String, factor: Double)] = []

  /// The events, of which each resistance has the factor of all that hold from then on.
  static func multiplied(in events: [ScenarioEvent]) -> [ScenarioEvent] {
    var events = events
    var resistances = Self()
    // At one instant the order of the file holds, as Swift's sorting is stable.
    let inTime = events.indices.sorted { events[$0].instant < events[$1].instant }
    for index in inTime {
      guard case .apply(.insulinSensitivity(let factor), let name) = events[index].action else {
        continue
      }
      resistances.beginOrEnd(events[index].id, factor)
      events[index].action = .apply(
        .insulinSensitivity(factor: resistances.product), name: name)
    }
    return events
  }

  private mutating func beginOrEnd(_ id: String, _ factor: Double) {
    if let place = active.firstIndex(where: { $0.id == id }) {
      active.remove(at: place)
    } else {
      active.append((id, factor))
    }
  }

  private var product: Double { active.reduce(1) { $0 * $1.factor } }
}
