internal import Determinism
internal import Quantities
internal import StructuredText

/// What a value of a scenario may be, with the function that reads it.
///
/// The shape is what the reference and the check go by, the function is what a run is built by.
/// Both are made from the same range or the same words, which stand in the form alone.
struct Form<Value>: Sendable {
  /// What the reference says of the value, and what the check accepts.
  let shape: Shape
  /// Reads the value; `nil` where it is missing or cannot be used, which is reported.
  let read: @Sendable (Field) -> Value?

  init(_ shape: Shape, _ read: @escaping @Sendable (Field) -> Value?) {
    self.shape = shape
    self.read = read
  }

  /// The same values, of which something else is made, or `nil` after the field was told why not.
  func map<Other>(_ make: @escaping @Sendable (Value, Field) -> Other?) -> Form<Other> {
    let read = read
    return Form<Other>(shape) { field in read(field).flatMap { make($0, field) } }
  }
}

extension Form where Value == Field {
  /// A value that is read where more is known than the value itself, such as when its event comes.
  static func unread(_ shape: Shape) -> Self { Form(shape) { $0 } }
}

// MARK: - Plain values

extension Form where Value == Bool {
  /// `true` or `false`.
  static var bool: Self { Form(.bool) { $0.bool() } }
}

extension Form where Value == String {
  /// A text.
  static var text: Self { Form(.text) { $0.text() } }
}

extension Form where Value == JSONNode {
  /// Anything; what it must be follows from other keys.
  static var anything: Self {
    Form(.anything) { field in
      if !field.exists { field.reportUnusable(expected: Shape.anything.phrase) }
      return field.node
    }
  }
}

extension Form where Value == Double {
  /// A number in a range; the unit is for sentences.
  static func number(_ range: ClosedRange<Double>, _ unit: String = "") -> Self {
    Form(.number(range, unit: unit)) { $0.number(in: range, unit: unit) }
  }

  /// A part of a whole, from 0 to 1.
  static var fraction: Self { .number(0...1) }
}

extension Form where Value == Int {
  /// A whole number in a range.
  static func integer(_ range: ClosedRange<Int>) -> Self {
    let wide = Int64(range.lowerBound)...Int64(range.upperBound)
    return Form(.integer(wide)) { $0.integer(in: wide).map { Int($0) } }
  }
}

extension Form {
  /// One of several words, each of which stands for a value.
  static func words(_ meanings: [(word: String, value: Value)]) -> Self where Value: Sendable {
    let words = meanings.map(\.word)
    return Form(.choice(words)) { field in
      field.choice(of: words).flatMap { word in meanings.first { $0.word == word }?.value }
    }
  }
}

extension Form where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of the words of a type.
  static func choice(_ type: Value.Type = Value.self) -> Self {
    .words(Value.allCases.map { ($0.rawValue, $0) })
  }
}

// MARK: - Time and quantities

extension Form where Value == TimeSpan {
  /// A span of time in a range.
  static func duration(_ range: ClosedRange<TimeSpan>) -> Self {
    Form(.duration(range)) { $0.duration(in: range) }
  }

  /// A span of time that may be negative.
  static var signedSpan: Self { .duration(.days(-36_525)...(.days(36_525))) }
}

extension Form where Value == ClosedRange<TimeSpan> {
  /// A span of time, or two between which one is drawn.
  static var durationRange: Self { Form(.durationRange) { $0.durationRange() } }
}

extension Form where Value == NumberLaw {
  /// A span of time in a range, fixed or drawn.
  static func durationLaw(_ range: ClosedRange<TimeSpan>) -> Self {
    Form(.durationLaw(range)) { $0.durationLaw(in: range) }
  }
}

extension Form where Value == Instant {
  /// A time.
  static var time: Self { Form(.time) { $0.time() } }
}

extension Form where Value == Range<Instant> {
  /// A time and how long, or two times.
  static var during: Self { Form(.during) { $0.during() } }
}

extension Form where Value == GlucoseConcentration {
  /// A glucose in the file's unit; the range is in milligrams per decilitre.
  static func glucose(_ range: ClosedRange<Double>) -> Self {
    Form(.glucose(range)) { $0.glucose(in: range) }
  }
}

extension Form where Value == InsulinAmount {
  /// Units of insulin in a range.
  static func units(_ range: ClosedRange<Double>) -> Self {
    Form(.units(range)) { $0.units(in: range) }
  }
}

extension Form where Value == InsulinRate {
  /// A rate of insulin in a range.
  static func rate(_ range: ClosedRange<Double>) -> Self {
    Form(.rate(range)) { $0.rate(in: range) }
  }
}
