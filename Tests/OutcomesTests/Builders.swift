import Quantities

@testable import Outcomes

/// 4 March 2024, 00:00 UTC, a Monday.
let monday = Instant(secondsSince1970: 1_709_510_400)

/// A series at even steps from a start.
func series(
  _ values: [Double], every minutes: Int64 = 5, from start: Instant = monday,
  clock: WallClock = .utc
) -> GlucoseSeries {
  GlucoseSeries(
    values.enumerated().map {
      .init(start + .minutes(minutes) * Int64($0.offset), mgdL: $0.element)
    },
    clock: clock)
}

/// A day of one value with stretches of other values, at five minutes.
func day(of value: Double, with stretches: [(start: Int, values: [Double])]) -> [Double] {
  var values = [Double](repeating: value, count: 288)
  for stretch in stretches {
    for (index, value) in stretch.values.enumerated() { values[stretch.start + index] = value }
  }
  return values
}

/// So many copies of one value.
func run(_ value: Double, _ count: Int) -> [Double] { Array(repeating: value, count: count) }

/// Whether two numbers agree to a relative 1e-6 or an absolute 1e-9.
func agree(_ left: Double?, _ right: Double, relative: Double = 1e-6) -> Bool {
  guard let left else { return false }
  return abs(left - right) <= max(1e-9, relative * abs(right))
}
