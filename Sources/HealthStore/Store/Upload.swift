public import Quantities

/// One record on its way to a service.
public struct Upload: Hashable, Sendable {
  /// What the receiver is told.
  public enum Operation: Int, Hashable, Sendable {
    case add = 1
    case delete = 2
  }

  /// How far the record has come.
  public enum State: Int, Hashable, Sendable {
    case pending = 0
    case inFlight = 1
    case failed = 2
  }

  public var service: String
  /// The place in the queue; ascending in the order of enqueueing.
  public var number: Int64
  public var type: ObjectType
  public var uuid: SampleUUID
  public var operation: Operation
  public var state: State
  public var attempts: Int
  /// When to try next.
  public var due: Instant
  public var enqueued: Instant

  public init(
    service: String, number: Int64, type: ObjectType, uuid: SampleUUID, operation: Operation,
    state: State = .pending, attempts: Int = 0, due: Instant, enqueued: Instant
  ) {
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
  /// Adds a record, unless the same service already had it.
  case enqueue(Upload)
  case update(Upload)
  /// The receiver has acknowledged the record, which is remembered as delivered.
  case acknowledge(Upload)
  /// Forgets everything about a service.
  case forget(service: String)
}
