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
///
/// Samples of one kind differ mostly in their sync identifiers alone. The identifier is therefore
/// kept beside the other entries, which many samples then share.
public struct Metadata: Hashable, Sendable {
  /// One key with its value.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: MetadataKey
    private let content: Content

    /// What an entry keeps as its value.
    private enum Content: Hashable, Sendable {
      case syncIdentifier(SyncIdentifier)
      case value(MetadataValue)
    }

    fileprivate init(_ key: MetadataKey, _ value: MetadataValue) {
      self.key = key
      content = .value(value)
    }

    fileprivate init(_ identifier: SyncIdentifier) {
      key = .syncIdentifier
      content = .syncIdentifier(identifier)
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

  /// The identifier by which a client replaces its own samples.
  ///
  /// HealthKit: the text under `HKMetadataKeySyncIdentifier`.
  public private(set) var syncIdentifier: SyncIdentifier?

  /// The entries but the sync identifier, ascending by the bytes of their keys.
  ///
  /// Invariant: the key of sync identifiers is not among them where there is an identifier, and a
  /// value under it is no text.
  private var others: [Entry] = []

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
      for (key, value) in pairs { self[key] = value }
      return
    }
    let order = pairs.indices.sorted { (pairs[$0].0, $0) < (pairs[$1].0, $1) }
    for index in order {
      let (key, value) = pairs[index]
      if others.last?.key == key { others.removeLast() }
      if key == .syncIdentifier { self[key] = value } else { others.append(Entry(key, value)) }
    }
  }

  /// Makes room for some entries besides the sync identifier, where their number is known before
  /// they are set.
  public mutating func reserveCapacity(_ count: Int) { others.reserveCapacity(count) }

  /// Whether there are no entries.
  public var isEmpty: Bool { others.isEmpty && syncIdentifier == nil }

  /// The entries, ascending by the bytes of their keys.
  public var entries: [Entry] {
    guard let syncIdentifier else { return others }
    var entries = others
    entries.insert(Entry(syncIdentifier), at: index(of: .syncIdentifier))
    return entries
  }

  /// How many entries there are.
  public var count: Int { others.count + (syncIdentifier == nil ? 0 : 1) }

  /// Visits the entries, ascending by the bytes of their keys.
  public func visitEntries(_ body: (Entry) -> Void) {
    let place = syncIdentifier == nil ? nil : index(of: .syncIdentifier)
    let span = others.span
    for index in span.indices {
      if let syncIdentifier, index == place { body(Entry(syncIdentifier)) }
      body(span[index])
    }
    if let syncIdentifier, place == others.count { body(Entry(syncIdentifier)) }
  }

  /// The same metadata with another sync identifier, or without one.
  ///
  /// Under the key of sync identifiers there is no value of another kind.
  public func with(syncIdentifier: SyncIdentifier?) -> Self {
    var copy = self
    copy.syncIdentifier = syncIdentifier
    copy.assertOneIdentifier()
    return copy
  }

  private func assertOneIdentifier() {
    assert(
      syncIdentifier == nil || !others.contains { $0.key == .syncIdentifier },
      "A key has one value.")
  }

  /// The value under a key; `nil` where there is none.
  public subscript(key: MetadataKey) -> MetadataValue? {
    get {
      if let syncIdentifier, key == .syncIdentifier { return .text(syncIdentifier.description) }
      // Whether two keys are equal is told sooner than which comes first.
      guard others.count > Self.few else {
        for index in others.indices where others[index].key == key { return others[index].value }
        return nil
      }
      let index = index(of: key)
      return index < others.count && others[index].key == key ? others[index].value : nil
    }
    set {
      guard key == .syncIdentifier else { return set(key, newValue) }
      if case .text(let text) = newValue {
        setSyncIdentifier(SyncIdentifier(text))
      } else {
        syncIdentifier = nil
        set(key, newValue)
      }
    }
  }

  private mutating func setSyncIdentifier(_ identifier: SyncIdentifier) {
    if syncIdentifier == nil { set(.syncIdentifier, nil) }
    syncIdentifier = identifier
  }

  private mutating func set(_ key: MetadataKey, _ value: MetadataValue?) {
    let index = index(of: key)
    let exists = index < others.count && others[index].key == key
    switch (value, exists) {
    case (let value?, true): others[index] = Entry(key, value)
    case (let value?, false) where index == others.count:
      if others.isEmpty { others.reserveCapacity(4) }
      others.append(Entry(key, value))
    case (let value?, false): others.insert(Entry(key, value), at: index)
    case (nil, true): others.remove(at: index)
    case (nil, false): break
    }
  }

  /// Adds an entry whose key comes after all that are there, and is not that of sync identifiers.
  ///
  /// Whoever knows the order of the keys spares the search for their places.
  public mutating func append(_ key: MetadataKey, _ value: MetadataValue) {
    assert(others.last.map { $0.key < key } ?? true, "Entries are appended in their order.")
    assert(key != .syncIdentifier, "A sync identifier is kept beside the other entries.")
    others.append(Entry(key, value))
  }

  /// Where a key is among the entries but the sync identifier, or would be.
  private func index(of key: MetadataKey) -> Int {
    // Whoever puts metadata together mostly does so in the order of the keys.
    guard let last = others.last, last.key >= key else { return others.count }
    // A few keys, as almost all samples have, are found sooner one after the other.
    guard others.count > Self.few else {
      return others.firstIndex { $0.key >= key } ?? others.count
    }
    var range = 0..<others.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        others[middle].key < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The same metadata with one more or another value.
  public func with(_ key: MetadataKey, _ value: MetadataValue) -> Self {
    var copy = self
    copy[key] = value
    return copy
  }

  /// Sets the identifier and version by which a client replaces its own samples.
  ///
  /// HealthKit: `HKMetadataKeySyncIdentifier` and `HKMetadataKeySyncVersion`.
  public mutating func setSync(identifier: SyncIdentifier, version: Int) {
    setSyncIdentifier(identifier)
    set(.syncVersion, .number(Double(version)))
  }

  /// Adds the sync identifier and the version, whose keys come after all that are there.
  public mutating func appendSync(identifier: SyncIdentifier, version: Int) {
    syncIdentifier = identifier
    append(.syncVersion, .number(Double(version)))
    assertOneIdentifier()
  }

  /// Whether there are a sync identifier and a version, found in one walk and without a copy.
  var hasSync: (identifier: Bool, version: Bool) {
    let span = others.span
    for index in span.indices {
      guard case .number(let number) = span[index].value, span[index].key == .syncVersion
      else { continue }
      return (syncIdentifier != nil, Int(exactly: number) != nil)
    }
    return (syncIdentifier != nil, false)
  }
}

