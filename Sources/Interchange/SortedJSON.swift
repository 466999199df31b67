import StructuredText

/// Writes JSON in the form of Foundation's encoder with sorted keys and pretty printing.
///
/// Keys are in byte order, indented by two spaces, with ` : ` before the value; `/` is escaped, and
/// whole numbers have no fraction. Tools that compare with the original's output line by line can.
enum SortedJSON {
  static func text(_ value: JSONValue) -> String {
    var text = ""
    append(value, depth: 0, to: &text)
    return text + "\n"
  }

  private static func append(_ value: JSONValue, depth: Int, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let integer): text += integer.description
    case .number(let number): text += number.isFinite ? plain(number) : "null"
    case .string(let string):
      text += JSONWriter().line(.string(string)).replacing("/", with: "\\/")
    case .array(let items):
      appendBlock("[", "]", items, depth: depth, to: &text) { item, text in
        append(item, depth: depth + 1, to: &text)
      }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      appendBlock("{", "}", sorted, depth: depth, to: &text) { member, text in
        append(.string(member.key), depth: 0, to: &text)
        text += " : "
        append(member.value, depth: depth + 1, to: &text)
      }
    }
  }

  private static func appendBlock<Part>(
    _ open: String, _ close: String, _ parts: [Part], depth: Int, to text: inout String,
    _ appendPart: (Part, inout String) -> Void
  ) {
    text += open
    if parts.isEmpty { text += "\n" }
    for (index, part) in parts.enumerated() {
      text += index == 0 ? "\n" : ",\n"
      text += String(repeating: "  ", count: depth + 1)
      appendPart(part, &text)
    }
    text += "\n" + String(repeating: "  ", count: depth) + close
  }

  /// The shortest decimal form that reads back equal, without a needless fraction.
  private static func plain(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
