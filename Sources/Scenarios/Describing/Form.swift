internal import Determinism
internal import Physiology
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
  /// Whether times within count from the `at` of the object around.
  private(set) var isAnchored = false

  init(_ shape: Shape, _ read: @escaping @Sendable (Field) -> Value?) {
    self.shape = shape
    self.read = read
  }

  /// The same values, of which something else is made, or `nil` after the field was told why not.
  func map<Other>(_ make: @escaping @Sendable (Value, Field) -> Other?) -> Form<Other> {
    let read = read
    let form = Form<Other>(shape) { field in read(field).flatMap { make($0, field) } }
    return isAnchored ? form.anchored : form
  }

  /// The same values, whose times count from the `at` of the object around.
  var anchored: Self {
    var copy = self
    copy.isAnchored = true
    return copy
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

  /// `true` or `false` alone.
  static func only(_ value: Bool) -> Self {
    Form(.only(value)) { field in
      if field.node?.bool == value { return value }
      field.reportUnusable(expected: "\(value)")
      return nil
    }
  }

  /// A switch that is on where it stands: `true` or `{}`.
  static var mark: Self {
    Form(.mark) { field in
      if field.node?.bool == true { return true }
      guard field.node?.members != nil else {
        field.reportUnusable(expected: "{} or true")
        return nil
      }
      field.allowOnly([])
      return true
    }
  }
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

  /// A number of any size.
  static var anyNumber: Self { .number(-1e12...1e12) }

  /// A number that is not negative.
  static var positive: Self { .number(0...1e12) }
}

extension Form where Value == Distribution {
  /// A number in a range, fixed or drawn.
  static func law(_ range: ClosedRange<Double>, _ unit: String = "") -> Self {
    Form(.law(range, unit: unit)) { $0.law(in: range, unit: unit) }
  }
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

  /// Any span of time.
  static var anySpan: Self { .duration(.zero...(.days(36_525))) }

  /// A span of time for each day.
  static var durationPerDay: Self { Form(.durationPerDay) { $0.durationPerDay() } }

  /// How long carbohydrate is absorbed.
  static var absorption: Self { .duration(.minutes(10)...(.hours(12))) }

  /// A span of time that may be negative.
  static var signedSpan: Self { .duration(.days(-36_525)...(.days(36_525))) }
}

extension Form where Value == ClosedRange<TimeSpan> {
  /// A span of time, or two between which one is drawn.
  static var durationRange: Self { Form(.durationRange) { $0.durationRange() } }
}

extension Form where Value == Distribution {
  /// A span of time in a range, fixed or drawn.
  static func durationLaw(_ range: ClosedRange<TimeSpan>) -> Self {
    Form(.durationLaw(range)) { $0.durationLaw(in: range) }
  }
}

extension Form where Value == TimeOfDay {
  /// A time of day.
  static var timeOfDay: Self { Form(.timeOfDay) { $0.timeOfDay() } }
}

extension Form where Value == Instant {
  /// A time.
  static var time: Self { Form(.time) { $0.time() } }

  /// A time that must lie within the run.
  static var timeInRun: Self { Form(.timeInRun) { $0.timeInRun() } }
}

extension Form where Value == Range<Instant> {
  /// A time and how long, or two times.
  static var during: Self { Form(.during) { $0.during() } }

  /// Two times; a span counts from the anchor.
  static var window: Self { Form(.window) { $0.window() } }
}

extension Form where Value == GlucoseConcentration {
  /// A glucose in the file's unit; the range is in milligrams per decilitre.
  static func glucose(_ range: ClosedRange<Double>) -> Self {
    Form(.glucose(range)) { $0.glucose(in: range) }
  }
}

extension Form where Value == GlucoseChange {
  /// A difference of glucose in the file's unit; the range is in milligrams per decilitre.
  static func glucoseChange(_ range: ClosedRange<Double>) -> Self {
    Form(.glucoseChange(range)) { $0.glucoseChange(in: range) }
  }
}

extension Form where Value == GlucoseRange {
  /// A lower and an upper glucose; the range is in milligrams per decilitre.
  static func glucoseRange(_ range: ClosedRange<Double>) -> Self {
    Form(.glucoseRange(range)) { $0.glucoseRange(in: range) }
  }

  /// A correction range.
  static var target: Self { .glucoseRange(40...400) }
}

extension Form where Value == InsulinSensitivity {
  /// An insulin sensitivity.
  static var sensitivity: Self { Form(.sensitivity) { $0.sensitivity() } }
}

extension Form where Value == CarbohydrateRatio {
  /// A carbohydrate ratio.
  static var carbRatio: Self { Form(.carbRatio) { $0.carbohydrateRatio() } }
}

extension Form where Value == CarbohydrateMass {
  /// Grams of carbohydrate, at most a kilogram.
  static var grams: Self {
    Form<Double>.number(0...1_000, "g").map { grams, _ in CarbohydrateMass(grams: grams) }
  }
}

extension Form where Value == InsulinFormulation {
  /// An insulin that a person can inject or inhale.
  static var injected: Self { .words(InsulinFormulation.catalogue.map { ($0.id, $0) }) }
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
