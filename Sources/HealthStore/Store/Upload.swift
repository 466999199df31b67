public import Quantities

/// One record on its way to a service.
public struct Upload: Hashable, Sendable {
  /// What the receiver is told.
  public enum Operation: Int, Hashable, Sendable {
    /// There is a new sample.
    case add = 1
    /// A sample is gone.
    case delete = 2
  }

  /// How far the record has come.
  public enum State: Int, Hashable, Sendable {
    /// It waits to be sent.
    case pending = 0
    /// It has been handed over, and nothing was heard yet.
    case inFlight = 1
    /// It could not be sent.
    case failed = 2
  }

  /// The service.
  public var service: String
  /// The place in the queue; ascending in the order of enqueueing.
  public var number: Int64
  /// The type of the sample.
  public var type: ObjectType
  /// The identity of the sample.
  public var uuid: SampleUUID
  /// What the receiver is told.
  public var operation: Operation
  /// How far it has come.
  public var state: State
  /// How often it was tried.
  public var attempts: Int
  /// When to try next.
  public var due: Instant
  /// When it was put into the queue.
  public var enqueued: Instant

  /// Creates a `Upload` from its parts; see the properties.
  public init(
    service: String, number: Int64, type: ObjectType, uuid: SampleUUID, operation: Operation,
    state: State = .pending, attempts: Int = 0, due: Instant, enqueued: Instant
  ) {
    assert(attempts >= 0, "Attempts are counted upwards.")
    self.service = service
    self.number = number
    self.type = type
    self.uuid = uuid
    self.operation = operation
    self.state = state
    self.attempts = attempts
    self.due = due
    self.enqueued = enqueued
  }
}

/// A change of an upload queue.
public enum UploadChange: Hashable, Sendable {
  /// Adds a record, unless it is what the same service was to be told last of the sample.
  ///
  /// What was deleted and saved again under its identity is told again.
  case enqueue(Upload)
  /// A record is as it says now.
  case update(Upload)
  /// The receiver has acknowledged the record, which is remembered as delivered.
  case acknowledge(Upload)
  /// Forgets everything about a service.
  case forget(service: String)
}
