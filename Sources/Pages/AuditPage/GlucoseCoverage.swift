internal import Outcomes
internal import Quantities
internal import Records
internal import StructuredText

extension Audit {
  /// For how long a reading stands: until the next of a sensor is due.
  private static let readingStandsFor = TimeSpan.minutes(5)

  /// How much of the record's time has a reading, such as `98.2 %`; two of one time are one.
  var glucoseCoverage: String {
    let last = max(end, start + Self.readingStandsFor)
    let ends = readings.dropFirst().map(\.instant) + [last]
    let covered = zip(readings, ends).reduce(TimeSpan.zero) { sum, reading in
      sum + max(.zero, min(Self.readingStandsFor, reading.1 - reading.0.instant))
    }
    let share = covered.minutes / (last - start).minutes * 100
    return PercentText.number(share, decimals: 1) + " %"
  }
}
