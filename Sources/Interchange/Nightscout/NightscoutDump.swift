internal import StructuredText

/// The documents of a file of Nightscout, in whichever form its interfaces answer.
///
/// The first version of the interface answers with a list of documents, or with one alone, as for
/// the profile that is in force; the third with an object that has either as its `result`. A dump
/// of several kinds has a list of each (`nightscout/cgm-remote-monitor`, `lib/api`, `lib/api3`).
enum NightscoutDump {
  /// The names under which an object has its documents.
  private static let names = ["entries", "treatments", "profile", "devicestatus", "result"]

  /// What a document has that no dump has.
  private static let marks = [
    "eventType", "_type", "sgv", "mbg", "store", "loop", "openaps", "insulin", "carbs",
  ]

  /// The documents of a file; reports one that has none in a form that is known.
  static func documents(of file: JSONField) -> [JSONNode] {
    guard let root = file.node else { return [] }
    if root.items != nil { return items(of: file) }
    if marks.contains(where: { root[$0] != nil }) { return [root] }
    let lists = names.map { file[$0] }.filter(\.exists)
    guard !lists.isEmpty else {
      file.error(
        "This is in no form of Nightscout's that is read: a list of documents, one document, or an "
          + "object that has them as \"entries\", \"treatments\", \"profile\", \"devicestatus\" or "
          + "\"result\".")
      return []
    }
    return lists.flatMap(items)
  }

  /// The documents of a list; one that stands in its place is alone.
  private static func items(of list: JSONField) -> [JSONNode] {
    guard let node = list.node, !node.isNull else { return [] }
    if node.members != nil { return [node] }
    return (list.items() ?? []).compactMap(\.node)
  }

  /// The documents that a file has in lists of other names, each with that of its list.
  static func unread(of file: JSONField) -> [(list: String, document: JSONNode)] {
    guard let root = file.node, !marks.contains(where: { root[$0] != nil }) else { return [] }
    return (root.members ?? []).filter { !names.contains($0.key) }.flatMap { member in
      (member.value.items ?? []).filter { $0.members != nil }.map { (member.key, $0) }
    }
  }
}
