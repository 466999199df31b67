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
    /// What an entry keeps as its value.
    ///
    /// Invariant: the text under the key of sync identifiers is kept as the identifier, and nothing
    /// else is.
    fileprivate enum Content: Hashable, Sendable {
      case syncIdentifier(SyncIdentifier)
      case value(MetadataValue)
    }

    /// The key.
    public let key: MetadataKey
    fileprivate let content: Content

    fileprivate init(_ key: MetadataKey, _ content: Content) {
      self.key = key
      self.content = content
    }

    /// The value.
    public var value: MetadataValue {
      switch content {
      case .syncIdentifier(let identifier): .text(identifier.description)
      case .value(let value): value
      }
    }

    /// The sync identifier, where the value is one.
    public var syncIdentifier: SyncIdentifier? {
      if case .syncIdentifier(let identifier) = content { identifier } else { nil }
    }
  }

  /// The entries, ascending by the bytes of their keys.
  public private(set) var entries: [Entry] = []

  /// The metadata of a sample about which nothing more is known.
  public static let none = Self()

  /// The most entries that are looked through one after the other.
  private static let few = 16

  /// Creates metadata without entries.
  public init() {}

  /// Creates metadata from pairs; of two values for one key the later stays.
  public init(_ pairs: [(MetadataKey, MetadataValue)]) {
    // A few keys find their places sooner one by one than in an order of all.
    guard pairs.count > Self.few else {
      for (key, value) in pairs { set(key, Self.content(value, under: key)) }
      return
    }
    let order = pairs.indices.sorted { (pairs[$0].0, $0) < (pairs[$1].0, $1) }
    for index in order {
      let key = pairs[index].0
      let entry = Entry(key, Self.content(pairs[index].1, under: key))
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
      guard entries.count > Self.few else {
        for index in entries.indices where entries[index].key == key {
          return entries[index].value
        }
        return nil
      }
      let index = index(of: key)
      return index < entries.count && entries[index].key == key ? entries[index].value : nil
    }
    set { set(key, newValue.map { Self.content($0, under: key) }) }
  }

  /// How a value under a key is kept.
  private static func content(_ value: MetadataValue, under key: MetadataKey) -> Entry.Content {
    if case .text(let text) = value, key == .syncIdentifier {
      return .syncIdentifier(SyncIdentifier(text))
    }
    return .value(value)
  }

  private mutating func set(_ key: MetadataKey, _ content: Entry.Content?) {
    let index = index(of: key)
    let exists = index < entries.count && entries[index].key == key
    switch (content, exists) {
    case (let content?, true): entries[index] = Entry(key, content)
    case (let content?, false) where index == entries.count:
      if entries.isEmpty { entries.reserveCapacity(4) }
      entries.append(Entry(key, content))
    case (let content?, false): entries.insert(Entry(key, content), at: index)
    case (nil, true): entries.remove(at: index)
    case (nil, false): break
    }
  }

  /// Adds an entry whose key comes after all that are there.
  ///
  /// Whoever knows the order of the keys spares the search for their places.
  public mutating func append(_ key: MetadataKey, _ value: MetadataValue) {
    append(key, Self.content(value, under: key))
  }

  private mutating func append(_ key: MetadataKey, _ content: Entry.Content) {
    assert(entries.last.map { $0.key < key } ?? true, "Entries are appended in their order.")
    entries.append(Entry(key, content))
  }

  /// Where a key is, or would be.
  private func index(of key: MetadataKey) -> Int {
    // Whoever puts metadata together mostly does so in the order of the keys.
    if let last = entries.last, last.key < key { return entries.count }
    // A few keys, as almost all samples have, are found sooner one after the other.
    guard entries.count > Self.few else {
      return entries.firstIndex { $0.key >= key } ?? entries.count
    }
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
  public var syncIdentifier: SyncIdentifier? {
    // Only one entry is kept as an identifier, so that no key has to be compared.
    let span = entries.span
    for index in span.indices {
      if case .syncIdentifier(let identifier) = span[index].content { return identifier }
    }
    return nil
  }

  /// The version of a sample with a sync identifier.
  ///
  /// HealthKit: `HKMetadataKeySyncVersion`.
  public var syncVersion: Int? { number(.syncVersion).flatMap { Int(exactly: $0) } }

  /// Whether there are a sync identifier and a version, found in one walk and without a copy.
  var hasSync: (identifier: Bool, version: Bool) {
    var has = (identifier: false, version: false)
    let span = entries.span
    for index in span.indices {
      switch span[index].content {
      case .syncIdentifier: has.identifier = true
      case .value(.number(let number)):
        if span[index].key == .syncVersion { has.version = Int(exactly: number) != nil }
      case .value: break
      }
    }
    return has
  }

  /// Sets the identifier and version by which a client replaces its own samples.
  ///
  /// HealthKit: `HKMetadataKeySyncIdentifier` and `HKMetadataKeySyncVersion`.
  public mutating func setSync(identifier: SyncIdentifier, version: Int) {
    set(.syncIdentifier, .syncIdentifier(identifier))
    set(.syncVersion, .value(.number(Double(version))))
  }

  /// Adds the sync identifier and the version, whose keys come after all that are there.
  public mutating func appendSync(identifier: SyncIdentifier, version: Int) {
    append(.syncIdentifier, .syncIdentifier(identifier))
    append(.syncVersion, .value(.number(Double(version))))
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
