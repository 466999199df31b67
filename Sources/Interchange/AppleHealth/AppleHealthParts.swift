internal import HealthStore

/// The parts of an export's records that are the same a million times: types, units, devices,
/// sources, and the keys of metadata.
///
/// A class, because all records of a reader share it; each kind is bounded.
final class AppleHealthParts {
  private var units = RecurringParts<HealthUnit?>()
  private var devices = RecurringParts<Device?>()
  private var revisions = RecurringParts<SourceRevision>()
  private var types = RecurringParts<ObjectType?>()
  private var keys = RecurringParts<AppleHealthKey>()
  private var revisionKey: [UInt8] = []

  func unit(_ bytes: ArraySlice<UInt8>) -> HealthUnit? {
    units.value(of: bytes) { try? HealthUnit(Self.text(bytes)) }
  }

  func device(_ bytes: ArraySlice<UInt8>?) -> Device? {
    guard let bytes else { return nil }
    // The address differs from record to record: what follows it is the device.
    let start = bytes.firstIndex(of: UInt8(ascii: ",")) ?? bytes.startIndex
    return devices.value(of: bytes[start...]) { AppleHealthDevice(Self.text(bytes)).device }
  }

  func type(_ identifier: ArraySlice<UInt8>) -> ObjectType? {
    types.value(of: identifier) { ObjectType(identifier: Self.text(identifier)) }
  }

  func key(_ name: ArraySlice<UInt8>) -> AppleHealthKey {
    keys.value(of: name) { AppleHealthKey(Self.text(name)) }
  }

  /// The source that some texts describe, made once.
  func revision(
    of texts: [ArraySlice<UInt8>?], _ make: () -> SourceRevision
  ) -> SourceRevision {
    revisionKey.removeAll(keepingCapacity: true)
    for text in texts {
      // XML holds neither of the two control characters.
      if let text { revisionKey += text } else { revisionKey.append(1) }
      revisionKey.append(0)
    }
    return revisions.value(of: revisionKey[...], make)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
