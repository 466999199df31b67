public import Quantities

/// A wake-up of a client in the background because a type has changed.
///
/// HealthKit: a call of an observer's update handler in the background, whose completion handler
/// is ``HealthRecordStore/complete(_:)``.
public struct WakeUp: Hashable, Sendable {
  /// Who is woken, and for which type.
  public struct Target: Hashable, Sendable {
    /// Who is woken.
    public var client: ClientID
    /// The type that has changed.
    public var type: ObjectType

    /// Creates a `Target` from its parts; see the properties.
    public init(client: ClientID, type: ObjectType) {
      self.client = client
      self.type = type
    }
  }

  /// Who is woken, and for which type.
  public let target: Target
  /// When.
  public let instant: Instant
  /// The row up to which the client is told of changes.
  let row: Int64
}
