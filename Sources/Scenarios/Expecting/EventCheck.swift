public import Quantities
internal import Simulation

/// How often something must have happened, or stand in a record.
public struct EventCheck: Hashable, Sendable {
  /// Where is looked.
  public enum Place: String, Hashable, Sendable, CaseIterable {
    /// What happened in the run.
    case timeline
    case eventHistory
    case insulinDelivery
    case healthStore
  }

  public var kind: String
  /// The name, in the timeline only; nothing means any.
  public var name: String?
  public var place: Place
  public var count: Expectation.Bounds
  /// The longest and the shortest that each may last.
  public var longest: TimeSpan?
  public var shortest: TimeSpan?

  /// What was found: its instant and how long it lasted.
  private struct Found {
    var instant: Instant
    var duration: TimeSpan
  }

  /// What is wrong; nothing when it is as expected.
  func complaint(about run: RunResult, in scope: Expectation.Scope) -> Complaint? {
    let found = found(in: run).filter { scope.contains($0.instant) }
    if let wrong = count.complaint(Double(found.count)) {
      return Complaint("\(kind) in \(place.rawValue): \(wrong)", at: found.last?.instant)
    }
    for item in found {
      if let longest, item.duration > longest {
        return Complaint(
          "\(kind) at \(run.clock.iso8601(item.instant)) lasts \(item.duration) > \(longest)",
          at: item.instant)
      }
      if let shortest, item.duration < shortest {
        return Complaint(
          "\(kind) at \(run.clock.iso8601(item.instant)) lasts \(item.duration) < \(shortest)",
          at: item.instant)
      }
    }
    return nil
  }

  /// Whether a name is the one asked for, or that of one of its occurrences.
  private func isNamed(_ candidate: String) -> Bool {
    name.map { OccurrenceName.isMeant(candidate, by: $0) } ?? true
  }

  private func found(in run: RunResult) -> [Found] {
    switch place {
    case .timeline:
      run.trace.happenings
        .filter { $0.kind.rawValue == kind && isNamed($0.name) }
        .map { Found(instant: $0.instant, duration: .zero) }
    case .eventHistory:
      run.eventHistory.filter { $0.kind == kind }
        .map { Found(instant: $0.instant, duration: $0.end - $0.instant) }
    case .insulinDelivery:
      run.insulinDelivery.filter { $0.kind == kind }
        .map { Found(instant: $0.start, duration: $0.end - $0.start) }
    case .healthStore:
      run.insulinSamples.filter { $0.isBasal == (kind != "bolus") }
        .map { Found(instant: $0.start, duration: $0.end - $0.start) }
    }
  }
}
