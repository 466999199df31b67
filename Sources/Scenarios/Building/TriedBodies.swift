internal import Physiology
import Synchronization

/// What bodies were found to need, so that a body of a thousand runs is tried out once.
///
/// Trying a body out takes some 40 simulations of six hours. What is found depends on the body and
/// its options alone, so that the results of runs do not depend on what was tried before.
final class TriedBodies: Sendable {
  static let shared = TriedBodies()

  private struct Body: Hashable {
    let description: PatientDescription
    let options: PatientOptions
  }

  /// How many bodies are kept; generated bodies have no end.
  private let limit: Int
  private let known = Mutex<[Body: MeasuredNeeds?]>([:])

  init(limit: Int = 4_096) { self.limit = limit }

  /// The needs of a body at its usual glucose; `nil` when it has none that can be found.
  func needs(of description: PatientDescription, _ options: PatientOptions) -> MeasuredNeeds? {
    let body = Body(description: description, options: options)
    if let found = known.withLock({ $0[body] }) { return found }
    let found = description.measuredNeeds(at: description.usualGlucose, options: options)
    known.withLock {
      if $0.count >= limit { $0.removeAll() }
      $0[body] = .some(found)
    }
    return found
  }
}
