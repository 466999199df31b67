import Quantities
package import StructuredText

/// What a value that holds no others may be: in words, for the check, and as a JSON Schema.
public struct PlainShape: Sendable {
  // What is said of a type is made where it is read: most runs read none of the hundreds that the
  // language has.
  let makeWords: @Sendable () -> String
  let makePhrase: @Sendable () -> String?
  let makeSchema: @Sendable () -> JSONValue

  /// The type in a few words, for the reference table: "duration", "number 0 … 5 U".
  var words: String { makeWords() }
  /// The kinds of JSON values that can be one at all.
  let kinds: [JSONKind]
  /// The type as a JSON Schema.
  var schema: JSONValue { makeSchema() }
  /// Reports what is wrong with a value.
  let check: @Sendable (Field) -> Void

  /// The type as a sentence says what a value must be: "a number from 0 to 5 U".
  var phrase: String { makePhrase().map(Self.spelled) ?? Self.sentence(words) }

  /// Bounds in words: "from 0 to 5" for "0 … 5".
  private static func spelled(_ text: String) -> String {
    guard let sign = text.firstRange(of: " … ") else {
      return text.replacing(" ≥ ", with: " of at least ")
    }
    let start = text[..<sign.lowerBound].lastIndex(of: " ").map(text.index(after:))
    let low = start ?? text.startIndex
    return "\(text[..<low])from \(text[low..<sign.lowerBound]) to \(text[sign.upperBound...])"
  }

  /// The words with an article, and with their bounds spelled out.
  static func sentence(_ words: String) -> String {
    let plain = words.replacing("`", with: "")
    return (plain.first.map { "aeio".contains($0) } ?? false ? "an " : "a ") + spelled(plain)
  }
}

extension Form {
  /// A value that holds no others.
  ///
  /// - Parameters:
  ///   - words: The type, for the reference.
  ///   - phrase: The type in a sentence, where that is not the words with an article.
  ///   - kinds: The kinds of JSON values that can be one at all.
  ///   - schema: The type as a JSON Schema.
  ///   - check: Reports what is wrong with a value, where that is more than what reading reports.
  ///   - read: Reads a value.
  /// - Returns: The form.
  package static func plain(
    _ words: @autoclosure @escaping @Sendable () -> String,
    phrase: @autoclosure @escaping @Sendable () -> String? = nil, _ kinds: [JSONKind],
    _ schema: @autoclosure @escaping @Sendable () -> JSONValue,
    check: (@Sendable (Field) -> Void)? = nil, _ read: @escaping @Sendable (Field) -> Value?
  ) -> Self {
    Form(
      .plain(
        PlainShape(
          makeWords: words, makePhrase: phrase, makeSchema: schema, kinds: kinds,
          check: check ?? { _ = read($0) })), read)
  }
}

extension ClosedRange {
  /// The range in words, such as " 0 … 5"; empty for one without limits.
  fileprivate func words(_ text: (Bound) -> String, isOpen: Bool) -> String {
    isOpen ? " ≥ \(text(lowerBound))" : " \(text(lowerBound)) … \(text(upperBound))"
  }
}

extension ClosedRange<Double> {
  var words: String {
    if lowerBound <= -1e9, upperBound >= 1e9 { return "" }
    return words(JSONField.shortText, isOpen: upperBound >= 1e9)
  }
}

extension ClosedRange<Int> {
  var words: String { words({ "\($0)" }, isOpen: upperBound >= 1_000_000_000) }
}

extension ClosedRange<TimeSpan> {
  var words: String {
    guard upperBound >= .days(36_525) else { return words({ "\($0)" }, isOpen: false) }
    if lowerBound < .zero { return ", may be negative" }
    return lowerBound == .zero ? "" : words({ "\($0)" }, isOpen: true)
  }
}

// MARK: - JSON Schema

extension JSONValue {
  package static let textSchema: JSONValue = ["type": "string"]
  static let spanSchema: JSONValue = [
    "type": "string", "pattern": #"^[+-]?([0-9]+(\.[0-9]+)?(d|h|ms|m|s))+$"#,
  ]

  static func pairSchema(_ item: JSONValue) -> JSONValue {
    ["type": "array", "items": item, "minItems": 2, "maxItems": 2]
  }

  static func enumSchema(_ words: [String]) -> JSONValue {
    ["enum": .array(words.map { .string($0) })]
  }

  static func integerSchema(_ range: ClosedRange<Int>) -> JSONValue {
    let schema: JSONValue = ["type": "integer", "minimum": .integer(Int64(range.lowerBound))]
    return range.upperBound == .max
      ? schema : schema.with("maximum", .integer(Int64(range.upperBound)))
  }

  static func numberSchema(_ range: ClosedRange<Double>) -> JSONValue {
    var schema: JSONValue = ["type": "number"]
    if range.lowerBound > -1e9 { schema = schema.with("minimum", .number(range.lowerBound)) }
    if range.upperBound < 1e9 { schema = schema.with("maximum", .number(range.upperBound)) }
    return schema
  }

  /// A glucose value in either unit, for a schema cannot know which one a file uses.
  static func glucoseSchema(_ range: ClosedRange<Double>) -> JSONValue {
    let low = GlucoseConcentration.mgdL(range.lowerBound).mmolL
    return numberSchema(min(range.lowerBound, low)...range.upperBound)
  }

  /// The object with one more member.
  private func with(_ key: String, _ value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members + [.init(key, value)])
  }
}
