internal import HealthStore
internal import Quantities

/// What clinical documents and workouts have beside the columns of every sample.
final class ContentTables {
  private let insertDocument: SQLiteStatement
  private let insertWorkout: SQLiteStatement
  private let insertEvent: SQLiteStatement
  private let documents: SQLiteStatement
  private let workouts: SQLiteStatement
  private let workoutEvents: SQLiteStatement
  private let rules: RowCheck

  init(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    insertDocument = try connection.prepare("INSERT INTO document VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
    insertWorkout = try connection.prepare("INSERT INTO workout VALUES(?1, ?2, ?3, ?4, ?5)")
    insertEvent = try connection.prepare("INSERT INTO workout_event VALUES(?1, ?2, ?3, ?4, ?5)")
    documents = try connection.prepare(
      "SELECT row_id, title, patient, custodian, author, xml FROM document WHERE row_id = ?1")
    workouts = try connection.prepare(
      "SELECT row_id, activity, duration_ms, kilocalories, metres FROM workout WHERE row_id = ?1")
    workoutEvents = try connection.prepare(
      "SELECT kind, instant_ms, duration_ms FROM workout_event WHERE row_id = ?1 ORDER BY position")
    rules = RowCheck(path: connection.path)
  }

  /// Inserts the content of a sample that has any.
  func insert(contentOf sample: Sample, row: Int64) throws(HealthStoreError) {
    if case .document(let document) = sample.value {
      insertDocument.bind(1, integer: row)
      insertDocument.bind(2, text: document.title)
      insertDocument.bind(3, text: document.patientName)
      insertDocument.bind(4, text: document.custodianName)
      insertDocument.bind(5, text: document.authorName)
      if let xml = document.xml {
        insertDocument.bind(6, blob: xml)
      } else {
        insertDocument.bindNull(6)
      }
      try insertDocument.run()
    }
    if case .workout(let workout) = sample.value {
      insertWorkout.bind(1, integer: row)
      insertWorkout.bind(2, integer: Int64(workout.activity.rawValue))
      insertWorkout.bind(3, integer: workout.duration.milliseconds)
      insertWorkout.bind(4, real: workout.kilocalories)
      insertWorkout.bind(5, real: workout.metres)
      try insertWorkout.run()
      for (position, event) in workout.events.enumerated() {
        insertEvent.bind(1, integer: row)
        insertEvent.bind(2, integer: Int64(position))
        insertEvent.bind(3, integer: Int64(event.kind.rawValue))
        insertEvent.bind(4, integer: event.instant.millisecondsSince1970)
        insertEvent.bind(5, integer: event.duration.milliseconds)
        try insertEvent.run()
      }
    }
  }

  /// The document of a sample.
  func document(_ row: Int64) throws(HealthStoreError) -> ClinicalDocument {
    documents.bind(1, integer: row)
    defer { documents.reset() }
    guard try documents.step() else {
      throw rules.damaged("object", row, "its document is missing")
    }
    let content = documents.isNull(5) ? nil : documents.blob(5)
    return ClinicalDocument(
      restoring: content, title: documents.text(1), patientName: documents.text(2),
      custodianName: documents.text(3), authorName: documents.text(4))
  }

  /// The workout of a sample, with its events.
  func workout(_ row: Int64) throws(HealthStoreError) -> Workout {
    workouts.bind(1, integer: row)
    defer { workouts.reset() }
    guard try workouts.step() else {
      throw rules.damaged("object", row, "its workout is missing")
    }
    try rules.check(
      workouts.integer(2), in: RowRules.milliseconds, "workout", row, "duration_ms")
    return Workout(
      activity: .init(rawValue: Int(workouts.integer(1))),
      duration: .milliseconds(workouts.integer(2)),
      kilocalories: workouts.optionalReal(3), metres: workouts.optionalReal(4),
      events: try events(row))
  }

  private func events(_ row: Int64) throws(HealthStoreError) -> [Workout.Event] {
    workoutEvents.bind(1, integer: row)
    defer { workoutEvents.reset() }
    var events: [Workout.Event] = []
    while try workoutEvents.step() {
      guard let kind = Workout.Event.Kind(rawValue: Int(workoutEvents.integer(0))) else {
        throw rules.damaged("workout_event", row, "its kind is unknown")
      }
      try rules.check(
        workoutEvents.integer(1), in: RowRules.milliseconds, "workout_event", row, "instant_ms")
      try rules.check(
        workoutEvents.integer(2), in: RowRules.milliseconds, "workout_event", row, "duration_ms")
      events.append(
        Workout.Event(
          kind, at: .init(millisecondsSince1970: workoutEvents.integer(1)),
          duration: .milliseconds(workoutEvents.integer(2))))
    }
    return events
  }
}
