extension UploadRecord {
  /// The record as one line of JSON without its line break, for a receiver that reads lines.
  ///
  /// The receiver acknowledges each line with `ok` before the next is sent.
  public var line: String {
    var fields = [
      ("number", "\(upload.number)"),
      ("operation", Self.quoted(upload.operation == .add ? "add" : "delete")),
      ("type", Self.quoted(upload.type.identifier)), ("uuid", Self.quoted("\(upload.uuid)")),
    ]
    if let sample {
      fields.append(("start", Self.quoted("\(sample.start)")))
      fields.append(("end", Self.quoted("\(sample.end)")))
      if let value = sample.storedValue { fields.append(("value", "\(value)")) }
      if let unit = sample.type.unit { fields.append(("unit", Self.quoted("\(unit)"))) }
      if let category = sample.category { fields.append(("value", "\(category)")) }
      if let source = sample.source {
        fields.append(("source", Self.quoted(source.bundleIdentifier)))
      }
      let metadata = sample.metadata.entries.map {
        "\(Self.quoted($0.key.rawValue)):\(Self.quoted("\($0.value)"))"
      }
      if !metadata.isEmpty { fields.append(("metadata", "{\(metadata.joined(separator: ","))}")) }
    }
    return "{\(fields.map { "\(Self.quoted($0.0)):\($0.1)" }.joined(separator: ","))}"
  }

  /// A text as JSON writes it.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
