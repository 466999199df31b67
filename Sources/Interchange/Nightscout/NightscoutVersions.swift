internal import Quantities
internal import StructuredText

/// Documents of which another version stands in the same files.
///
/// A dump that was made while a bolus or a temp basal ran has what was asked for; a later one has
/// under the same identity, kind and time what was given. Documents that share an identity alone,
/// such as the parts of a divided temp basal, are no versions.
struct NightscoutVersions {
  private struct Key: Hashable {
    var name: String
    var kind: String
    var start: Instant
  }

  /// The places of the documents that another version replaces.
  private(set) var replaced: Set<TextPosition> = []
  private var latest: [Key: (document: JSONNode, written: Double)] = [:]

  /// What is said of a document that is replaced.
  static let reason =
    "another version of the document replaces it: the one written last, as far as that is told, "
    + "else the one read last"

  /// Takes in the documents of a file.
  mutating func add(fileOf root: JSONNode) {
    // What is wrong with the file is told where it is read.
    let file = JSONField(root, problems: ProblemList(limit: 1))
    for document in NightscoutDump.documents(of: file) { add(document) }
  }

  private mutating func add(_ document: JSONNode) {
    guard let key = Self.key(of: document) else { return }
    let written = NightscoutAmounts.number(document["srvModified"]) ?? 0
    guard let other = latest[key] else {
      latest[key] = (document, written)
      return
    }
    if JSONValue(document.withoutNulls) == JSONValue(other.document.withoutNulls) { return }
    if written < other.written {
      replaced.insert(document.position)
    } else {
      replaced.insert(other.document.position)
      latest[key] = (document, written)
    }
  }

  /// What versions of a document have in common; `nil` for one without identity or time, and for
  /// profiles, of which each held in its time.
  private static func key(of document: JSONNode) -> Key? {
    guard document["store"] == nil, let name = name(of: document), let start = start(of: document)
    else { return nil }
    let kinds = ["eventType", "_type", "type"].compactMap { document[$0]?.string }
    return Key(name: name, kind: kinds.first ?? "", start: start)
  }

  /// By what a document is known: the third version of Nightscout's interface has an `identifier`
  /// in place of the database's `_id`.
  static func name(of document: JSONNode) -> String? {
    ["_id", "syncIdentifier", "identifier"].lazy.compactMap { document[$0]?.string }.first
  }

  /// The milliseconds since 1970 that a document states as its `date`, which some programs write
  /// with a fraction or as a text; `nil` where it states none.
  static func milliseconds(of document: JSONNode) -> Int64? {
    if let exact = document["date"]?.integer { return exact }
    guard let number = NightscoutAmounts.number(document["date"]), number.magnitude < 1e15 else {
      return nil
    }
    // As JavaScript has it, in which Nightscout is written.
    return Int64(number.rounded(.towardZero))
  }

  private static func start(of document: JSONNode) -> Instant? {
    if let milliseconds = milliseconds(of: document) {
      return Instant(millisecondsSince1970: milliseconds)
    }
    for name in ["created_at", "timestamp", "dateString"] {
      if let text = document[name]?.string { return Instant(nightscout: text) }
    }
    return nil
  }
}

extension Instant {
  /// Reads a time of Nightscout's; a blank may stand in place of the `T`, as tconnectsync has it.
  init?(nightscout text: String) {
    guard
      let instant = Instant(recorded: text)
        ?? Instant(recorded: text.replacing(" ", with: "T", maxReplacements: 1))
    else { return nil }
    self = instant
  }
}
