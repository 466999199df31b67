public import HealthStore
internal import Quantities

/// One sync identifier in one version under which a source keeps two things that cannot be one.
///
/// Versions of one dose share its time, and a dose that was moved has a higher version. Two doses
/// of other amounts at other times under one identifier and version are those of two people, whose
/// pumps or apps number what they give.
public struct IdentifierClash: Sendable {
  /// The sync identifier.
  public let identifier: SyncIdentifier
  /// The earlier of the two.
  public let first: Sample
  /// The later of the two.
  public let second: Sample

  /// How many clashes make a record that of two people: one may be a damaged sample.
  public static let fewestOfTwoPeople = 3

  private struct Key: Hashable {
    var source: String
    var type: ObjectType
    var identifier: SyncIdentifier
    var version: Int?
  }

  /// The clashes in a record, at most one for each identifier, in the order of the samples.
  public static func all(in samples: [RestoredSample]) -> [IdentifierClash] {
    var first: [Key: Sample] = [:]
    var clashes: [IdentifierClash] = []
    var told: Set<Key> = []
    for restored in samples {
      let sample = restored.sample
      guard let identifier = sample.metadata.syncIdentifier else { continue }
      let key = Key(
        source: sample.source?.bundleIdentifier ?? "", type: sample.type, identifier: identifier,
        version: sample.metadata.syncVersion)
      guard let other = first[key] else {
        first[key] = sample
        continue
      }
      guard areApart(other, sample), told.insert(key).inserted else { continue }
      let isInOrder = other.start <= sample.start
      clashes.append(
        IdentifierClash(
          identifier: identifier, first: isInOrder ? other : sample,
          second: isInOrder ? sample : other))
    }
    return clashes
  }

  /// Whether two samples have other amounts, and a quarter of an hour between them.
  static func areApart(_ one: Sample, _ other: Sample) -> Bool {
    guard let amount = one.storedValue, let second = other.storedValue else { return false }
    let gap = max(one.start, other.start) - min(one.end, other.end)
    return gap > .minutes(15) && (amount - second).magnitude > 5e-4
  }
}
