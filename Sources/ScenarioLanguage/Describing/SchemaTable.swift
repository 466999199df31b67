internal import Quantities
public import StructuredText

/// The reference of the format, made from the schema.
public struct SchemaTable: Sendable {
  /// A key with its whole path.
  public struct Row: Sendable {
    /// The path, such as `events[].meal.grams`; `<name>` stands for a name the author chooses.
    public var path: String
    /// What the value may be, in words.
    public var type: String
    /// What the value may be.
    var shape: Shape
    /// The default, as a file would write it; `nil` for none.
    public var standard: String?
    /// Whether the key must be there.
    public var isRequired: Bool
    /// What the value means.
    public var meaning: String
    /// Whether this version does what the key asks.
    public var isSupported: Bool
    /// The key beside which this one, or the object that it stands in, may stand; nothing when it
    /// may always stand.
    public var beside: String?

    /// Whether it holds insulin, of which there are whole milliunits alone.
    public var isInsulin: Bool { type.hasSuffix(Form<InsulinAmount>.wholeWords) }

    /// The row for programs.
    public var json: JSONValue {
      var members: [JSONValue.Member] = [
        .init("path", .string(path)), .init("type", .string(type)),
        .init("required", .bool(isRequired)),
        .init("default", standard.map { .string($0) } ?? .null),
        .init("meaning", .string(meaning)), .init("supported", .bool(isSupported)),
      ]
      if let beside { members.append(.init("beside", .string(beside))) }
      return .object(members)
    }
  }

  /// Every key of the format, each object before what it holds.
  public let rows: [Row]

  /// Makes the table of an object; what some keys hold, by their paths, is left out.
  public init(_ root: ObjectShape, leavingOut paths: Set<String> = []) {
    var rows: [Row] = []
    Self.append(root, path: "", beside: nil, isSupported: true, to: &rows)
    self.rows = rows.filter { row in !paths.contains { row.path.hasPrefix("\($0).") } }
  }

  private static func append(
    _ object: ObjectShape, path: String, beside: String?, isSupported: Bool, to rows: inout [Row]
  ) {
    for key in object.keys + object.kinds {
      append(key, path: path, beside: beside, isSupported: isSupported, to: &rows)
      for companion in key.companions {
        append(
          companion, path: path, beside: key.name, isSupported: isSupported && key.isSupported,
          to: &rows)
      }
    }
  }

  private static func append(
    _ key: SchemaKey, path: String, beside: String?, isSupported: Bool, to rows: inout [Row]
  ) {
    let isSupported = isSupported && key.isSupported
    let full = path.isEmpty ? key.name : "\(path).\(key.name)"
    rows.append(
      Row(
        path: full, type: key.shape.words, shape: key.shape, standard: key.standard,
        isRequired: key.isRequired,
        meaning: key.meaning, isSupported: isSupported, beside: beside))
    append(contentsOf: key.shape, path: full, beside, isSupported, to: &rows)
  }

  private static func append(
    contentsOf shape: Shape, path: String, _ beside: String?, _ isSupported: Bool,
    to rows: inout [Row]
  ) {
    func append(_ shape: Shape, at path: String) {
      Self.append(contentsOf: shape, path: path, beside, isSupported, to: &rows)
    }
    switch shape {
    case .object(let object):
      Self.append(object, path: path, beside: beside, isSupported: isSupported, to: &rows)
    case .list(let item): append(item, at: "\(path)[]")
    case .listOrOne(let item): append(item, at: path)
    case .map(let value): append(value, at: "\(path).<name>")
    case .either(let shapes): for shape in shapes { append(shape, at: path) }
    default: break
    }
  }

  // MARK: - Forms

  /// The table for programs.
  public var json: JSONValue {
    ["format": .string(ScenarioDocument.format), "keys": .array(rows.map(\.json))]
  }

  /// The rows of a key and of what it holds, in their order; none where no key has that path.
  public func rows(at path: String) -> [Row] {
    rows.filter { row in
      guard row.path.hasPrefix(path) else { return false }
      let rest = row.path.dropFirst(path.count)
      return rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[]")
    }
  }

  /// The table for people, in Markdown, with a heading for each top-level key that holds others.
  public var markdown: String {
    var text = ""
    var lines = Self.head
    var section = ""
    let tops = rows.filter { !$0.path.contains(".") && !$0.path.contains("[") }
    for row in tops { lines += Self.line(row, prefix: "") }
    text += "### Top level\n\n\(lines)"
    lines = ""
    for row in rows {
      let top = String(row.path.prefix { $0 != "." && $0 != "[" })
      guard top.count < row.path.count else { continue }
      if top != section {
        text += lines.isEmpty ? "" : lines
        lines = "\n### `\(top)`\n\n\(Self.head)"
        section = top
      }
      lines += Self.line(row, prefix: top)
    }
    return text + lines
  }

  private static let head = "| Key | Value | Default | Meaning |\n| --- | --- | --- | --- |\n"

  private static func line(_ row: Row, prefix: String) -> String {
    var path = Substring(row.path)
    if !prefix.isEmpty { path = path.dropFirst(prefix.count) }
    if path.hasPrefix(".") { path = path.dropFirst() }
    if path.hasPrefix("[].") { path = path.dropFirst(3) }
    let standard: String =
      if row.isRequired { "**required**" } else { row.standard.map(code) ?? "" }
    let beside = row.beside.map { " (beside `\($0)`)" } ?? ""
    let mark = row.isSupported ? "" : " †"
    return "| `\(path)`\(mark)\(beside) | \(row.type) | \(standard) | \(row.meaning) |\n"
  }

  /// A default as code when it is a value, and as it is when it is a phrase.
  private static func code(_ text: String) -> String {
    let first = text.first ?? " "
    let isValue =
      "'[{".contains(first) || text == "true" || text == "false" || Double(text) != nil
    return isValue ? "`\(text)`" : text
  }
}
