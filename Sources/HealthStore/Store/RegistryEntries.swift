public import Quantities

/// Whether a family may see one clinical document.
///
/// HealthKit keeps this to itself, and shows a sheet.
public struct DocumentGrant: Hashable, Sendable {
  /// What the user decided.
  public enum State: Int, Hashable, Sendable {
    /// The document is hidden from it.
    case refused = 0
    /// It may see the document.
    case granted = 1
  }

  /// The family of clients.
  public var family: String
  /// The document.
  public var uuid: SampleUUID
  /// What the user decided.
  public var state: State

  /// Creates a `DocumentGrant` from its parts; see the properties.
  public init(family: String, uuid: SampleUUID, state: State) {
    self.family = family
    self.uuid = uuid
    self.state = state
  }
}

/// How often a client is woken for changes of a type.
///
/// HealthKit: `HKUpdateFrequency`.
public enum UpdateFrequency: Int, Hashable, Sendable {
  /// At once.
  case immediate = 1
  /// At most once an hour.
  case hourly = 2
  /// At most once a day.
  case daily = 3
  /// At most once a week.
  case weekly = 4

  /// The shortest time between two wake-ups.
  public var interval: TimeSpan {
    switch self {
    case .immediate: .zero
    case .hourly: .hours(1)
    case .daily: .days(1)
    case .weekly: .days(7)
    }
  }
}

/// A client's wish to be woken when a type changes, and how that went.
///
/// HealthKit: what `enableBackgroundDelivery(for:frequency:)` registers.
public struct BackgroundDelivery: Hashable, Sendable {
  /// Who is woken.
  public var client: ClientID
  /// The type that is followed.
  public var type: ObjectType
  /// How often.
  public var frequency: UpdateFrequency
  /// Whether it is in force.
  public var isEnabled: Bool
  /// How often in a row the client did not say that it was done.
  public var failures = 0
  /// When the client was last woken; `nil` where it never was.
  public var lastWakeUp: Instant?
  /// The row up to which the client was told of changes.
  public var seenRow: Int64 = 0

  /// Creates a `BackgroundDelivery` from its parts; see the properties.
  public init(
    client: ClientID, type: ObjectType, frequency: UpdateFrequency, isEnabled: Bool,
    failures: Int = 0, lastWakeUp: Instant? = nil, seenRow: Int64 = 0
  ) {
    self.client = client
    self.type = type
    self.frequency = frequency
    self.isEnabled = isEnabled
    self.failures = failures
    self.lastWakeUp = lastWakeUp
    self.seenRow = seenRow
  }
}
