internal import Quantities
import StructuredText

/// What a value of a scenario may be.
public indirect enum Shape: Sendable {
  /// A value that holds no others.
  case plain(PlainShape)
  /// Values by time of day.
  case schedule(Shape)
  /// A list of values of one shape.
  case list(Shape)
  /// Two values of one shape, and what a sentence calls the list of them: "a list of two times".
  case pair(Shape, phrase: String)
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
  /// The keys with the kinds.
  package typealias Members = (keys: [SchemaKey], kinds: [SchemaKey])

  private let members: Lazy<Members>
  /// Keys that any such object may have.
  public var keys: [SchemaKey] { members.value.keys }
  /// Keys of which each object has exactly one, which says what it is.
  public var kinds: [SchemaKey] { members.value.kinds }
  /// What the object is called in sentences, such as "an event".
  public var noun: String

  /// The spellings of all of them, but for keys that stand only beside one kind.
  package var names: [String] { (keys + kinds).map(\.name) }

  /// Creates a `ObjectShape` from its parts; see the properties.
  public init(_ keys: [SchemaKey], kinds: [SchemaKey] = [], noun: String = "the object") {
    Self.assertDistinct((keys, kinds))
    members = Lazy(made: (keys, kinds))
    self.noun = noun
  }

  /// An object whose keys are described when they are first asked for.
  package init(noun: String = "the object", describing describe: @escaping @Sendable () -> Members)
  {
    members = Lazy {
      let members = describe()
      Self.assertDistinct(members)
      return members
    }
    self.noun = noun
  }

  private static func assertDistinct(_ members: Members) {
    let (keys, kinds) = members
    assert(Set(keys.map(\.name)).count == keys.count, "A key stands in an object once.")
    assert(Set(kinds.map(\.name)).count == kinds.count, "A kind of object is known by one key.")
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

  /// Creates a key without a default.
  package init(_ name: String, _ shape: Shape, _ meaning: String) {
    self.init(name, shape, nil, meaning)
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
  package static let anything = Form.anything.shape
  package static let text = Form.text.shape
  package static let time = Form.time.shape
  package static let timeInRun = Form.timeInRun.shape
  package static let timeOfDay = Form.timeOfDay.shape
  package static let dateTime = Form.dateTime.shape
  package static let window = Form.window.shape
  package static let anySpan = Form.anySpan.shape
  package static let anyNumber = Form.anyNumber.shape
  package static let positive = Form.positive.shape
  package static let anyGlucose = Form.glucose(GlucoseConcentration.stated).shape

  /// An object with the keys of a block.
  package static func object<Root>(_ block: Block<Root>) -> Shape {
    .object(ObjectShape { (block.all, []) })
  }

  /// Whether a JSON value of a kind can be one of these at all.
  func accepts(_ kind: JSONKind) -> Bool {
    switch self {
    case .plain(let plain): plain.kinds.contains(kind)
    case .schedule, .list, .pair: kind == .list
    case .listOrOne(let shape): kind == .list || shape.accepts(kind)
    case .object, .map: kind == .object
    case .either(let shapes): shapes.contains { $0.accepts(kind) }
    }
  }

  /// The type in a few words, for the reference table: "duration", "list of text".
  public var words: String {
    switch self {
    case .plain(let plain): plain.words
    case .schedule(let shape): "schedule of \(shape.words)"
    case .list(let shape): "list of \(shape.words)"
    case .pair(let shape, _): "list of two: \(shape.words)"
    case .listOrOne(let shape): "\(shape.words), or a list of them"
    case .object: "object"
    case .map(let shape): "object of names, each \(shape.words)"
    case .either(let shapes): shapes.map(\.words).joined(separator: ", or ")
    }
  }

  /// The type as a sentence says what a value must be: "a number 0 … 5 U", "an object".
  var phrase: String {
    switch self {
    case .plain(let plain): plain.phrase
    case .schedule: "a list of times and values, such as [['00:00', 0.8], ['06:00', 0.95]]"
    case .listOrOne(let shape): "\(shape.phrase), or a list of them"
    case .either(let shapes): Self.alternatives(shapes).joined(separator: ", or ")
    case .pair(_, let phrase): phrase
    case .list, .object, .map: PlainShape.sentence(words)
    }
  }
}

extension Shape {
  /// What a value may be, each said once: one of two objects is an object.
  private static func alternatives(_ shapes: [Shape]) -> [String] {
    var phrases: [String] = []
    for (place, shape) in shapes.enumerated() {
      var phrase = shape.phrase
      if case .list(let item) = shape, shapes[..<place].contains(where: { $0.words == item.words })
      {
        phrase = "a list of them"
      }
      if !phrases.contains(phrase) { phrases.append(phrase) }
    }
    return phrases
  }
}

/// The kinds of JSON values.
package enum JSONKind: Hashable, CaseIterable {
  case null, bool, number, text, list, object
}
