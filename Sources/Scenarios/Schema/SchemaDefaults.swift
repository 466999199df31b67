import StructuredText

/// The defaults of the format as values: what holds where a key is missing.
enum SchemaDefaults {
  /// The defaults by the paths of their keys; a phrase such as "the model's" is no value, and a key
  /// whose default depends on what it stands beside has none.
  private static let nodes: [String: JSONNode] = {
    var nodes: [String: JSONNode] = [:]
    let rows = Dictionary(grouping: SchemaTable().rows, by: \.path)
    for row in rows.values.compactMap(\.first) {
      guard let text = row.standard, rows[row.path]?.allSatisfy({ $0.standard == text }) == true
      else { continue }
      nodes[row.path] = value(of: text, at: row.path)
    }
    return nodes
  }()

  /// The value that a default's text states; `nil` for a phrase such as "the model's".
  static func value(of text: String, at path: String) -> JSONNode? {
    let reading = JSONReader.read(text: text, file: "the format's default of \(path)")
    return reading.problems.isEmpty ? reading.root : nil
  }

  /// The paths of keys whose default is a value.
  static var paths: [String] { nodes.keys.sorted() }

  /// The default of a key; missing where the schema has none.
  static func field(at path: String) -> JSONField {
    let node = nodes[generalised(path)]
    return JSONField(
      node: node, path: path, problems: ProblemList(), isRequired: false,
      position: node?.position ?? TextPosition(file: path, line: 1, column: 1))
  }

  /// A path as ``SchemaTable`` writes it: `events[3].at[0]` is `events[].at`, and a preset's name
  /// is `<name>`.
  static func generalised(_ path: String) -> String {
    let presets = "therapy.presets."
    guard path.utf8.contains(UInt8(ascii: "[")) || path.hasPrefix(presets) else { return path }
    var bytes: [UInt8] = []
    var isIndex = false
    for byte in path.utf8 {
      if byte == UInt8(ascii: "]") { isIndex = false }
      if !isIndex { bytes.append(byte) }
      if byte == UInt8(ascii: "[") { isIndex = true }
    }
    let result = String(decoding: bytes, as: UTF8.self)
    guard result.hasPrefix(presets) else { return result }
    let rest = result.dropFirst(presets.count)
    let end = rest.firstIndex(of: ".") ?? rest.endIndex
    return "\(presets)<name>\(rest[end...])"
  }
}
