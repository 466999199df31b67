/// The uploads of a store in memory.
struct UploadQueue: Sendable {
  private struct Key: Hashable, Sendable {
    var service: String
    var uuid: SampleUUID
    var operation: Upload.Operation
  }

  /// Everything that was ever queued for a service that was not forgotten, in order.
  private var uploads: [Upload] = []
  private var delivered: Set<Key> = []
  private var known: Set<Key> = []

  mutating func apply(_ change: UploadChange) {
    switch change {
    case .enqueue(let upload):
      if known.insert(key(upload)).inserted { uploads.append(upload) }
    case .update(let upload):
      if let index = index(of: upload) { uploads[index] = upload }
    case .acknowledge(let upload):
      delivered.insert(key(upload))
      if let index = index(of: upload) { uploads.remove(at: index) }
    case .forget(let service):
      uploads.removeAll { $0.service == service }
      known = known.filter { $0.service != service }
      delivered = delivered.filter { $0.service != service }
    }
  }

  func waiting(for service: String, limit: Int) -> [Upload] {
    Array(uploads.lazy.filter { $0.service == service }.prefix(limit))
  }

  private func key(_ upload: Upload) -> Key {
    Key(service: upload.service, uuid: upload.uuid, operation: upload.operation)
  }

  private func index(of upload: Upload) -> Int? {
    uploads.firstIndex { $0.number == upload.number && $0.service == upload.service }
  }
}