extension Metadata {
  /// The first key under which a number is no finite one.
  var firstNotFinite: MetadataKey? {
    let span = others.span
    for index in span.indices {
      switch span[index].value {
      case .number(let number) where !number.isFinite: return span[index].key
      case .quantity(let quantity) where !quantity.value.isFinite: return span[index].key
      default: continue
      }
    }
    return nil
  }
}

/// What tells metadata apart that many samples share.
///
/// Equal values need not be written alike: 0 and -0 are equal, and so are units whose factors come
/// in another order.
extension Metadata {
  /// Whether the entries but the sync identifier are the same, to the last bit and letter.
  func othersAreWritten(like metadata: Self) -> Bool {
    guard others.count == metadata.others.count else { return false }
    let (span, other) = (others.span, metadata.others.span)
    // Metadata that were copied are the same without a look.
    guard !span.isIdentical(to: other) else { return true }
    for index in span.indices {
      guard span[index].key == other[index].key,
        span[index].value.isWritten(like: other[index].value)
      else { return false }
    }
    return true
  }

  /// A hash of the values but the sync identifier; the keys hardly differ among samples of a type.
  var foldOfValues: UInt64 {
    var fold: UInt64 = 0
    func mix(_ bits: UInt64) {
      // The low bits of many numbers are zero: the high half of a product is what tells them apart.
      fold = (fold ^ bits) &* Self.goldenRatio
      fold ^= fold >> 32
    }
    let span = others.span
    for index in span.indices {
      switch span[index].value {
      case .number(let number): mix(number.bitPattern)
      case .quantity(let quantity): mix(quantity.value.bitPattern)
      case .date(let date): mix(UInt64(bitPattern: date.millisecondsSince1970))
      case .flag(let flag): mix(flag ? 1 : 2)
      case .text(let text):
        let bytes = text.utf8Span.span
        for place in bytes.indices { mix(UInt64(bytes[place])) }
      }
    }
    return fold &* Self.goldenRatio
  }

  private static let goldenRatio: UInt64 = 0x9E37_79B9_7F4A_7C15
}

extension MetadataValue {
  fileprivate func isWritten(like other: Self) -> Bool {
    switch (self, other) {
    case (.number(let number), .number(let other)): number.bitPattern == other.bitPattern
    case (.quantity(let quantity), .quantity(let other)):
      quantity == other && quantity.unit.unitString == other.unit.unitString
    default: self == other
    }
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

  /// The version of a sample with a sync identifier.
  ///
  /// HealthKit: `HKMetadataKeySyncVersion`.
  public var syncVersion: Int? { number(.syncVersion).flatMap { Int(exactly: $0) } }

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
