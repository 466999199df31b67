/// What measured or delivered; every field may be missing.
///
/// HealthKit: `HKDevice`.
public struct Device: Sendable {
  /// The names of a device's fields.
  ///
  /// HealthKit: `HKDevicePropertyKey…`.
  public enum Property: Int, CaseIterable, Hashable, Sendable {
    /// A name, or a version.
    case name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion
    /// An identifier.
    case localIdentifier, udiDeviceIdentifier
  }

  private final class Content: Sendable {
    let fields: [String?]

    init(_ fields: [String?]) { self.fields = fields }
  }

  private let content: Content

  /// Creates a `Device` from its parts; see the properties.
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

  /// What the device is called.
  public var name: String? { self[.name] }
  /// Who made it.
  public var manufacturer: String? { self[.manufacturer] }
  /// Which model it is.
  public var model: String? { self[.model] }
  /// The version of its hardware.
  public var hardwareVersion: String? { self[.hardwareVersion] }
  /// The version of its firmware.
  public var firmwareVersion: String? { self[.firmwareVersion] }
  /// The version of its software.
  public var softwareVersion: String? { self[.softwareVersion] }
  /// What the app calls it.
  public var localIdentifier: String? { self[.localIdentifier] }
  /// The device part of its unique device identification (UDI).
  public var udiDeviceIdentifier: String? { self[.udiDeviceIdentifier] }
}

extension Device: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.content === rhs.content || lhs.content.fields == rhs.content.fields
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(content.fields) }
}
