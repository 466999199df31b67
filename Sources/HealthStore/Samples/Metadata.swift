public import Quantities

/// A value in a sample's metadata.
///
/// HealthKit: the kinds of value that `HKObject.metadata` may hold.
public enum MetadataValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// A number without a unit.
  case number(Double)
  /// True or false.
  case flag(Bool)
  /// An instant.
  case date(Instant)
  /// A number with a unit.
  case quantity(HealthQuantity)
}

/// What else is known about a sample: typed values by name.
///
/// HealthKit: `HKObject.metadata`.
///
/// Entries are kept in the order of their keys, so that two equal metadata are written alike. Keys
/// that nobody here knows are kept as they came.
public struct Metadata: Hashable, Sendable {
  /// One key with its value.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: MetadataKey
    /// The value.
    public let value: MetadataValue
  }

  /// The entries, ascending by the bytes of their keys.
  public private(set) var entries: [Entry] = []

  /// The metadata of a sample about which nothing more is known.
  public static let none = Self()

  /// Creates metadata without entries.
  public init() {}

  /// Creates metadata from pairs; of two values for one key the later stays.
  public init(_ pairs: [(MetadataKey, MetadataValue)]) {
    let order = pairs.indices.sorted { (pairs[$0].0, $0) < (pairs[$1].0, $1) }
    for index in order {
      let entry = Entry(key: pairs[index].0, value: pairs[index].1)
      if entries.last?.key == entry.key { entries.removeLast() }
      entries.append(entry)
    }
  }

  /// Makes room for some entries, where their number is known before they are set.
  public mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

  /// Whether there are no entries.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value under a key; `nil` where there is none.
  public subscript(key: MetadataKey) -> MetadataValue? {
    get {
      // Whether two keys are equal is told sooner than which comes first.
      guard entries.count > 16 else {
        for index in entries.indices where entries[index].key == key {
          return entries[index].value
        }
        return nil
      }
      let index = index(of: key)
      return index < entries.count && entries[index].key == key ? entries[index].value : nil
    }
    set {
      let index = index(of: key)
      let exists = index < entries.count && entries[index].key == key
      switch (newValue, exists) {
      case (let value?, true): entries[index] = Entry(key: key, value: value)
      case (let value?, false) where index == entries.count:
        if entries.isEmpty { entries.reserveCapacity(4) }
        entries.append(Entry(key: key, value: value))
      case (let value?, false): entries.insert(Entry(key: key, value: value), at: index)
      case (nil, true): entries.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// Adds an entry whose key comes after all that are there.
  ///
  /// Whoever knows the order of the keys spares the search for their places.
  public mutating func append(_ key: MetadataKey, _ value: MetadataValue) {
    assert(entries.last.map { $0.key < key } ?? true, "Entries are appended in their order.")
    entries.append(Entry(key: key, value: value))
  }

  /// Where a key is, or would be.
  private func index(of key: MetadataKey) -> Int {
    // Whoever puts metadata together mostly does so in the order of the keys.
    if let last = entries.last, last.key < key { return entries.count }
    // A few keys, as almost all samples have, are found sooner one after the other.
    guard entries.count > 16 else { return entries.firstIndex { $0.key >= key } ?? entries.count }
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        entries[middle].key < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The same metadata with one more or another value.
  public func with(_ key: MetadataKey, _ value: MetadataValue) -> Self {
    var copy = self
    copy[key] = value
    return copy
  }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (MetadataKey, MetadataValue)...) { self.init(elements) }
}

extension Metadata {
  /// The text under a key; nothing when there is none or it is no text.
  public func text(_ key: MetadataKey) -> String? {
    if case .text(let text) = self[key] { text } else { nil }
  }

  /// The number under a key; nothing when there is none or it is no number.
  public func number(_ key: MetadataKey) -> Double? {
    if case .number(let number) = self[key] { number } else { nil }
  }

  /// The flag under a key, also where it was written as the number 0 or 1.
  public func flag(_ key: MetadataKey) -> Bool? {
    switch self[key] {
    case .flag(let flag): flag
    case .number(0): false
    case .number(1): true
    default: nil
    }
  }

  /// The date under a key; nothing when there is none or it is no date.
  public func date(_ key: MetadataKey) -> Instant? {
    if case .date(let date) = self[key] { date } else { nil }
  }

  /// The quantity under a key; nothing when there is none or it is no quantity.
  public func quantity(_ key: MetadataKey) -> HealthQuantity? {
    if case .quantity(let quantity) = self[key] { quantity } else { nil }
  }

  /// The identifier by which a client replaces its own samples.
  ///
  /// HealthKit: `HKMetadataKeySyncIdentifier`.
  public var syncIdentifier: String? { text(.syncIdentifier) }

  /// The version of a sample with a sync identifier.
  ///
  /// HealthKit: `HKMetadataKeySyncVersion`.
  public var syncVersion: Int? { number(.syncVersion).flatMap { Int(exactly: $0) } }

  /// Whether there are a sync identifier and a version, found in one walk and without a copy.
  var hasSync: (identifier: Bool, version: Bool) {
    var has = (identifier: false, version: false)
    let span = entries.span
    for index in span.indices {
      switch span[index].value {
      case .text: if span[index].key == .syncIdentifier { has.identifier = true }
      case .number(let number):
        if span[index].key == .syncVersion { has.version = Int(exactly: number) != nil }
      case .flag, .date, .quantity: break
      }
    }
    return has
  }

  /// The identifier of the record in the client's own database.
  ///
  /// HealthKit: `HKMetadataKeyExternalUUID`.
  public var externalIdentifier: String? { text(.externalUUID) }

  /// Whether a person typed the sample in.
  public var wasUserEntered: Bool { flag(.wasUserEntered) ?? false }
}

extension MetadataValue: CustomStringConvertible {
  /// The value as an export of Apple Health writes it, such as `0.85 IU/hr`, `1` or `basal`.
  public var description: String {
    switch self {
    case .text(let text): text
    case .number(let number): HealthQuantity.text(of: number)
    case .flag(let flag): flag ? "1" : "0"
    case .date(let date): date.description
    case .quantity(let quantity): quantity.description
    }
  }
}
