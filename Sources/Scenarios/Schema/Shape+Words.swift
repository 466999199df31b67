import Quantities
import StructuredText

extension Shape {
  /// The type in a few words, for the reference table: "duration", "number 0 … 5 U".
  public var words: String {
    switch self {
    case .anything: "any value"
    case .text: "text"
    case .bool: "true or false"
    case .only(let value): value ? "`true`" : "`false`"
    case .pump: Self.choice(Vocabulary.pumps).words
    case .number(let range, let unit): "number" + Self.bounds(range) + Self.suffix(unit)
    case .integer(let range): "whole number" + Self.bounds(range)
    case .choice(let words): words.map { "`'\($0)'`" }.joined(separator: ", ")
    case .duration(let range): "duration" + Self.bounds(range)
    case .durationPerDay: "duration for each day (`'2s/day'`)"
    case .durationRange: "duration, or two to draw between"
    case .law(let range, let unit): "number or law" + Self.bounds(range) + Self.suffix(unit)
    case .durationLaw(let range): "duration or law" + Self.bounds(range)
    case .timeOfDay: "time of day"
    case .time: "time"
    case .timeInRun: "time in the run"
    case .dateTime: "date and time"
    case .zone: "time zone"
    case .condition: "comparison"
    case .window: "`[time, time]`"
    case .during: "`[time, duration or time]`"
    default: compoundWords
    }
  }

  private var compoundWords: String {
    switch self {
    case .glucose(let range): "glucose" + Self.bounds(range) + " mg/dL"
    case .glucoseChange(let range): "glucose difference" + Self.bounds(range) + " mg/dL"
    case .glucoseRange(let range): "`[low, high]` glucose" + Self.bounds(range) + " mg/dL"
    case .sensitivity: "glucose per U" + Self.bounds(Self.sensitivities) + " mg/dL"
    case .carbRatio: "number" + Self.bounds(Self.carbRatios) + " g/U"
    case .units(let range): "insulin" + Self.bounds(range) + " U, whole milliunits"
    case .rate(let range): "insulin rate" + Self.bounds(range) + " U/h, whole milliunits"
    case .schedule(let shape): "schedule of \(shape.words)"
    case .list(let shape): "list of \(shape.words)"
    case .pair(let shape): "list of two: \(shape.words)"
    case .listOrOne(let shape): "\(shape.words), or a list of them"
    case .object: "object"
    case .map(let shape): "object of names, each \(shape.words)"
    case .either(let shapes): shapes.map(\.words).joined(separator: ", or ")
    default: ""
    }
  }

  /// The type as a sentence says what a value must be: "a number 0 … 5 U", "an object".
  var phrase: String {
    switch self {
    case .anything: "a value"
    case .bool, .only, .window, .during, .glucoseRange: plainWords
    case .choice(let words):
      words.count == 1 ? plainWords : "one of \(words.map { "'\($0)'" }.joined(separator: ", "))"
    case .schedule: "a list of times and values, such as [['00:00', 0.8], ['06:00', 0.95]]"
    case .glucose(let range): "a glucose value" + Self.spelled(Self.bounds(range)) + " mg/dL"
    case .sensitivity: "a sensitivity in glucose per U"
    case .units(let range): "an amount of insulin" + Self.spelled(Self.bounds(range)) + " U"
    case .listOrOne(let shape): "\(shape.phrase), or a list of them"
    case .either(let shapes): shapes.map(\.phrase).joined(separator: ", or ")
    default:
      (plainWords.first.map { "aeio".contains($0) } ?? false ? "an " : "a ")
        + Self.spelled(plainWords)
    }
  }

  /// Bounds in words: "from 0 to 5" for "0 … 5".
  private static func spelled(_ text: String) -> String {
    guard let sign = text.firstRange(of: " … ") else {
      return text.replacing(" ≥ ", with: " of at least ")
    }
    let start = text[..<sign.lowerBound].lastIndex(of: " ").map(text.index(after:))
    let low = start ?? text.startIndex
    return "\(text[..<low])from \(text[low..<sign.lowerBound]) to \(text[sign.upperBound...])"
  }

  /// The words without the marks of code.
  private var plainWords: String { words.replacing("`", with: "") }

  private static func suffix(_ unit: String) -> String { unit.isEmpty ? "" : " \(unit)" }

  private static func bounds(_ range: ClosedRange<Double>) -> String {
    if range.lowerBound <= -1e9, range.upperBound >= 1e9 { return "" }
    if range.upperBound >= 1e9 { return " ≥ \(JSONField.shortText(range.lowerBound))" }
    let low = JSONField.shortText(range.lowerBound)
    return " \(low) … \(JSONField.shortText(range.upperBound))"
  }

  private static func bounds(_ range: ClosedRange<Int64>) -> String {
    range.upperBound >= 1_000_000_000
      ? " ≥ \(range.lowerBound)" : " \(range.lowerBound) … \(range.upperBound)"
  }

  private static func bounds(_ range: ClosedRange<TimeSpan>) -> String {
    if range.upperBound >= .days(36_525) {
      if range.lowerBound < .zero { return ", may be negative" }
      return range.lowerBound == .zero ? "" : " ≥ \(range.lowerBound)"
    }
    return " \(range.lowerBound) … \(range.upperBound)"
  }
}
