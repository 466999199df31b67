/// Whether a client may do something.
///
/// HealthKit: `HKAuthorizationStatus`.
public enum AuthorizationStatus: Int, Hashable, Sendable {
  /// The user has not been asked.
  case notDetermined = 0
  /// The user has refused.
  case denied = 1
  /// The user has allowed it.
  case authorized = 2
}

/// What a client family may do with one type: writing and reading are independent.
///
/// HealthKit tells apps of the first half only, by `HKAuthorizationStatus`.
public struct Authorization: Hashable, Sendable {
  /// Permission to write.
  ///
  /// The client can ask for it.
  public var share: AuthorizationStatus
  /// Permission to read.
  ///
  /// The client can never ask for it: a refusal looks like the absence of data.
  public var read: AuthorizationStatus

  /// Creates a `Authorization` from its parts; see the properties.
  public init(
    share: AuthorizationStatus = .notDetermined, read: AuthorizationStatus = .notDetermined
  ) {
    self.share = share
    self.read = read
  }

  /// The user has been asked nothing.
  public static let notDetermined = Self()
  /// Writing and reading are allowed.
  public static let full = Self(share: .authorized, read: .authorized)
  /// Reading is allowed, and writing refused.
  public static let readOnly = Self(share: .denied, read: .authorized)
  /// Writing is allowed, and reading refused.
  public static let writeOnly = Self(share: .authorized, read: .denied)
  /// Both are refused.
  public static let denied = Self(share: .denied, read: .denied)
}

/// What a client sees of a type.
enum Visibility: Hashable {
  case all
  /// Only what the client saved itself.
  case own
  case nothing
  /// Nothing was ever asked, and the query fails.
  case undetermined
}

extension Authorization {
  /// What the client sees: write access brings read access to its own samples.
  ///
  /// Where only one direction is determined the other counts as denied; HealthKit's documentation
  /// is silent on that.
  var visibility: Visibility {
    switch (share, read) {
    case (.notDetermined, .notDetermined): .undetermined
    case (_, .authorized): .all
    case (.authorized, _): .own
    default: .nothing
    }
  }
}
