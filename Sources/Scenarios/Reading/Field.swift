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
  private let value: JSONField
  /// What it is read against.
  public let context: ReadingContext

  /// Creates a `Field` from its parts; see the properties.
  public init(_ json: JSONField, in context: ReadingContext) {
    value = json
    self.context = context
  }

  /// The value itself.
  public var json: JSONField {
    context.recorder?.note(value.path)
    return value
  }

  /// The root of a scenario.
  public init(_ tree: JSONNode, in context: ReadingContext, problems: ProblemList) {
    self.init(JSONField(tree, problems: problems), in: context)
  }

  /// The root of a scenario, with the context that the scenario itself states.
  public init(_ tree: JSONNode, problems: ProblemList) {
    self.init(tree, in: ReadingContext(of: tree, problems: problems), problems: problems)
  }

  /// The same value, for which times count from another instant.
  public func anchored(at instant: Instant) -> Field {
    Field(value, in: context.anchored(at: instant))
  }

  /// The same value with another list for its problems.
  public func reporting(to problems: ProblemList) -> Field {
    let copy = JSONField(
      node: value.node, path: value.path, problems: problems, isRequired: value.isRequired,
      position: value.position)
    return Field(copy, in: context)
  }

  /// Whether the file has the value.
  public var exists: Bool { json.exists }
  /// The value as it was read; `nil` where the file has none.
  public var node: JSONNode? { json.node }
  /// The address of the value.
  public var path: String { value.path }
  /// Where the value stands, or the object that lacks it.
  public var position: TextPosition { value.position }
  /// Where problems go.
  public var problems: ProblemList { value.problems }

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

  /// What a key says, or the format's default where it is missing or cannot be used.
  ///
  /// The schema is the only place that states the default; a value that cannot be used has been
  /// reported. Whether there is a default that can be read depends on the program alone, not on the
  /// file; a test takes every default that the source asks for.
  ///
  ///     let every = clock.standard("loopEvery") { $0.duration(in: .minutes(1)...(.hours(1))) }
  func standard<Value>(
    _ key: String, file: StaticString = #fileID, _ read: (Field) -> Value?
  ) -> Value {
    let field = self[key]
    if field.exists, let value = read(field) { return value }
    context.recorder?.noteDefault(key, file: file)
    let standard = SchemaDefaults.field(at: field.path)
    // The schema states glucose in mg/dL, whatever the unit of the file.
    var context = context
    context.glucoseUnit = .milligramsPerDecilitre
    guard let value = read(Field(standard, in: context)) else {
      preconditionFailure("The schema has no default for \(field.path) that can be read.")
    }
    return value
  }

  // MARK: - Plain values

  /// The value as a text; `nil` where it is none.
  public func text() -> String? { json.text() }
  /// The value as `true` or `false`; `nil` where it is neither.
  public func bool() -> Bool? { json.bool() }

  /// The range of a value: the one given, else the format's own at this place.
  ///
  /// A value outside the format, as in tests, has the widest range of its kind.
  func range<Bound>(
    _ given: ClosedRange<Bound>?, else widest: ClosedRange<Bound>,
    _ pick: (Shape) -> ClosedRange<Bound>?
  ) -> ClosedRange<Bound> {
    if let given { return given }
    if let own = SchemaShapes.range(at: path, pick) { return own }
    context.recorder?.noteUnranged(path)
    return widest
  }

  /// The number, in the format's range for it unless another is given; the unit is for sentences.
  public func number(in range: ClosedRange<Double>? = nil, unit: String? = nil) -> Double? {
    let unlimited = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    let own = unit ?? SchemaShapes.shapes(at: path).lazy.compactMap(\.unit).first
    return json.number(in: self.range(range, else: unlimited, \.numbers), unit: own ?? "")
  }

  /// The whole number, in the format's range for it unless another is given.
  public func integer(in range: ClosedRange<Int64>? = nil) -> Int64? {
    json.integer(in: self.range(range, else: Int64.min...Int64.max, \.integers))
  }

  /// One of several words.
  public func choice<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type = Choice.self
  ) -> Choice? where Choice.RawValue == String { json.choice(type) }

  /// One of several words.
  public func choice(of words: [String]) -> String? { json.choice(of: words) }

  /// The items of a list.
  public func items() -> [Field]? { json.items()?.map { Field($0, in: context) } }

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
  public func allowOnly(_ keys: [String]) { json.allowOnly(keys) }

  /// The same object, after unknown keys were reported; nothing when this is no object.
  public func object(allowed keys: [String]) -> Field? {
    guard json.members() != nil else { return nil }
    allowOnly(keys)
    return self
  }
}
