/// An app or a device that writes to the store.
///
/// HealthKit: `HKSource`.
///
/// The bundle identifier is the identity; the name may change, and the latest is shown.
public struct Source: Hashable, Sendable {
  /// The name that people see.
  public var name: String
  /// The identifier of the app.
  public var bundleIdentifier: String

  /// Creates a `Source` from its parts; see the properties.
  public init(name: String, bundleIdentifier: String) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
  }

  /// The health app itself, with which the user adds and deletes samples.
  public static let healthApp = Self(name: "Health", bundleIdentifier: "com.apple.Health")
}

/// A source as it was when it saved an object.
///
/// HealthKit: `HKSourceRevision`.
public struct SourceRevision: Sendable {
  private final class Content: Sendable {
    let source: Source
    let version: String?
    let productType: String?
    let operatingSystemVersion: String?

    init(_ source: Source, _ version: String?, _ product: String?, _ system: String?) {
      self.source = source
      self.version = version
      productType = product
      operatingSystemVersion = system
    }
  }

  private let content: Content

  /// Creates a `SourceRevision` from its parts; see the properties.
  public init(
    source: Source, version: String? = nil, productType: String? = nil,
    operatingSystemVersion: String? = nil
  ) {
    content = Content(source, version, productType, operatingSystemVersion)
  }

  /// The same revision of a source that has another name.
  func ofSource(_ source: Source) -> Self {
    Self(
      source: source, version: version, productType: productType,
      operatingSystemVersion: operatingSystemVersion)
  }

  /// The source.
  public var source: Source { content.source }
  /// The build of the app.
  public var version: String? { content.version }
  /// The machine, such as `iPhone15,2`.
  public var productType: String? { content.productType }
  /// The version of the operating system.
  public var operatingSystemVersion: String? { content.operatingSystemVersion }
}

extension SourceRevision: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.content === rhs.content
      || (lhs.source == rhs.source && lhs.version == rhs.version
        && lhs.productType == rhs.productType
        && lhs.operatingSystemVersion == rhs.operatingSystemVersion)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(version)
    hasher.combine(productType)
    hasher.combine(operatingSystemVersion)
  }
}
