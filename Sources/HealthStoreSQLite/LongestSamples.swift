internal import HealthStore
internal import Quantities

/// The longest sample of each type, which bounds where an overlapping one can start.
final class LongestSamples {
  private var durations: [TimeSpan]
  /// The types whose longest sample the file does not know yet.
  private var changed: Set<ObjectType> = []
  private let update: SQLiteStatement

  init(
    _ connection: borrowing SQLiteConnection, _ types: TypeTable
  ) throws(HealthStoreError) {
    durations = types.longest
    update = try connection.prepare("UPDATE type SET longest_ms = ?2 WHERE id = ?1")
  }

  subscript(type: ObjectType) -> TimeSpan { durations[Int(type.rawValue)] }

  /// Takes note of how long a new sample is.
  func note(_ duration: TimeSpan, of type: ObjectType) {
    guard self[type] < duration else { return }
    durations[Int(type.rawValue)] = duration
    changed.insert(type)
  }

  /// Writes what has changed.
  func write(_ types: TypeTable) throws(HealthStoreError) {
    for type in ObjectType.allCases where changed.contains(type) {
      update.bind(1, integer: types.row(of: type))
      update.bind(2, integer: self[type].milliseconds)
      try update.run()
    }
    changed = []
  }

  /// Reads again what the file knows, after a transaction that came to nothing.
  ///
  /// A longer bound would do no harm here, but the next sample as long would not be noted, and the
  /// file would never know it.
  func load(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    durations = try TypeTable(connection).longest
    changed = []
  }
}
