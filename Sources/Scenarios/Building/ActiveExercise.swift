internal import Physiology
internal import Simulation

/// The exercise that holds at a time; of several at once the hardest counts.
///
/// Each begins and ends with an event of one id; the end of one leaves the others. Of exercise
/// under a condition nobody knows beforehand whether it happens: it stands by itself.
struct ActiveExercise {
  private var active: [(id: String, intensity: Double)] = []

  /// The events, of which each that begins or ends exercise has the hardest that holds from then
  /// on.
  static func hardest(in events: [ScenarioEvent]) -> [ScenarioEvent] {
    var events = events
    var exercise = Self()
    // At one instant the order of the file holds, as Swift's sorting is stable.
    let inTime = events.indices.sorted { events[$0].instant < events[$1].instant }
    for index in inTime {
      guard events[index].condition == nil,
        case .apply(.exercise(let intensity), let name) = events[index].action
      else { continue }
      exercise.beginOrEnd(events[index].id, intensity)
      events[index].action = .apply(.exercise(intensity: exercise.intensity), name: name)
    }
    return events
  }

  private mutating func beginOrEnd(_ id: String, _ intensity: Double) {
    if let place = active.firstIndex(where: { $0.id == id }) {
      active.remove(at: place)
    } else {
      active.append((id, intensity))
    }
  }

  private var intensity: Double { active.map(\.intensity).max() ?? 0 }
}
