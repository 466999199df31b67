internal import HealthStore

/// The key of a metadata entry, and what it says about the value.
struct AppleHealthKey {
  let key: MetadataKey
  /// What the entry is where it is no metadata of the sample.
  let mark: AppleHealthMark?
  /// The key of the entry whose kind this one says.
  let kindOf: String?
  /// Of which kind the value is where no other entry says it.
  let kind: AppleHealthMetadata.Kind

  init(_ name: String) {
    key = MetadataKey(name)
    let start = AppleHealthMark.kind.rawValue
    kindOf = name.hasPrefix(start) ? String(name.dropFirst(start.count)) : nil
    mark = kindOf == nil ? AppleHealthMark(rawValue: name) : .kind
    kind = AppleHealthMetadata.kind(of: key)
  }
}
