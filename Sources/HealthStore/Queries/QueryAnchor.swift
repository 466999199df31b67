/// A bookmark of where an anchored query stopped.
///
/// HealthKit: `HKQueryAnchor`.
///
/// It may be kept as text and used again after a restart.
public struct QueryAnchor: Hashable, Comparable, Sendable {
  /// The row up to which everything has been seen.
  public let row: Int64

  /// Creates a bookmark behind a row.
  public init(row: Int64) { self.row = row }

  /// Before everything: all samples are new.
  public static let beginning = Self(row: 0)

  /// The anchor as a text to keep.
  public var encoded: String { "a1:\(row)" }

  /// Reads a kept anchor; nothing when the text is none.
  public init?(encoded: String) {
    guard encoded.hasPrefix("a1:"), let row = Int64(encoded.dropFirst(3)), row >= 0 else {
      return nil
    }
    self.row = row
  }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.row < rhs.row }
}

/// What is left of a deleted sample.
///
/// HealthKit: `HKDeletedObject`.
public struct DeletedObject: Hashable, Sendable {
  /// The identity of the sample.
  public let uuid: SampleUUID
  /// The type of the sample.
  public let type: ObjectType
  /// The sync and external identifiers of the sample.
  public let metadata: Metadata

  init(_ tombstone: Tombstone) {
    uuid = tombstone.uuid
    type = tombstone.type
    var metadata = Metadata()
    if let identifier = tombstone.syncIdentifier, let version = tombstone.syncVersion {
      metadata.setSync(identifier: identifier, version: version)
    }
    if let external = tombstone.externalIdentifier { metadata[.externalUUID] = .text(external) }
    self.metadata = metadata
  }
}

/// What changed since an anchor.
///
/// HealthKit: what the results handler of `HKAnchoredObjectQuery` is given.
public struct SampleChanges: Hashable, Sendable {
  /// New samples, in the order of commits.
  public var added: [Sample]
  /// Deleted samples, in the order of deletion; the client may not have seen some of them.
  public var deleted: [DeletedObject]
  /// Where to go on.
  public var anchor: QueryAnchor
  /// Whether deletions since the anchor may have been forgotten, so that the client should compare
  /// its identities with the live ones.
  public var mayHaveMissedDeletions: Bool

  /// Whether nothing has changed.
  public var isEmpty: Bool { added.isEmpty && deleted.isEmpty }
}
