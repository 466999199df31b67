internal import Quantities
internal import Reports
internal import StructuredText

/// How the values of a timeline are written for its script.
///
/// On a page of many days they are most of it, and so they are written short: of stretches one
/// after the other the time since the end of the one before, the length, and what there is to tell;
/// of series each value less the one before, in whole parts of its unit.
struct TimelineValues {
  /// A stretch of time with what there is to tell of it.
  typealias Stretch = (start: Instant, end: Instant, rest: [JSONValue])

  /// Where minute nought is.
  let start: Instant

  /// A number as short as it can be written.
  static func number(_ value: Double, _ decimals: Int) -> JSONValue {
    if value == value.rounded(), value.magnitude < 1e15 { return .integer(Int64(value)) }
    let rounded = JSONValue.rounded(value, decimals)
    if case .number(let number) = rounded, number == number.rounded() {
      return .integer(Int64(number))
    }
    return rounded
  }

  /// The minutes to an instant.
  func time(_ instant: Instant) -> JSONValue { Self.number((instant - start).minutes, 2) }

  /// Stretches, each with as many values.
  func stretches(_ list: [Stretch]) -> JSONValue {
    var last: Int64 = 0
    func minutes(_ hundredths: Int64) -> JSONValue { Self.number(Double(hundredths) / 100, 2) }
    return .array(
      list.flatMap { stretch in
        let (start, end) = (hundredths(stretch.start), hundredths(stretch.end))
        defer { last = end }
        return [minutes(start - last), minutes(end - start)] + stretch.rest
      })
  }

  /// Hundredths of a minute to an instant.
  private func hundredths(_ instant: Instant) -> Int64 {
    Int64(((instant - start).minutes * 100).rounded())
  }

  /// The values of a series in parts of a unit, each less the last one that there was; null where
  /// there is none.
  static func series(_ parts: Double, _ values: [Double?]) -> JSONValue {
    var last: Int64 = 0
    return .array(
      values.map { value -> JSONValue in
        guard let value, value.isFinite else { return .null }
        let whole = Int64((value * parts).rounded())
        defer { last = whole }
        return .integer(whole - last)
      })
  }
}
