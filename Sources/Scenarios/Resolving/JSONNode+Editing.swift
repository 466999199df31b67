internal import StructuredText

extension JSONNode {
  /// An object whose keys and values all stand at one place.
  init(_ members: [(key: String, value: JSONNode.Value)], at position: TextPosition) {
    let members = members.map { member in
      JSONMember(
        key: member.key, keyPosition: position, value: JSONNode(member.value, at: position))
    }
    self.init(.object(members), at: position)
  }

  /// The object with another value for a key; a new key comes last.
  func setting(_ key: String, to value: JSONNode) -> JSONNode {
    var members = members ?? []
    if let place = members.firstIndex(where: { $0.key == key }) {
      members[place].value = value
    } else {
      members.append(JSONMember(key: key, keyPosition: value.position, value: value))
    }
    return JSONNode(.object(members), at: position)
  }

  /// The object with another value for a key, at the place of the object.
  func setting(_ key: String, to value: JSONNode.Value) -> JSONNode {
    setting(key, to: JSONNode(value, at: position))
  }

  /// The object without some of its keys.
  func removing(_ keys: Set<String>) -> JSONNode {
    JSONNode(.object((members ?? []).filter { !keys.contains($0.key) }), at: position)
  }
}

extension JSONNode.Value {
  /// A list of texts, all at one place.
  static func texts(_ texts: [String], at position: TextPosition) -> Self {
    .array(texts.map { JSONNode(.string($0), at: position) })
  }

  /// A number, as an integer where it is one.
  static func written(_ number: Double) -> Self {
    Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }
}
