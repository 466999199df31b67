package import Determinism
package import Quantities
package import StructuredText
internal import TimeZones

/// What a value of a scenario may be, with the function that reads it.
///
/// The shape is what the reference and the check go by, the function is what a run is built by.
/// Both are made from the same range or the same words, which stand in the form alone.
package struct Form<Value>: Sendable {
  /// What the reference says of the value, and what the check accepts.
  package let shape: Shape
  /// Reads the value; `nil` where it is missing or cannot be used, which is reported.
  package let read: @Sendable (Field) -> Value?

  package init(_ shape: Shape, _ read: @escaping @Sendable (Field) -> Value?) {
    self.shape = shape
    self.read = read
  }

  /// The same values, of which something else is made, or `nil` after the field was told why not.
  package func map<Other>(_ make: @escaping @Sendable (Value, Field) -> Other?) -> Form<Other> {
    let read = read
    return Form<Other>(shape) { field in read(field).flatMap { make($0, field) } }
  }
}

extension Form where Value == Field {
  /// A value that is read where more is known than the value itself, such as when its event comes.
  package static func unread(_ shape: Shape) -> Self { Form(shape) { $0 } }
}

// MARK: - Plain values

extension Form where Value == Bool {
  /// `true` or `false`.
  package static var bool: Self {
    .plain("true or false", phrase: "true or false", [.bool], ["type": "boolean"]) { $0.bool() }
  }

  /// `true` or `false` alone.
  package static func only(_ value: Bool) -> Self {
    .plain("`\(value)`", phrase: "\(value)", [.bool], ["const": .bool(value)]) { field in
      if field.node?.bool == value { return value }
      field.reportUnusable(expected: "\(value)")
      return nil
    }
  }

  /// A switch that is on where it stands: `true` or `{}`.
  package static var mark: Self {
    let isTrue = Form.only(true)
    return Form(.either([isTrue.shape, .object(ObjectShape([]))])) { field in
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
  package static var text: Self { .plain("text", [.text], .textSchema) { $0.text() } }

  /// The name of a time zone.
  package static var zone: Self {
    .plain("time zone", [.text], .textSchema) { field in
      guard let name = field.text() else { return nil }
      let start = field.context.start
      if ZoneDatabase.wallClock(named: name, from: start, to: start) != nil { return name }
      field.error(ZoneDatabase.sentence(onUnknown: name))
      return nil
    }
  }
}

extension Form where Value == JSONNode {
  /// Anything; what it must be follows from other keys.
  package static var anything: Form<JSONNode> {
    .plain("any value", phrase: "a value", JSONKind.allCases, true, check: { _ in }) { field in
      if !field.exists { field.reportUnusable(expected: "a value") }
      return field.node
    }
  }
}

extension Form where Value == Double {
  /// A number in a range; the unit is for sentences.
  package static func number(_ range: ClosedRange<Double>, _ unit: String = "") -> Self {
    .plain(
      "number\(range.words)\(unit.isEmpty ? "" : " \(unit)")", [.number], .numberSchema(range)
    ) {
      $0.number(in: range, unit: unit)
    }
  }

  /// A part of a whole, from 0 to 1.
  package static var fraction: Self { .number(0...1) }

  /// A number of any size.
  package static var anyNumber: Self { .number(-1e12...1e12) }

  /// A number that is not negative.
  package static var positive: Self { .number(0...1e12) }
}

extension Form where Value == Distribution {
  /// A number in a range, fixed or drawn.
  package static func law(
    _ range: ClosedRange<Double>, _ unit: String = ""
  ) -> Form<Distribution> {
    .plain(
      "number or law\(range.words)\(unit.isEmpty ? "" : " \(unit)")", [.number, .object],
      ["anyOf": [.numberSchema(range), ["type": "object"]]]
    ) {
      $0.law(in: range, unit: unit)
    }
  }

  /// A span of time in a range, fixed or drawn.
  package static func durationLaw(_ range: ClosedRange<TimeSpan>) -> Form<Distribution> {
    .plain(
      "duration or law\(range.words)", [.text, .object],
      ["anyOf": [.spanSchema, ["type": "object"]]]
    ) {
      $0.durationLaw(in: range)
    }
  }
}

extension Form where Value == Int {
  /// A whole number in a range.
  package static func integer(_ range: ClosedRange<Int>) -> Self {
    .plain("whole number\(range.words)", [.number], .integerSchema(range)) {
      $0.integer(in: Int64(range.lowerBound)...Int64(range.upperBound)).map { Int($0) }
    }
  }
}

extension Form {
  /// One of several words, each of which stands for a value.
  package static func words(_ meanings: [(word: String, value: Value)]) -> Self
  where Value: Sendable {
    .words(meanings) { $0.choice(of: meanings.map { $0.word }) }
  }

  /// One of several words, of which one is chosen by a function of its own.
  package static func words(
    _ meanings: [(word: String, value: Value)],
    by choose: @escaping @Sendable (Field) -> String?
  ) -> Self where Value: Sendable {
    .plain(
      meanings.map { "`'\($0.word)'`" }.joined(separator: ", "),
      phrase: (meanings.count == 1 ? "" : "one of ")
        + meanings.map { "'\($0.word)'" }.joined(separator: ", "),
      [.text], .enumSchema(meanings.map { $0.word })
    ) { field in
      choose(field).flatMap { word in meanings.first { $0.word == word }?.value }
    }
  }
}

extension Form where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of the words of a type.
  package static func choice(_ type: Value.Type = Value.self) -> Self {
    .words(Value.allCases.map { ($0.rawValue, $0) })
  }
}

// MARK: - Time and quantities

extension Form where Value == TimeSpan {
  /// A span of time in a range.
  package static func duration(_ range: ClosedRange<TimeSpan>) -> Self {
    .plain("duration\(range.words)", [.text], .spanSchema) { $0.duration(in: range) }
  }

