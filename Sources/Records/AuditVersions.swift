internal import HealthStore
internal import Quantities
internal import StructuredText

/// Finds samples of a source that stand under one sync identifier.
///
/// A health store keeps one sample of an identifier, that with the highest version, and of equal
/// versions the one that came first. Where a record has several of them, the others repeat what
/// that one says, and count as there twice; where they cannot be one dose (``IdentifierClash``)
/// each of them counts.
struct AuditVersions {
  private(set) var findings: [AuditFinding] = []
  /// The samples in whose place a health store has another version.
  private(set) var outdated: Set<SampleUUID> = []

  init(book: AuditBook, judging options: Audit.Options) {
    for (_, name, own) in book.insulinBySource { find(in: own, of: name, options) }
  }

  private mutating func find(in own: [AuditRecord], of name: String, _ options: Audit.Options) {
    var byIdentifier: [String: [AuditRecord]] = [:]
    for record in own {
      if let identifier = record.metadata.syncIdentifier {
        byIdentifier[identifier.description, default: []].append(record)
      }
    }
    var versions: [AuditFinding.Occurrence] = []
    var clashes: [AuditFinding.Occurrence] = []
    for identifier in byIdentifier.keys.sorted() {
      guard let records = byIdentifier[identifier], records.count > 1 else { continue }
      let kept = Self.kept(of: records)
      let isOne = records.allSatisfy { !Self.cannotBeOne($0, kept) }
      let others = isOne ? records.filter { $0.sample.uuid != kept.sample.uuid } : []
      outdated.formUnion(others.map(\.sample.uuid))
      guard var place = options.place(of: isOne ? others : records, among: records)
      else { continue }
      if isOne {
        versions.append(place)
      } else {
        // Each of them counts.
        place.amount = 0
        clashes.append(place)
      }
    }
    add(
      "Two versions of one sample", at: versions, of: name, what: "more than once",
      consequence: "A health store keeps the newest version, and of equal ones that written first; "
        + "all are counted.")
    add(
      "One sync identifier of two doses", at: clashes, of: name,
      what: "for doses with other units at other times",
      consequence: "Where there are several, the record is of two people.")
  }

  /// Adds a finding where there is an occurrence of it.
  private mutating func add(
    _ title: String, at places: [AuditFinding.Occurrence], of name: String, what: String,
    consequence: String
  ) {
    guard !places.isEmpty else { return }
    findings.append(
      AuditFinding(
        kind: .syncConflict, severity: .fault, sources: [name], title: title,
        cause: "\(WordList.counted(places.count, "sync identifier", "stands")) \(what).",
        consequence: consequence, occurrences: places))
  }

  /// The sample that a health store would have kept; of equal versions the one written first.
  private static func kept(of records: [AuditRecord]) -> AuditRecord {
    records.dropFirst().reduce(records[0]) { kept, record in
      let (own, other) = (record.metadata.syncVersion ?? 0, kept.metadata.syncVersion ?? 0)
      let isFirst = (record.created, record.place) < (kept.created, kept.place)
      return own > other || (own == other && isFirst) ? record : kept
    }
  }

  private static func cannotBeOne(_ one: AuditRecord, _ other: AuditRecord) -> Bool {
    one.metadata.syncVersion == other.metadata.syncVersion
      && IdentifierClash.areApart(one.sample, other.sample)
  }
}
