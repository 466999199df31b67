internal import HealthStore

/// Which samples belong to which workouts.
final class LinkTable {
  private let insert: SQLiteStatement
  private let samples: SQLiteStatement
  private let workouts: SQLiteStatement

  init(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    insert = try connection.prepare(
      """
      INSERT OR IGNORE INTO workout_sample
      SELECT w.row_id, s.row_id FROM object w, object s WHERE w.uuid = ?1 AND s.uuid = ?2
      """)
    samples = try connection.prepare(
      """
      SELECT s.uuid FROM workout_sample l JOIN object w ON w.row_id = l.workout_row_id
        JOIN object s ON s.row_id = l.sample_row_id WHERE w.uuid = ?1 ORDER BY s.row_id
      """)
    workouts = try connection.prepare(
      """
      SELECT w.uuid FROM workout_sample l JOIN object w ON w.row_id = l.workout_row_id
        JOIN object s ON s.row_id = l.sample_row_id WHERE s.uuid = ?1 ORDER BY w.row_id
      """)
  }

  func insert(_ link: WorkoutLink) throws(HealthStoreError) {
    insert.bind(1, uuid: link.workout)
    insert.bind(2, uuid: link.sample)
    try insert.run()
  }

  func samples(ofWorkout uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID] {
    try identities(samples, of: uuid)
  }

  func workouts(ofSample uuid: SampleUUID) throws(HealthStoreError) -> [SampleUUID] {
    try identities(workouts, of: uuid)
  }

  private func identities(
    _ statement: borrowing SQLiteStatement, of uuid: SampleUUID
  ) throws(HealthStoreError) -> [SampleUUID] {
    statement.bind(1, uuid: uuid)
    defer { statement.reset() }
    var identities: [SampleUUID] = []
    while try statement.step() { identities.append(statement.uuid(0)) }
    return identities
  }
}