  /// Any span of time.
  package static var anySpan: Self { .duration(.zero...(.days(36_525))) }

  /// A span of time for each day, in a range.
  package static func durationPerDay(_ range: ClosedRange<TimeSpan>) -> Self {
    .plain("duration\(range.words) for each day (`'2s/day'`)", [.text], .textSchema) {
      $0.durationPerDay(in: range)
    }
  }

  /// How long carbohydrate is absorbed.
  package static var absorption: Self { .duration(.minutes(10)...(.hours(12))) }

  /// A span of time that may be negative.
  package static var signedSpan: Self { .duration(.days(-36_525)...(.days(36_525))) }
}

extension Form where Value == ClosedRange<TimeSpan> {
  /// A span of time, or two between which one is drawn.
  package static var durationRange: Self {
    .plain(
      "duration, or two to draw between", [.text, .list],
      ["anyOf": [.spanSchema, .pairSchema(.spanSchema)]]
    ) {
      $0.durationRange()
    }
  }
}

extension Form where Value == TimeOfDay {
  /// A time of day.
  package static var timeOfDay: Self {
    .plain("time of day", [.text], .textSchema) { $0.timeOfDay() }
  }
}

extension Form where Value == TimeText {
  /// A date with a time of day.
  package static var dateTime: Self {
    .plain("date and time", [.text], .textSchema) { field in
      switch field.node?.string.flatMap({ TimeText($0) }) {
      case let time? where time.hasDate: return time
      default:
        field.reportUnusable(expected: "a date and a time such as '2026-03-07T18:00:00'")
        return nil
      }
    }
  }
}

extension Form where Value == Instant {
  /// A time.
  package static var time: Self { .plain("time", [.text], .textSchema) { $0.time() } }

  /// A time that must lie within the run.
  package static var timeInRun: Self {
    .plain("time in the run", phrase: TimeText.forms, [.text], .textSchema) { $0.timeInRun() }
  }
}

extension Form where Value == Range<Instant> {
  /// A time and how long, or two times; it begins within the run.
  package static var during: Self {
    let words = "[time, duration or time]"
    return .plain(
      "`\(words)`", phrase: words, [.list], .pairSchema(.textSchema),
      check: { if $0.during() != nil { _ = $0[0].timeInRun() } }, { $0.during() })
  }

