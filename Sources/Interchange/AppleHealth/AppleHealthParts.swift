internal import HealthStore
internal import Quantities

/// The parts of an export's records that are the same a million times: units, devices, sources,
/// and the date of the record before.
///
/// A class, because all records of a reader share it; each kind is bounded.
final class AppleHealthParts {
  private var units: [String: HealthUnit?] = [:]
  private var devices: [String: Device?] = [:]
  private var revisions: [[String?]: SourceRevision] = [:]
  private var types: [String: ObjectType?] = [:]
  private var lastDate: (text: String, instant: Instant?) = ("", nil)

  /// The most parts of a kind that are kept.
  private static let limit = 10_000

  func unit(_ text: String) -> HealthUnit? {
    if let known = units[text] { return known }
    let unit = try? HealthUnit(text)
    if units.count < Self.limit { units[text] = .some(unit) }
    return unit
  }

  func device(_ text: String?) -> Device? {
    guard let text else { return nil }
    // The address differs from record to record: what follows it is the device.
    let start = text.utf8.firstIndex(of: UInt8(ascii: ",")) ?? text.startIndex
    let key = String(text[start...])
    if let known = devices[key] { return known }
    let device = AppleHealthDevice(text).device
    if devices.count < Self.limit { devices[key] = .some(device) }
    return device
  }

  func type(_ identifier: String) -> ObjectType? {
    if let known = types[identifier] { return known }
    let type = ObjectType(identifier: identifier)
    if types.count < Self.limit { types[identifier] = .some(type) }
    return type
  }

  /// The source of some texts, made once.
  func revision(_ key: [String?], _ make: () -> SourceRevision) -> SourceRevision {
    if let known = revisions[key] { return known }
    let revision = make()
    if revisions.count < Self.limit { revisions[key] = revision }
    return revision
  }

  /// A date; a record mostly begins, ends and is written at the same second.
  func instant(_ text: String) -> Instant? {
    if text == lastDate.text { return lastDate.instant }
    let instant = AppleHealthDate.instant(text)
    lastDate = (text, instant)
    return instant
  }
}
