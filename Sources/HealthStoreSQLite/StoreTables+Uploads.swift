internal import HealthStore
internal import Quantities

extension StoreTables {
  /// The state of an upload that the receiver has acknowledged; it stays, so that it is not sent
  /// twice.
  private static let delivered: Int64 = 3

  /// Writes one change of an upload queue.
  func write(_ change: UploadChange) throws(HealthStoreError) {
    switch change {
    case .enqueue(let upload):
      registry.enqueue.bind(1, integer: upload.number)
      registry.enqueue.bind(2, text: upload.service)
      registry.enqueue.bind(3, integer: types.row(of: upload.type))
      registry.enqueue.bind(4, uuid: upload.uuid)
      registry.enqueue.bind(5, integer: Int64(upload.operation.rawValue))
      registry.enqueue.bind(6, integer: Int64(upload.state.rawValue))
      registry.enqueue.bind(7, integer: Int64(upload.attempts))
      registry.enqueue.bind(8, integer: upload.due.millisecondsSince1970)
      registry.enqueue.bind(9, integer: upload.enqueued.millisecondsSince1970)
      try registry.enqueue.run()
    case .update(let upload): try update(upload, state: Int64(upload.state.rawValue))
    case .acknowledge(let upload): try update(upload, state: Self.delivered)
    case .forget(let service):
      registry.forgetUploads.bind(1, text: service)
      try registry.forgetUploads.run()
    }
  }

  private func update(_ upload: Upload, state: Int64) throws(HealthStoreError) {
    registry.updateUpload.bind(1, text: upload.service)
    registry.updateUpload.bind(2, integer: upload.number)
    registry.updateUpload.bind(3, integer: state)
    registry.updateUpload.bind(4, integer: Int64(upload.attempts))
    registry.updateUpload.bind(5, integer: upload.due.millisecondsSince1970)
    try registry.updateUpload.run()
  }

  /// The uploads of a service that are not delivered, in order.
  func uploads(of service: String, limit: Int) throws(HealthStoreError) -> [Upload] {
    registry.waitingUploads.bind(1, text: service)
    registry.waitingUploads.bind(2, integer: Int64(limit))
    defer { registry.waitingUploads.reset() }
    var uploads: [Upload] = []
    while try registry.waitingUploads.step() {
      guard let type = types.type(at: registry.waitingUploads.integer(2)) else { continue }
      let number = registry.waitingUploads.integer(0)
      try check(number, in: RowRules.rows, "upload", number, "number")
      try check(
        registry.waitingUploads.integer(6), in: 0...(1 << 31), "upload", number, "attempts")
      for column in [7, 8] as [Int32] {
        try check(
          registry.waitingUploads.integer(column), in: RowRules.milliseconds, "upload", number,
          "time")
      }
      uploads.append(
        Upload(
          service: service, number: number, type: type,
          uuid: registry.waitingUploads.uuid(3),
          operation: registry.waitingUploads.integer(4) == 1 ? .add : .delete,
          state: Upload.State(rawValue: Int(registry.waitingUploads.integer(5))) ?? .pending,
          attempts: Int(registry.waitingUploads.integer(6)),
          due: .init(millisecondsSince1970: registry.waitingUploads.integer(7)),
          enqueued: .init(millisecondsSince1970: registry.waitingUploads.integer(8))))
    }
    return uploads
  }
}
