import Quantities
public import StructuredText

/// The format as a JSON Schema, by which an editor completes and checks a file as it is typed.
///
/// It is made from the same keys as the check. What a schema cannot say is left to `loopsim check`:
/// times that must lie within the run, keys that exclude one another, names that refer to others.
/// A file that extends another may leave out what it inherits, and may edit it (`$append` and so
/// on), so that keys are required only in items of lists, which are always whole.
///
/// Source: JSON Schema, draft 2020-12 (json-schema.org).
public struct EditorSchema: Sendable {
  /// The schema.
  public let json: JSONValue

  private static let edit = "edit"
  private static let variant = "variant"

  /// Makes the schema of a file.
  ///
  /// - Parameters:
  ///   - root: The shape of the file.
  ///   - excluded: The keys that belong to the file as a whole, which no variant has.
  public init(_ root: ObjectShape, outsideVariants excluded: [String]) {
    var writer = Writer()
    let whole = writer.object(root, path: "", isItem: false)
    writer.describeVariant(of: root.keys.filter { !excluded.contains($0.name) })
    var members: [JSONValue.Member] = [
      .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
      .init("$id", .string("urn:loopsim:\(ScenarioDocument.format.replacing("/", with: ":"))")),
      .init("title", "A loopsim scenario"),
    ]
    members += whole
    // A file that extends another may inherit it.
    members.append(.init("anyOf", [["required": ["format"]], ["required": ["extends"]]]))
    members.append(.init("$defs", .object(writer.definitions)))
    json = .object(members)
  }

  /// Turns shapes into schemas, and keeps what several objects share.
  private struct Writer {
    var definitions: [JSONValue.Member] = [
      .init(
        edit,
        [
          "description": "An edit of the inherited value.",
          "type": "object",
          "properties": [
            "$append": ["type": "array", "description": "Items added after the inherited ones."],
            "$prepend": ["type": "array", "description": "Items added before the inherited ones."],
            "$remove": ["const": true, "description": "Takes the inherited value away."],
            "$merge": [
              "type": "object",
              "description": "Items laid over the inherited ones that they match.",
              "properties": ["byKey": ["type": "string"], "items": ["type": "array"]],
              "required": ["byKey", "items"],
            ],
          ],
          "minProperties": 1,
          "additionalProperties": false,
        ])
    ]

    // MARK: - Objects

    /// The members of the schema of an object; an item of a list is always whole.
    mutating func object(_ shape: ObjectShape, path: String, isItem: Bool) -> [JSONValue.Member] {
      guard !shape.kinds.isEmpty else {
        return closed(properties(shape.keys, path: path), required(shape.keys, isItem))
      }
      let shared = shape.keys.map { key in
        JSONValue.Member(key.name, reference(to: key, path: path))
      }
      let alternatives = shape.kinds.map { kind in
        let own = properties([kind] + kind.companions, path: path)
        let names = required(shape.keys, isItem) + [kind.name]
        let head: [JSONValue.Member] = [
          .init("title", .string(kind.name)), .init("description", .string(kind.meaning)),
        ]
        return JSONValue.object(head + closed(shared + own, names))
      }
      return [.init("type", "object"), .init("oneOf", .array(alternatives))]
    }

    private func closed(
      _ properties: [JSONValue.Member], _ required: [String]
    ) -> [JSONValue.Member] {
      var members: [JSONValue.Member] = [.init("type", "object")]
      let note = JSONValue.Member("note", ["description": "A remark, which nothing interprets."])
      let isNoted = properties.contains { $0.key == note.key }
      members.append(.init("properties", .object(isNoted ? properties : properties + [note])))
      members.append(.init("patternProperties", ["^x-": true]))
      members.append(.init("additionalProperties", false))
      if !required.isEmpty {
        members.append(.init("required", .array(required.map { .string($0) })))
      }
      return members
    }

    private func required(_ keys: [SchemaKey], _ isItem: Bool) -> [String] {
      isItem ? keys.filter(\.isRequired).map(\.name) : []
    }

