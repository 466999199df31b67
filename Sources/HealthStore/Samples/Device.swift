/// What measured or delivered; every field may be missing.
///
/// HealthKit: `HKDevice`.
public struct Device: Sendable {
  /// The names of a device's fields.
  ///
  /// HealthKit: `HKDevicePropertyKey…`.
  public enum Property: Int, CaseIterable, Hashable, Sendable {
    case name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion
    case localIdentifier, udiDeviceIdentifier
  }

  private final class Content: Sendable {
    let fields: [String?]

    init(_ fields: [String?]) { self.fields = fields }
  }

  private let content: Content

  public init(
    name: String? = nil, manufacturer: String? = nil, model: String? = nil,
    hardwareVersion: String? = nil, firmwareVersion: String? = nil, softwareVersion: String? = nil,
    localIdentifier: String? = nil, udiDeviceIdentifier: String? = nil
  ) {
    content = Content([
      name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion,
      localIdentifier, udiDeviceIdentifier,
    ])
  }

  /// The value of one field.
  public subscript(property: Property) -> String? { content.fields[property.rawValue] }

  public var name: String? { self[.name] }
  public var manufacturer: String? { self[.manufacturer] }
  public var model: String? { self[.model] }
  public var hardwareVersion: String? { self[.hardwareVersion] }
  public var firmwareVersion: String? { self[.firmwareVersion] }
  public var softwareVersion: String? { self[.softwareVersion] }
  public var localIdentifier: String? { self[.localIdentifier] }
  public var udiDeviceIdentifier: String? { self[.udiDeviceIdentifier] }
}

extension Device: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.content === rhs.content || lhs.content.fields == rhs.content.fields
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(content.fields) }
}
