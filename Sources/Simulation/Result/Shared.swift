/// A value that is kept once for all the places where it stands, each of which takes eight bytes.
///
/// A run says some hundred things many thousand times. Who changes the value in one place changes
/// it there alone.
///
/// It asks nothing of the value but where two are compared: the first value of a type with
/// requirements costs a run of an hour some thousandths of its time.
struct Shared<Value: Sendable>: Sendable {
  private final class Storage: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  /// Keeps a value for the first place.
  init(_ value: Value) { storage = Storage(value) }

  /// The value.
  var value: Value {
    get { storage.value }
    set { storage = Storage(newValue) }
  }
}

extension Shared: Equatable where Value: Equatable {
  static func == (one: Self, other: Self) -> Bool {
    one.storage === other.storage || one.storage.value == other.storage.value
  }
}

extension Shared: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}

extension Shared: CustomReflectable {
  var customMirror: Mirror { Mirror(reflecting: value) }
}

/// A value that may stand in many places.
///
/// Two are equal only if nobody can tell them apart.
protocol Shareable: Hashable, Sendable {
  /// A number that equal values have in common, and others mostly not.
  var placeHash: UInt64 { get }
}

/// Where values are kept that come again and again.
///
/// Which value comes out is the value that went in, to the last byte.
struct SharedValues<Value: Shareable>: Sendable {
  /// How many values are known at the most, a power of two; of two with one place it is the later.
  static var most: Int { 1_024 }

  /// The value that is known at each place; empty before the first.
  private var places: [Shared<Value>?] = []

  /// Keeps a value where an equal one is kept, if that is known.
  mutating func share(_ value: inout Shared<Value>) {
    if places.isEmpty { places = Array(repeating: nil, count: Self.most) }
    let hash = value.value.placeHash &* 0x9E37_79B9_7F4A_7C15
    let place = Int(hash >> UInt64(64 - Self.most.trailingZeroBitCount))
    if let known = places[place], known == value { value = known } else { places[place] = value }
  }
}

/// A text that equals another if both have the same bytes, in UTF-8; two spellings of a character
/// are two texts.
struct ExactText: Shareable {
  /// The text.
  var text: String

  /// Keeps a text.
  init(_ text: String) { self.text = text }

  static func == (one: Self, other: Self) -> Bool {
    // The iterator of a string takes eight times as long.
    let (first, second) = (one.text.utf8Span.span, other.text.utf8Span.span)
    guard first.count == second.count else { return false }
    for index in first.indices where first[index] != second[index] { return false }
    return true
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  var placeHash: UInt64 {
    let bytes = text.utf8Span.span
    var hash = UInt64(bytes.count)
    for index in bytes.indices { hash = hash &* 31 &+ UInt64(bytes[index]) }
    return hash
  }
}
