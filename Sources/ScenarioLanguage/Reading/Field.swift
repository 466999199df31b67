public import Quantities
public import StructuredText

/// A value of a scenario that is being read, with the unit and the clock it is read against.
///
/// Like `JSONField`: every reading function returns nothing for a missing value, which is
/// reported only for a required one, and reports an unusable value once, with its place.
///
///     let meal = event.required("meal")
///     let grams = meal.required("grams").number(in: 0...500, unit: "g")
///     let absorption = meal["absorption"].duration(in: .minutes(15)...(.hours(12))) ?? .hours(3)
public struct Field {
  /// The value itself.
  public let json: JSONField
  /// What it is read against.
  public let context: ReadingContext

  /// Creates a `Field` from its parts; see the properties.
  public init(_ json: JSONField, in context: ReadingContext) {
    self.json = json
    self.context = context
  }

  /// The root of a scenario, or a value that is there at a path of one.
  public init(
    _ node: JSONNode, at path: String = "", in context: ReadingContext, problems: ProblemList
  ) {
    self.init(JSONField(node, at: path, problems: problems), in: context)
  }

  /// An object that says nothing, for what holds by default.
  package static var plain: Field {
    let place = TextPosition(file: "", line: 1, column: 1)
    return Field(JSONNode(.object([]), at: place), in: .plain, problems: ProblemList())
  }

  /// The same value, for which times count from another instant.
  public func anchored(at instant: Instant) -> Field {
    Field(json, in: context.anchored(at: instant))
  }

  /// The same value with another list for its problems.
  public func reporting(to problems: ProblemList) -> Field {
    let copy = JSONField(
      node: json.node, path: json.path, problems: problems, isRequired: json.isRequired,
      position: json.position)
    return Field(copy, in: context)
  }

  /// Whether the file has the value.
  public var exists: Bool { json.exists }
  /// The value as it was read; `nil` where the file has none.
  public var node: JSONNode? { json.node }
  /// The address of the value.
  public var path: String { json.path }
  /// Where the value stands, or the object that lacks it.
  public var position: TextPosition { json.position }
  /// Where problems go.
  public var problems: ProblemList { json.problems }

  /// The value of a key; a missing one is no problem.
  public subscript(key: String) -> Field { Field(json[key], in: context) }

  /// The value of a key; reading it reports when it is missing.
  public func required(_ key: String) -> Field { Field(json.required(key), in: context) }

  /// An item of a list; a missing one is no problem.
  public subscript(index: Int) -> Field { Field(json[index], in: context) }

  /// Reports an error at the place of the value.
  public func error(_ sentence: String) { json.error(sentence) }

  /// Reports a warning at the place of the value.
  public func warning(code: String? = nil, _ sentence: String) {
    json.warning(code: code, sentence)
  }

  /// Reports a note at the place of the value.
  public func note(_ sentence: String) { problems.note(at: position, sentence) }

  /// Reports that something else was expected, or that a required value is missing.
  public func reportUnusable(expected: String) { json.reportUnusable(expected: expected) }

  // MARK: - Plain values

  /// The value as a text; `nil` where it is none.
  public func text() -> String? { json.text() }
  /// The value as `true` or `false`; `nil` where it is neither.
  public func bool() -> Bool? { json.bool() }

  /// The number, in a range where one is given; the unit is for sentences.
  public func number(in range: ClosedRange<Double>? = nil, unit: String = "") -> Double? {
    json.number(in: range, unit: unit)
  }

  /// The whole number, in a range where one is given.
  public func integer(in range: ClosedRange<Int64>? = nil) -> Int64? { json.integer(in: range) }

  /// One of several words.
  public func choice<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type = Choice.self
  ) -> Choice? where Choice.RawValue == String { json.choice(type) }

  /// One of several words.
  public func choice(of words: [String]) -> String? { json.choice(of: words) }

  /// The items of a list.
  public func items() -> [Field]? { json.items()?.map { Field($0, in: context) } }

  /// The items of what is a list; none of anything else, of which others tell that it is none.
  package var listed: [Field] {
    guard let items = node?.items else { return [] }
    return items.indices.map { self[$0] }
  }

  /// The items of what is a list, or what else there is as the only one; of values that cannot be
  /// used, others tell.
  package var listedOrOne: [Field] { exists && node?.items == nil ? [self] : listed }

  /// The items of a list, or the value itself where a single one may stand for a list of one.
  public func itemsOrOne() -> [Field]? {
    guard exists, node?.items == nil else { return items() }
    return [self]
  }

  /// The members of an object, in the order of the file; remarks are left out.
  public func members() -> [(key: String, keyPosition: TextPosition, field: Field)]? {
    json.members()?
      .filter { !JSONField.isCarried($0.key) }
      .map { ($0.key, $0.keyPosition, Field($0.field, in: context)) }
  }

  /// Reports every key that is not among the known ones, with the nearest known one.
  public func allowOnly(_ keys: [String]) {
    for member in node?.members ?? []
    where !keys.contains(member.key) && !JSONField.isCarried(member.key) {
      reportUnknown(member.key, at: member.keyPosition, among: keys)
    }
  }

  /// Refuses a second one of some keys, of which an object has one at most.
  ///
  /// - Parameters:
  ///   - keys: The keys, in the order in which they are named.
  ///   - reason: Why there is one at most, as a clause.
  /// - Returns: Those that are stated.
  @discardableResult
  package func refuseSecond(of keys: [String], _ reason: String) -> [String] {
    let stated = keys.filter { self[$0].exists }
    if stated.count > 1 {
      self[stated[1]].error("\(reason); remove \"\(stated[1])\" or \"\(stated[0])\".")
    }
    return stated
  }

  /// Reports a key that is not among the known ones, which are listed where they are few.
  func reportUnknown(_ key: String, at position: TextPosition, among keys: [String]) {
    // To look for a near name takes long where a file has thousands of such keys.
    guard !problems.omitsErrors else { return }
    let place = path.isEmpty ? "" : " in \"\(path)\""
    let near = OtherWords.suggestion(for: key, among: keys)
    let list =
      near.isEmpty && !keys.isEmpty && keys.count <= SchemaCheck.mostListed
      ? " Known keys: \(keys.joined(separator: ", "))." : ""
    problems.error(at: position, "\"\(key)\" is not a known key\(place).\(near)\(list)")
  }

  /// The same object, after unknown keys were reported; nothing when this is no object.
  public func object(allowed keys: [String]) -> Field? {
    guard json.members() != nil else { return nil }
    allowOnly(keys)
    return self
  }
}
