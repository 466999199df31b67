extension JSONField {
  /// The text.
  public func text() -> String? {
    guard let text = node?.string else {
      reportUnusable(expected: "a text in quotes")
      return nil
    }
    return text
  }

  /// The truth value.
  public func bool() -> Bool? {
    guard let bool = node?.bool else {
      reportUnusable(expected: "true or false")
      return nil
    }
    return bool
  }

  /// The number, which must lie in a range when one is given.
  ///
  /// The unit is for the sentence that reports an unusable value.
  public func number(in range: ClosedRange<Double>? = nil, unit: String = "") -> Double? {
    guard let number = node?.double, range?.contains(number) != false else {
      reportUnusable(expected: Self.expectation("a number", unit: unit, range: range))
      return nil
    }
    return number
  }

  /// The whole number, which must lie in a range when one is given.
  ///
  /// The unit is for the sentence that reports an unusable value.
  public func integer(in range: ClosedRange<Int64>? = nil, unit: String = "") -> Int64? {
    guard let number = node?.integer, range?.contains(number) != false else {
      let unit = unit.isEmpty ? "" : " of \(unit)"
      let bounds = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
      reportUnusable(expected: "a whole number\(unit)\(bounds)")
      return nil
    }
    return number
  }

  /// The items of a list.
  public func items() -> [JSONField]? {
    guard let items = node?.items else {
      reportUnusable(expected: "a list in brackets")
      return nil
    }
    return items.enumerated().map { item($1, at: $0) }
  }

  /// The members of an object as fields, in the order of the file.
  public func members() -> [(key: String, keyPosition: TextPosition, field: JSONField)]? {
    guard let members = node?.members else {
      reportUnusable(expected: "an object in braces")
      return nil
    }
    return members.map { ($0.key, $0.keyPosition, value(of: $0)) }
  }

  /// Reports every key that is not among the known ones, with the nearest known one.
  ///
  /// Keys that begin with `x-`, and `note`, are carried but not interpreted, and always allowed.
  public func allowOnly(_ keys: [String]) {
    for member in node?.members ?? []
    where !keys.contains(member.key) && !Self.isCarried(member.key) {
      let place = path.isEmpty ? "" : " in \"\(path)\""
      problems.error(
        at: member.keyPosition,
        "\"\(member.key)\" is not a known key\(place).\(Self.suggestion(for: member.key, keys))")
    }
  }

  /// Whether a key is a remark that nobody interprets.
  public static func isCarried(_ key: String) -> Bool { key == "note" || key.hasPrefix("x-") }

  /// One of several words.
  public func choice<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type = Choice.self
  ) -> Choice? where Choice.RawValue == String {
    let words = Choice.allCases.map { $0.rawValue }
    guard let word = choice(of: words) else { return nil }
    return Choice(rawValue: word)
  }

  /// One of several words.
  public func choice(of words: [String]) -> String? {
    guard let text = node?.string, words.contains(text) else {
      let list = Self.list(of: words)
      guard let text = node?.string, !words.isEmpty else {
        reportUnusable(expected: "one of \(list)")
        return nil
      }
      error(
        """
        "\(text)" is not a value of "\(path)"; it must be one of \(list).\
        \(NearestName.suggestion(for: text, among: words))
        """)
      return nil
    }
    return text
  }

  /// The most words that a sentence names in full: as many as an expectation has kinds of events,
  /// which stand nowhere else in an error.
  private static let mostWords = 28
  /// How many of more words it names.
  private static let firstWords = 8

  /// The words of a choice in a sentence; of many, only the first.
  private static func list(of words: [String]) -> String {
    let shown = words.count <= mostWords ? words : Array(words.prefix(firstWords))
    let quoted = shown.map { "\"\($0)\"" }.joined(separator: ", ")
    return shown.count < words.count ? "\(quoted), … (\(words.count) in all)" : quoted
  }

  static func suggestion(for key: String, _ keys: [String]) -> String {
    let near = NearestName.suggestion(for: key, among: keys)
    guard near.isEmpty, !keys.isEmpty, keys.count <= 12 else { return near }
    return " Known keys: \(keys.joined(separator: ", "))."
  }

  /// What a number must be, as a sentence says it: "a number of grams from 0 to 500".
  public static func expectation(
    _ what: String, unit: String, range: ClosedRange<Double>?
  ) -> String {
    let unit = unit.isEmpty ? "" : " (\(unit))"
    guard let range else { return what + unit }
    if range.upperBound == .infinity || range.upperBound == .greatestFiniteMagnitude {
      return "\(what) of at least \(shortText(range.lowerBound))\(unit)"
    }
    if range.lowerBound == -.infinity || range.lowerBound == -.greatestFiniteMagnitude {
      return "\(what) of at most \(shortText(range.upperBound))\(unit)"
    }
    return "\(what) from \(shortText(range.lowerBound)) to \(shortText(range.upperBound))\(unit)"
  }

  /// A number without a needless fraction.
  public static func shortText(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
