internal import Physiology

/// The exercises and resistances that hold at a time, each under the name of its event.
///
/// Each begins and ends with an event of one name; the end of one leaves the others. They are
/// looked at as they come, since of one under a condition nobody knows beforehand whether it comes.
struct ActiveConditions: Sendable {
  private var exercises: [(event: String, value: Double)] = []
  private var resistances: [(event: String, value: Double)] = []

  /// What the body meets from now on: of exercises the hardest that holds, and of resistances the
  /// factors of all, which multiply.
  ///
  /// - Parameters:
  ///   - condition: What begins, or ends where one of that name has begun.
  ///   - event: The name of its event.
  /// - Returns: What all of the kind that hold come to; any other condition as it is.
  mutating func joined(_ condition: BodyCondition, of event: String) -> BodyCondition {
    switch condition {
    case .exercise(let intensity):
      Self.beginOrEnd(event, intensity, in: &exercises)
      return .exercise(intensity: exercises.map(\.value).max() ?? 0)
    case .insulinSensitivity(let factor):
      Self.beginOrEnd(event, factor, in: &resistances)
      return .insulinSensitivity(factor: resistances.map(\.value).reduce(1, *))
    default: return condition
    }
  }

  private static func beginOrEnd(
    _ event: String, _ value: Double, in active: inout [(event: String, value: Double)]
  ) {
    if let place = active.firstIndex(where: { $0.event == event }) {
      active.remove(at: place)
    } else {
      active.append((event, value))
    }
  }
}
