/// An app that opens the store, and what it declares about itself.
///
/// HealthKit knows this from the app's bundle; here it is said.
public struct HealthClient: Hashable, Sendable {
  /// The identity of the app and of its samples' source.
  public var bundleIdentifier: String
  /// The name that people see.
  public var name: String
  /// The clients that share permissions, as a watch app and its phone companion do.
  public var family: String
  /// The version of the app.
  public var version: String?
  /// The model of the device, as the system names it.
  public var productType: String?
  /// The version of the operating system.
  public var operatingSystemVersion: String?
  /// Whether the app declares why it reads (`NSHealthShareUsageDescription`).
  public var hasReadUsageDescription: Bool
  /// Whether the app declares why it writes (`NSHealthUpdateUsageDescription`).
  public var hasShareUsageDescription: Bool
  /// Whether the app has the capability for health data.
  public var isEntitled: Bool
  /// Whether the app runs on a watch, where nothing is delivered in the background.
  public var isOnWatch: Bool

  /// Creates a `HealthClient` from its parts; see the properties.
  public init(
    bundleIdentifier: String, name: String, family: String? = nil, version: String? = nil,
    productType: String? = nil, operatingSystemVersion: String? = nil,
    hasReadUsageDescription: Bool = true, hasShareUsageDescription: Bool = true,
    isEntitled: Bool = true, isOnWatch: Bool = false
  ) {
    self.bundleIdentifier = bundleIdentifier
    self.name = name
    self.family = family ?? bundleIdentifier
    self.version = version
    self.productType = productType
    self.operatingSystemVersion = operatingSystemVersion
    self.hasReadUsageDescription = hasReadUsageDescription
    self.hasShareUsageDescription = hasShareUsageDescription
    self.isEntitled = isEntitled
    self.isOnWatch = isOnWatch
  }

  /// The source revision under which the client's samples are saved.
  public var revision: SourceRevision {
    SourceRevision(
      source: Source(name: name, bundleIdentifier: bundleIdentifier), version: version,
      productType: productType, operatingSystemVersion: operatingSystemVersion)
  }
}

/// The number under which a store knows a client.
///
/// HealthKit knows the calling app without being told.
public struct ClientID: Hashable, Comparable, Sendable {
  /// The number.
  public let number: Int

  /// Creates the client of a number.
  public init(number: Int) { self.number = number }

  /// The user, who acts through the health app and may do everything.
  public static let user = Self(number: 0)

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
}
