public import Quantities
internal import StructuredText

/// What a value of a scenario may be.
public indirect enum Shape: Sendable {
  /// Anything; the meaning depends on other keys, which check it.
  case anything
  /// A text.
  case text
  /// `true` or `false`.
  case bool
  /// A number in a range, with its unit in words.
  case number(ClosedRange<Double>, unit: String)
  /// A whole number in a range.
  case integer(ClosedRange<Int64>)
  /// One of several words.
  case choice([String])
  /// The name of a pump.
  case pump
  /// The truth value `true` or `false` alone.
  case only(Bool)

  // Time.
  /// A span of time in a range.
  case duration(ClosedRange<TimeSpan>)
  /// A span of time for each day.
  case durationPerDay
  /// A span, or two between which one is drawn.
  case durationRange
  /// A number or span that is fixed or drawn.
  case law(ClosedRange<Double>, unit: String)
  /// A span of time in a range, fixed or drawn.
  case durationLaw(ClosedRange<TimeSpan>)
  /// A time of day.
  case timeOfDay
  /// A time.
  case time
  /// A time that must lie within the run.
  case timeInRun
  /// A date with a time of day.
  case dateTime
  /// A time zone.
  case zone
  /// A comparison of a series with a number, such as `'glucose.cgm < 70'`.
  case condition
  /// Two times; a span counts from the anchor.
  case window
  /// A time and how long, or two times.
  case during

  // Quantities; the ranges of glucose are in milligrams per decilitre.
  /// A glucose in a range.
  case glucose(ClosedRange<Double>)
  /// A difference of glucose in a range.
  case glucoseChange(ClosedRange<Double>)
  /// A lower and an upper glucose in a range.
  case glucoseRange(ClosedRange<Double>)
  /// An insulin sensitivity.
  case sensitivity
  /// A carbohydrate ratio.
  case carbRatio
  /// Units of insulin in a range.
  case units(ClosedRange<Double>)
  /// A rate of insulin in a range.
  case rate(ClosedRange<Double>)

  // What holds other values.
  /// Values by time of day.
  case schedule(Shape)
  /// A list of values of one shape.
  case list(Shape)
  /// Two values of one shape.
  case pair(Shape)
  /// A value, or a list of them.
  case listOrOne(Shape)
  /// An object with known keys.
  case object(ObjectShape)
  /// An object whose keys are names that the author chooses.
  case map(Shape)
  /// One of several shapes: the first that fits the value.
  case either([Shape])
}

/// The keys of an object.
public struct ObjectShape: Sendable {
  /// Keys that any such object may have.
  public var keys: [SchemaKey]
  /// Keys of which each object has exactly one, which says what it is.
  public var kinds: [SchemaKey]
  /// What the object is called in sentences, such as "an event".
  public var noun: String

  /// The spellings of all of them, but for keys that stand only beside one kind.
  var names: [String] { (keys + kinds).map(\.name) }

  /// Creates a `ObjectShape` from its parts; see the properties.
  public init(_ keys: [SchemaKey], kinds: [SchemaKey] = [], noun: String = "the object") {
    assert(Set(keys.map(\.name)).count == keys.count, "A key stands in an object once.")
    assert(Set(kinds.map(\.name)).count == kinds.count, "A kind of object is known by one key.")
    self.keys = keys
    self.kinds = kinds
    self.noun = noun
  }
}

/// A key of the format with all that is known of it.
public struct SchemaKey: Sendable {
  /// How the key is spelled.
  public var name: String
  /// What its value may be.
  public var shape: Shape
  /// The value that holds when the key is missing, as a file would write it.
  public var standard: String?
  /// Whether the key must be there.
  public var isRequired = false
  /// What the value means, in a sentence or two.
  public var meaning: String
  /// Keys that may stand beside this one because it says what the object is.
  public var companions: [SchemaKey] = []
  /// Why this version does not do what the key asks, in a sentence; nothing where it does.
  ///
  /// A key that it does not know how to follow is refused, never ignored.
  public var refusal: String?
  /// Whether times within count from the `at` of the object around.
  public var isAnchored = false

  /// Creates a key; `standard` is the default as a file would write it.
  public init(_ name: String, _ shape: Shape, _ standard: String? = nil, _ meaning: String) {
    self.name = name
    self.shape = shape
    self.standard = standard
    self.meaning = meaning
  }

  /// The same key, which every object of its kind must have.
  public var required: Self {
    var copy = self
    copy.isRequired = true
    return copy
  }

  /// The value that a default's text states; `nil` for a phrase such as "the model's".
  static func value(of text: String, at name: String) -> JSONNode? {
    let reading = JSONReader.read(text: text, file: "the format's default of \(name)")
    return reading.problems.isEmpty ? reading.root : nil
  }

  /// Whether this version does what the key asks.
  public var isSupported: Bool { refusal == nil }

  /// The same key, which this version refuses; the sentence says why, and what to do.
  public func refused(_ sentence: String) -> Self {
    var copy = self
    copy.refusal = sentence
    return copy
  }

  /// The same key, within which times count from the `at` of the object around.
  public var anchored: Self {
    var copy = self
    copy.isAnchored = true
    return copy
  }

  /// The same key, beside which others may stand.
  public func with(_ companions: [SchemaKey]) -> Self {
    var copy = self
    copy.companions = companions
    return copy
  }
}

extension Shape {
  static let anySpan = Shape.duration(.zero...(.days(36_525)))
  static let fraction = Shape.number(0...1, unit: "")
  static let anyNumber = Shape.number(-1e12...1e12, unit: "")
  static let positive = Shape.number(0...1e12, unit: "")
  static let grams = Shape.number(0...1_000, unit: "g")
  static let anyGlucose = Shape.glucose(1...2_000)
  /// A correction range.
  static let target = Shape.glucoseRange(40...400)
  /// The insulin sensitivities that a file can state, in mg/dL per U.
  static let sensitivities = 1.0...2_000.0
  /// The carb ratios that a file can state, in grams per U.
  static let carbRatios = 0.1...500.0
  /// A switch that is on where it stands: `true` or `{}`.
  static let mark = Shape.either([.only(true), .object(ObjectShape([]))])

  static func object(_ keys: [SchemaKey]) -> Shape { .object(ObjectShape(keys)) }

  /// Whether a JSON value of a kind can be one of these at all.
  func accepts(_ kind: JSONKind) -> Bool {
    switch self {
    case .anything: true
    case .text, .choice, .duration, .durationPerDay, .timeOfDay, .time, .timeInRun, .dateTime,
      .zone, .condition, .pump:
      kind == .text
    case .bool: kind == .bool
    case .only: kind == .bool
    case .number, .integer, .glucose, .glucoseChange, .sensitivity, .carbRatio, .units, .rate:
      kind == .number
    case .law: kind == .number || kind == .object
    case .durationLaw: kind == .text || kind == .object
    case .durationRange: kind == .text || kind == .list
    case .window, .during, .glucoseRange, .schedule, .list, .pair: kind == .list
    case .listOrOne(let shape): kind == .list || shape.accepts(kind)
    case .object, .map: kind == .object
    case .either(let shapes): shapes.contains { $0.accepts(kind) }
    }
  }
}

/// The kinds of JSON values.
enum JSONKind: Hashable {
  case null, bool, number, text, list, object
}
