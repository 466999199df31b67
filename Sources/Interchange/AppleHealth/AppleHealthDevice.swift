internal import HealthStore

/// The text that an export writes for a device, such as
/// `<<HKDevice: 0x60>, name:G7, manufacturer:Dexcom>`.
///
/// The address is noise. Values may contain commas: a field ends where the next known one begins.
struct AppleHealthDevice {
  var device: Device?

  private static let names: [(name: String, property: Device.Property)] = [
    ("name", .name), ("manufacturer", .manufacturer), ("model", .model),
    ("hardware", .hardwareVersion), ("firmware", .firmwareVersion),
    ("software", .softwareVersion), ("localIdentifier", .localIdentifier),
    ("UDI", .udiDeviceIdentifier),
  ]

  init(_ device: Device?) { self.device = device }

  init(_ text: String?) {
    guard let text, let comma = text.firstRange(of: ", ") else { return }
    var fields: [Device.Property: String] = [:]
    var current: Device.Property?
    var rest = String(text[comma.upperBound...])
    if rest.hasSuffix(">") { rest.removeLast() }
    for part in rest.split(separator: ", ", omittingEmptySubsequences: false) {
      if let known = Self.names.first(where: { part.hasPrefix($0.name + ":") }) {
        current = known.property
        fields[known.property] = String(part.dropFirst(known.name.count + 1))
      } else if let current {
        fields[current, default: ""] += ", " + part
      }
    }
    guard !fields.isEmpty else { return }
    device = Device(
      name: fields[.name], manufacturer: fields[.manufacturer], model: fields[.model],
      hardwareVersion: fields[.hardwareVersion], firmwareVersion: fields[.firmwareVersion],
      softwareVersion: fields[.softwareVersion], localIdentifier: fields[.localIdentifier],
      udiDeviceIdentifier: fields[.udiDeviceIdentifier])
  }

  var text: String? {
    guard let device else { return nil }
    let fields = Self.names.compactMap { name, property in
      device[property].map { "\(name):\($0)" }
    }
    return (["<<HKDevice: 0x0>"] + fields).joined(separator: ", ") + ">"
  }
}
