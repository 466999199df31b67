internal import HealthStore
internal import Quantities

/// The readings that the cycles of a backtest go by: those of the source with most of them and,
/// where it has none for more than a quarter of an hour, those of others.
///
/// Whoever changes the sensor or the uploader goes on with another source. Values of a meter, which
/// have no others of theirs near them, fill no pause.
struct BacktestGlucose {
  /// The readings in the order of time.
  private(set) var readings: [Sample]
  /// How many readings of each source are used, and how many stand beside those; that with most
  /// of them first.
  private(set) var sources: [Backtest.GlucoseSource] = []
  /// How many readings a source has twice, of which one is used.
  private(set) var copies = 0

  private static let longestPause = TimeSpan.minutes(15)

  /// Chooses among readings that are in the order of time.
  init(_ glucose: [Sample]) {
    let lists = Dictionary(grouping: glucose) { $0.source?.bundleIdentifier ?? "" }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let names = lists.compactMap { $0.value[0].source?.name }
    readings = []
    for list in lists {
      let distinct = DistinctReadings(list.value)
      let own = distinct.readings
      copies += distinct.copies.count
      let pauses = Self.pauses(of: readings)
      let used = own.indices.filter { index in
        Self.isInside(own[index].start, pauses) && (readings.isEmpty || Self.isOne(of: own, index))
      }.map { own[$0] }
      let source = own[0].source
      let isAlone = names.count { $0 == source?.name } < 2
      sources.append(
        Backtest.GlucoseSource(
          name: (isAlone ? source?.name : source?.nameWithOrigin) ?? "an unnamed source",
          used: used.count, unused: own.count - used.count))
      readings = (readings + used).sorted { ($0.start, $0.uuid) < ($1.start, $1.uuid) }
    }
  }

  /// The times without readings; `nil` for what is open to one side.
  private static func pauses(of readings: [Sample]) -> [(after: Instant?, before: Instant?)] {
    guard let first = readings.first, let last = readings.last else { return [(nil, nil)] }
    let within = zip(readings, readings.dropFirst())
      .filter { $1.start - $0.start > longestPause }
      .map { (after: Optional($0.start), before: Optional($1.start)) }
    return [(nil, first.start)] + within + [(last.start, nil)]
  }

  private static func isInside(
    _ instant: Instant, _ pauses: [(after: Instant?, before: Instant?)]
  ) -> Bool {
    let least = TimeSpan.seconds(150)
    let index = pauses.partitioningIndex { pause in
      pause.before.map { instant < $0 } ?? true
    }
    guard index < pauses.count else { return false }
    let pause = pauses[index]
    return (pause.after.map { instant - $0 > least } ?? true)
      && (pause.before.map { $0 - instant > least } ?? true)
  }

  /// Whether a reading is one of several of its source, as those of a sensor are.
  private static func isOne(of own: [Sample], _ index: Int) -> Bool {
    (index > 0 && own[index].start - own[index - 1].start <= longestPause)
      || (index + 1 < own.count && own[index + 1].start - own[index].start <= longestPause)
  }
}
