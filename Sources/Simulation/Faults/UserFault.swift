public import Quantities

/// What a person does wrong with a meal's entry or a bolus; what is eaten stays as it is.
public struct UserFault: Hashable, Sendable {
  /// What is done wrong.
  public enum Slip: Hashable, Sendable {
    /// It is not done.
    case missed
    /// It is done so much later.
    case late(TimeSpan)
    /// It is done a second time.
    case doubled(after: TimeSpan)
    /// The amount is another one.
    case misjudged(factor: Double)
  }

  /// What a person does with the app.
  public enum Task: String, Hashable, Sendable, CaseIterable {
    /// What a person does with the app.
    case meal, bolus
  }

  /// Which of the two is done wrong.
  public var task: Task
  /// The name of the event meant.
  public var event: String
  /// What is done wrong with it.
  public var slip: Slip

  /// Creates a `UserFault` from its parts; see the properties.
  public init(_ slip: Slip, of task: Task, event: String) {
    self.task = task
    self.event = event
    self.slip = slip
  }
}

extension UserFault {
  /// One sentence for a person on a fault at an event of an instant, in a run with that end: what
  /// comes later than it does not happen.
  package func sentence(at planned: Instant, end: Instant) -> String {
    let delay: TimeSpan
    switch slip {
    case .late(let span), .doubled(let span): delay = span
    case .missed, .misjudged: return description
    }
    guard planned + delay > end else { return description }
    return "\(description.dropLast()), which is after the end of the run."
  }
}

extension UserFault: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    let what = task == .meal ? "The entry of the meal \(event)" : "The bolus \(event)"
    switch slip {
    case .missed: return "\(what) is forgotten."
    case .late(let span): return "\(what) comes \(span) late."
    case .doubled(let span): return "\(what) is made a second time, \(span) later."
    case .misjudged(let factor): return "\(what) is misjudged by a factor of \(factor)."
    }
  }
}
