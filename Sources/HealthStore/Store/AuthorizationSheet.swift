/// What the user is asked when a client requests authorization.
///
/// HealthKit: the sheet that `requestAuthorization(toShare:read:)` shows.
public struct AuthorizationSheet: Hashable, Sendable {
  /// The number of the request in its store.
  public let number: Int
  /// Who asks.
  public let client: ClientID
  /// The types whose writing is still undetermined.
  public let share: [ObjectType]
  /// The types whose reading is still undetermined.
  public let read: [ObjectType]
}

/// What a request for authorization came to.
///
/// HealthKit: the completion of `requestAuthorization(toShare:read:)`, whose `success` says that
/// the request was processed.
public enum AuthorizationRequestOutcome: Hashable, Sendable {
  /// The request was processed, which does not say that anything was granted.
  case processed
  /// The user has not answered yet.
  case pending(AuthorizationSheet)
}

/// Whether asking would show the user anything.
///
/// HealthKit: `HKAuthorizationRequestStatus`.
public enum AuthorizationRequestStatus: Int, Hashable, Sendable {
  /// It is not known.
  case unknown = 0
  /// The user would be asked.
  case shouldRequest = 1
  /// Everything has been decided.
  case unnecessary = 2
}
