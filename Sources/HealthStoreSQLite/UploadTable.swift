internal import HealthStore
internal import Quantities

/// The queues of what is to be uploaded.
final class UploadTable {
  private let enqueue: SQLiteStatement
  private let update: SQLiteStatement
  private let forget: SQLiteStatement
  private let waiting: SQLiteStatement
  private let told: SQLiteStatement
  private let named: SQLiteStatement
  private let types: TypeTable
  private let rules: RowCheck

  init(
    _ connection: borrowing SQLiteConnection, _ types: TypeTable
  ) throws(HealthStoreError) {
    enqueue = try connection.prepare(
      """
      INSERT OR REPLACE INTO upload SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
      WHERE NOT EXISTS (SELECT 1 FROM upload
        WHERE service = ?2 AND uuid = ?4 AND operation = ?5 AND number > coalesce(
          (SELECT number FROM upload WHERE service = ?2 AND uuid = ?4 AND operation = 3 - ?5), -1))
      """)
    update = try connection.prepare(
      """
      UPDATE upload SET state = ?3, attempts = ?4, due_ms = ?5 WHERE service = ?1 AND number = ?2
      """)
    forget = try connection.prepare("DELETE FROM upload WHERE service = ?1")
    waiting = try connection.prepare(
      """
      SELECT number, service, type_id, uuid, operation, state, attempts, due_ms, enqueued_ms
      FROM upload WHERE service = ?1 AND state <> 3 ORDER BY number LIMIT ?2
      """)
    told = try connection.prepare(
      """
      SELECT uuid FROM upload AS told WHERE service = ?1 AND type_id = ?2 AND operation = 1
        AND NOT EXISTS (SELECT 1 FROM upload WHERE service = ?1 AND uuid = told.uuid
          AND operation = 2 AND number > told.number)
      ORDER BY number
      """)
    named = try connection.prepare("SELECT DISTINCT service FROM upload ORDER BY service")
    self.types = types
    rules = RowCheck(path: connection.path)
  }

  /// The state of an upload that the receiver has acknowledged; it stays, so that it is not sent
  /// twice.
  private static let delivered: Int64 = 3

  /// Writes one change of an upload queue.
  ///
  /// A table has the latest record of each operation on a sample: one that is told again, after
  /// the other was, takes the place of the former.
  func write(_ change: UploadChange) throws(HealthStoreError) {
    switch change {
    case .enqueue(let upload):
      enqueue.bind(1, integer: upload.number)
      enqueue.bind(2, text: upload.service)
      enqueue.bind(3, integer: types.row(of: upload.type))
      enqueue.bind(4, uuid: upload.uuid)
      enqueue.bind(5, integer: Int64(upload.operation.rawValue))
      enqueue.bind(6, integer: Int64(upload.state.rawValue))
      enqueue.bind(7, integer: Int64(upload.attempts))
      enqueue.bind(8, integer: upload.due.millisecondsSince1970)
      enqueue.bind(9, integer: upload.enqueued.millisecondsSince1970)
      try enqueue.run()
    case .update(let upload): try update(upload, state: Int64(upload.state.rawValue))
    case .acknowledge(let upload): try update(upload, state: Self.delivered)
    case .forget(let service):
      forget.bind(1, text: service)
      try forget.run()
    }
  }

  private func update(_ upload: Upload, state: Int64) throws(HealthStoreError) {
    update.bind(1, text: upload.service)
    update.bind(2, integer: upload.number)
    update.bind(3, integer: state)
    update.bind(4, integer: Int64(upload.attempts))
    update.bind(5, integer: upload.due.millisecondsSince1970)
    try update.run()
  }

  /// The services that have uploads, delivered ones too.
  func services() throws(HealthStoreError) -> [String] {
    defer { named.reset() }
    var services: [String] = []
    while try named.step() { services.append(named.text(0)) }
    return services
  }

  /// The uploads of a service that are not delivered, in order.
  func uploads(of service: String, limit: Int) throws(HealthStoreError) -> [Upload] {
    waiting.bind(1, text: service)
    waiting.bind(2, integer: Int64(limit))
    defer { waiting.reset() }
    var uploads: [Upload] = []
    while try waiting.step() {
      guard let type = types.type(at: waiting.integer(2)) else { continue }
      let number = waiting.integer(0)
      try rules.check(number, in: RowRules.rows, "upload", number, "number")
      try rules.check(waiting.integer(6), in: 0...(1 << 31), "upload", number, "attempts")
      for column in [7, 8] as [Int32] {
        try rules.check(
          waiting.integer(column), in: RowRules.milliseconds, "upload", number, "time")
      }
      let operation = try rules.known(
        Upload.Operation(rawValue: Int(waiting.integer(4))), waiting.integer(4), "upload", number,
        "operation")
      let state = try rules.known(
        Upload.State(rawValue: Int(waiting.integer(5))), waiting.integer(5), "upload", number,
        "state")
      uploads.append(
        Upload(
          service: service, number: number, type: type, uuid: waiting.uuid(3),
          operation: operation, state: state,
          attempts: Int(waiting.integer(6)),
          due: .init(millisecondsSince1970: waiting.integer(7)),
          enqueued: .init(millisecondsSince1970: waiting.integer(8))))
    }
    return uploads
  }

  /// The samples of a type of which a service is told last that they are there, in order.
  func toldSamples(
    of service: String, type: ObjectType
  ) throws(HealthStoreError) -> [SampleUUID] {
    told.bind(1, text: service)
    told.bind(2, integer: types.row(of: type))
    defer { told.reset() }
    var samples: [SampleUUID] = []
    while try told.step() { samples.append(told.uuid(0)) }
    return samples
  }
}