    private mutating func properties(_ keys: [SchemaKey], path: String) -> [JSONValue.Member] {
      keys.map { JSONValue.Member($0.name, property($0, path: path)) }
    }

    /// Keeps a key once that many alternatives have, and refers to it.
    private mutating func reference(to key: SchemaKey, path: String) -> JSONValue {
      let name = path.isEmpty ? key.name : "\(path).\(key.name)"
      if !definitions.contains(where: { $0.key == name }) {
        definitions.append(.init(name, property(key, path: path)))
      }
      return ["$ref": .string("#/$defs/\(name)")]
    }

    private mutating func property(_ key: SchemaKey, path: String) -> JSONValue {
      let own =
        path.isEmpty && key.name == Overlay.variantsKey
        ? named(variant)
        : schema(key.shape, path: path.isEmpty ? key.name : "\(path).\(key.name)")
      var members: [JSONValue.Member] = []
      var meaning = key.meaning
      if let refusal = key.refusal { meaning += " Refused by this version: \(refusal)" }
      var standard: JSONValue?
      if let text = key.standard {
        if let node = SchemaKey.value(of: text, at: key.name) {
          standard = JSONValue(node)
        } else {
          meaning += " Without it: \(text)."
        }
      }
      members.append(.init("description", .string("\(meaning) (\(key.shape.words))")))
      if let standard { members.append(.init("default", standard)) }
      if key.refusal != nil { members.append(.init("deprecated", true)) }
      members.append(.init("anyOf", .array([own, orEdit])))
      return .object(members)
    }

    private var orEdit: JSONValue { ["$ref": .string("#/$defs/\(EditorSchema.edit)")] }

    // MARK: - Variants

    /// A variant, or that the one of an extended file is taken away.
    private var variant: JSONValue {
      ["anyOf": [["$ref": .string("#/$defs/\(EditorSchema.variant)")], orEdit]]
    }

    /// Keeps what a variant is: some keys of the file, as they are there.
    mutating func describeVariant(of keys: [SchemaKey]) {
      let properties = keys.map {
        JSONValue.Member($0.name, ["$ref": .string("#/properties/\($0.name)")])
      }
      definitions.append(.init(EditorSchema.variant, .object(closed(properties, []))))
    }

    /// An object of names that the author chooses, each with a value.
    private func named(_ value: JSONValue) -> JSONValue {
      [
        "type": "object", "properties": ["note": true], "patternProperties": ["^x-": true],
        "additionalProperties": value,
      ]
    }

    // MARK: - Values

    private mutating func schema(_ shape: Shape, path: String) -> JSONValue {
      switch shape {
      case .schedule(let value):
        let entry = pair(.textSchema, schema(value, path: "\(path)[]"))
        return ["type": "array", "items": entry, "minItems": 1, "maxItems": 48]
      case .list(let item): return ["type": "array", "items": self.item(item, path: path)]
      case .pair(let item, _):
        let value = self.item(item, path: path)
        return pair(value, value)
      case .listOrOne(let item):
        let value = self.item(item, path: path)
        return ["anyOf": [value, ["type": "array", "items": value]]]
      case .object(let object): return .object(self.object(object, path: path, isItem: false))
      case .map(let value): return named(schema(value, path: "\(path).<name>"))
      case .either(let shapes):
        return ["anyOf": .array(shapes.map { schema($0, path: path) })]
      case .plain(let plain): return plain.schema
      }
    }

    /// An item of a list; objects in lists are whole.
    private mutating func item(_ shape: Shape, path: String) -> JSONValue {
      guard case .object(let object) = shape else { return schema(shape, path: "\(path)[]") }
      return .object(self.object(object, path: "\(path)[]", isItem: true))
    }

    private func pair(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
      [
        "type": "array", "prefixItems": [first, second], "minItems": 2, "maxItems": 2,
      ]
    }
  }
}
