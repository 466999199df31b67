internal import ClosedLoop
public import Quantities
internal import ScenarioLanguage
internal import Simulation

/// How often something must have happened, or stand in a record.
public struct EventCheck: Hashable, Sendable {
  /// Where is looked.
  public enum Place: String, Hashable, Sendable, CaseIterable {
    /// What happened in the run.
    case timeline
    /// In the app's event history.
    case eventHistory
    /// In the app's insulin delivery store.
    case insulinDelivery
    /// In the health store.
    case healthStore
  }

  /// What kind of event.
  public var kind: String
  /// The name, in the timeline only; nothing means any.
  public var name: String?
  /// Where is looked.
  public var place: Place
  /// How many there must be.
  public var count: Expectation.Bounds
  /// The names that must come one after the other, others between them or not; nothing for any.
  public var order: [String]?
  /// The most that each may last; `nil` for no limit.
  public var longest: TimeSpan?
  /// The least that each must last; `nil` for no limit.
  public var shortest: TimeSpan?

  /// What was found: its instant and how long it lasted.
  private struct Found {
    var instant: Instant
    var duration: TimeSpan
    var name = ""
  }

  /// What is wrong; nothing when it is as expected.
  func complaint(about run: RunResult, in scope: Expectation.Scope) -> Complaint? {
    let found = found(in: run).filter { scope.contains($0.instant) }
    if let wrong = count.complaint(Double(found.count)) {
      return Complaint("\(kind) in \(place.rawValue): \(wrong)", at: found.last?.instant)
    }
    if let wrong = disorder(in: found, run) { return wrong }
    for item in found {
      // Of what goes on at the end nobody knows how long it will have lasted.
      let lasted = max(.zero, min(item.duration, run.end - item.instant))
      let goesOn = lasted < item.duration
      if let longest, lasted > longest {
        return Complaint(
          "\(kind) at \(run.clock.iso8601(item.instant)) lasts \(lasted) > \(longest)",
          at: item.instant)
      }
      if let shortest, !goesOn, lasted < shortest {
        return Complaint(
          "\(kind) at \(run.clock.iso8601(item.instant)) lasts \(item.duration) < \(shortest)",
          at: item.instant)
      }
    }
    return nil
  }

  /// Whether there is one, however many there must be.
  func finds(in run: RunResult, _ scope: Expectation.Scope) -> Bool {
    found(in: run).contains { scope.contains($0.instant) }
  }

  /// What is wrong with the order.
  private func disorder(in found: [Found], _ run: RunResult) -> Complaint? {
    var rest = found[...]
    var before: (name: String, instant: Instant)?
    for name in order ?? [] {
      guard let next = rest.firstIndex(where: { OccurrenceName.isMeant($0.name, by: name) })
      else {
        let came = found.map { "\(run.clock.iso8601($0.instant))  \($0.name)" }
        let after = before.map { " after \"\($0.name)\" at \(run.clock.iso8601($0.instant))" } ?? ""
        return Complaint(
          "\(kind) in \(place.rawValue): no \"\(name)\"\(after)",
          body: came.joined(separator: "\n"), at: before?.instant)
      }
      before = (name, rest[next].instant)
      rest = rest[(next + 1)...]
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
        .map { Found(instant: $0.instant, duration: .zero, name: $0.name) }
    case .eventHistory:
      run.eventHistory.filter { $0.kind.rawValue == kind }
        .map { Found(instant: $0.instant, duration: $0.end - $0.instant) }
    case .insulinDelivery:
      run.insulinDelivery.filter { $0.kind.rawValue == kind }
        .map { Found(instant: $0.start, duration: $0.end - $0.start) }
    case .healthStore:
      run.insulinSamples.filter { $0.isBasal == (kind != "bolus") }
        .map { Found(instant: $0.start, duration: $0.end - $0.start) }
    }
  }
}
