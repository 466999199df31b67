internal import Physiology
internal import Simulation

/// Conditions of the body of one kind that hold at a time.
///
/// Each begins and ends with an event of one id; the end of one leaves the others. Of a condition
/// that depends on another one nobody knows beforehand whether it happens: it stands by itself.
struct ActiveConditions {
  private var active: [(id: String, value: Double)] = []

  /// The events, of which each resistance has the factor of all that hold from then on: several at
  /// once multiply.
  static func multiplyingResistances(in events: [ScenarioEvent]) -> [ScenarioEvent] {
    joining(
      in: events,
      {
        if case .insulinSensitivity(let factor) = $0 { factor } else { nil }
      }, { .insulinSensitivity(factor: $0.reduce(1, *)) })
  }

  /// The events, of which each that begins or ends exercise has the hardest that holds from then
  /// on.
  static func hardestExercise(in events: [ScenarioEvent]) -> [ScenarioEvent] {
    joining(
      in: events,
      {
        if case .exercise(let intensity) = $0 { intensity } else { nil }
      }, { .exercise(intensity: $0.max() ?? 0) })
  }

  /// The events, of which each of a kind has what all of it that hold from then on come to.
  ///
  /// - Parameters:
  ///   - events: The events, in the order of the file.
  ///   - value: The value of a condition of the kind; `nil` for another one.
  ///   - whole: The condition that several values at once come to.
  /// - Returns: The events in the same order.
  private static func joining(
    in events: [ScenarioEvent], _ value: (BodyCondition) -> Double?,
    _ whole: ([Double]) -> BodyCondition
  ) -> [ScenarioEvent] {
    var events = events
    var conditions = Self()
    // At one instant the order of the file holds, as Swift's sorting is stable.
    let inTime = events.indices.sorted { events[$0].instant < events[$1].instant }
    for index in inTime {
      guard events[index].condition == nil,
        case .apply(let condition, let name) = events[index].action, let value = value(condition)
      else { continue }
      conditions.beginOrEnd(events[index].id, value)
      events[index].action = .apply(whole(conditions.active.map(\.value)), name: name)
    }
    return events
  }

  private mutating func beginOrEnd(_ id: String, _ value: Double) {
    if let place = active.firstIndex(where: { $0.id == id }) {
      active.remove(at: place)
    } else {
      active.append((id, value))
    }
  }
}
