/// A JSON value to be written, without places.
///
/// Literals make trees readable where they are built; the keys of a literal keep their order:
///
///     let summary: JSONValue = ["id": "dinner", "grams": 45, "eaten": true]
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number; one that is not finite is written as `null`, because JSON has no word for it.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// The members in the order in which they are written.
  case object([Member])

  /// A key with its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a key with its value.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value that was read, without its places.
  public init(_ node: JSONNode) {
    self =
      switch node.value {
      case .null: .null
      case .bool(let bool): .bool(bool)
      case .integer(let integer): .integer(integer)
      case .number(let number): .number(number)
      case .string(let text): .string(text)
      case .array(let items): .array(items.map { JSONValue($0) })
      case .object(let members):
        .object(members.map { Member($0.key, JSONValue($0.value)) })
      }
  }

  /// The value of a key, when this is an object that has it.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The items, when this is a list.
  public var items: [JSONValue]? {
    guard case .array(let items) = self else { return nil }
    return items
  }

  /// Whether the value is neither a list nor an object.
  public var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
