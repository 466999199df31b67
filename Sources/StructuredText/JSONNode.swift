/// A value read from a JSON file, with its place.
public struct JSONNode: Hashable, Sendable {
  /// What a node holds.
  public enum Value: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONNode])
    /// The members in the order of the file; no two have the same key.
    case object([JSONMember])
  }

  /// What it holds.
  public var value: Value
  /// The place of the value's first character.
  public var position: TextPosition

  /// Creates a `JSONNode` from its parts; see the properties.
  public init(_ value: Value, at position: TextPosition) {
    self.value = value
    self.position = position
  }
}

/// A key of a JSON object with its value.
public struct JSONMember: Hashable, Sendable {
  /// The key.
  public var key: String
  /// The place of the key's first character.
  public var keyPosition: TextPosition
  /// The value.
  public var value: JSONNode

  /// Creates a `JSONMember` from its parts; see the properties.
  public init(key: String, keyPosition: TextPosition, value: JSONNode) {
    self.key = key
    self.keyPosition = keyPosition
    self.value = value
  }
}

extension JSONNode {
  /// The names of the files in which the value and those within it stand.
  public var files: Set<String> {
    switch value {
    case .array(let items): items.reduce(into: [position.file]) { $0.formUnion($1.files) }
    case .object(let members):
      members.reduce(into: [position.file]) {
        $0.formUnion($1.value.files.union([$1.keyPosition.file]))
      }
    default: [position.file]
    }
  }

  /// The members of an object that are no remarks; `nil` where the value is none.
  public var statedMembers: [JSONMember]? { members?.filter { !JSONField.isCarried($0.key) } }

  /// The text, when the value is one.
  public var string: String? {
    guard case .string(let text) = value else { return nil }
    return text
  }

  /// The number, when the value is one; an integer beyond 53 bits is rounded.
  public var double: Double? {
    switch value {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// The integer, when the value is one, or a number such as `5.0` that equals one.
  public var integer: Int64? {
    switch value {
    case .integer(let integer): integer
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The truth value, when the value is one.
  public var bool: Bool? {
    guard case .bool(let bool) = value else { return nil }
    return bool
  }

  /// The items, when the value is an array.
  public var items: [JSONNode]? {
    guard case .array(let items) = value else { return nil }
    return items
  }

  /// The members, when the value is an object.
  public var members: [JSONMember]? {
    guard case .object(let members) = value else { return nil }
    return members
  }

  /// Whether it is `null`.
  public var isNull: Bool { value == .null }

  /// The value of a key, when the value is an object that has it.
  public subscript(key: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    for index in members.indices where members[index].key == key { return members[index].value }
    return nil
  }

  /// What kind of value this is, with its article, for sentences: "a number", "an object".
  public var kind: String {
    switch value {
    case .null: "null"
    case .bool: "a truth value"
    case .integer, .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value as a short sentence quotes it: `"dinner"`, `5`, `a list`.
  public var quoted: String {
    switch value {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .string(let text):
      text.unicodeScalars.count <= 60
        ? "\"\(text)\"" : "\"\(String(text.unicodeScalars.prefix(57)))…\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}