  /// Two times; a span counts from the anchor.
  package static var window: Self {
    .plain("`[time, time]`", phrase: "[time, time]", [.list], .pairSchema(.textSchema)) {
      $0.window()
    }
  }
}

extension Form where Value == GlucoseConcentration {
  /// A glucose in the file's unit; the range is in milligrams per decilitre.
  package static func glucose(_ range: ClosedRange<Double>) -> Self {
    .plain(
      "glucose\(range.words) mg/dL", phrase: "a glucose value\(range.words) mg/dL", [.number],
      .glucoseSchema(range)
    ) {
      $0.glucose(in: range)
    }
  }

  /// The same, with a warning where a reading is more likely in the other unit of glucose.
  package static func reading(_ range: ClosedRange<Double>) -> Self {
    glucose(range).map { value, field in
      field.warnOfReadingsInOtherUnit([field])
      return value
    }
  }
}

extension Form where Value == GlucoseChange {
  /// A difference of glucose in the file's unit; the range is in milligrams per decilitre.
  package static func glucoseChange(_ range: ClosedRange<Double>) -> Self {
    .plain("glucose difference\(range.words) mg/dL", [.number], .glucoseSchema(range)) {
      $0.glucoseChange(in: range)
    }
  }
}

extension Form where Value == Double {
  /// A difference of glucose in the file's unit, as milligrams per decilitre, in which the range is
  /// too.
  package static func glucoseStep(_ range: ClosedRange<Double>) -> Self {
    Form<GlucoseChange>.glucoseChange(range).map { change, _ in change.mgdL }
  }
}

extension Form where Value == GlucoseRange {
  /// A lower and an upper glucose; the range is in milligrams per decilitre.
  package static func glucoseRange(_ range: ClosedRange<Double>) -> Self {
    let rest = " glucose\(range.words) mg/dL"
    return .plain(
      "`[low, high]`\(rest)", phrase: "[low, high]\(rest)", [.list],
      .pairSchema(.glucoseSchema(range))
    ) {
      $0.glucoseRange(in: range)
    }
  }

  /// A correction range.
  package static var target: Self { .glucoseRange(40...400) }
}

extension Form where Value == InsulinSensitivity {
  /// An insulin sensitivity.
  package static var sensitivity: Self {
    let range = InsulinSensitivity.stated
    return .plain(
      "glucose per U\(range.words) mg/dL", phrase: "a sensitivity in glucose per U", [.number],
      .glucoseSchema(range)
    ) {
      $0.sensitivity(in: range)
    }
  }
}

extension Form where Value == CarbohydrateRatio {
  /// A carbohydrate ratio.
  package static var carbRatio: Self {
    let range = CarbohydrateRatio.stated
    return .plain("number\(range.words) g/U", [.number], .numberSchema(range)) {
      $0.number(in: range, unit: "g per U").map { CarbohydrateRatio(gramsPerUnit: $0) }
    }
  }
}

extension Form where Value == CarbohydrateMass {
  /// Grams of carbohydrate, at most a kilogram.
  package static var grams: Self {
    Form<Double>.number(0...1_000, "g").map { grams, _ in CarbohydrateMass(grams: grams) }
  }
}

extension Form where Value == InsulinAmount {
  /// How the words of every amount and rate of insulin end.
  static var wholeWords: String { "whole milliunits" }

  /// Units of insulin in a range.
  package static func units(_ range: ClosedRange<Double>) -> Self {
    let end = "\(range.words) U"
    return .plain(
      "insulin\(end), \(wholeWords)", phrase: "an amount of insulin\(end)", [.number],
      .numberSchema(range)
    ) {
      $0.units(in: range)
    }
  }
}

extension Form where Value == InsulinRate {
  /// A rate of insulin in a range.
  package static func rate(_ range: ClosedRange<Double>) -> Self {
    .plain(
      "insulin rate\(range.words) U/h, \(Form<InsulinAmount>.wholeWords)", [.number],
      .numberSchema(range)
    ) {
      $0.rate(in: range)
    }
  }
}
