/// The uploads of a store in memory.
struct UploadQueue: Sendable {
  private struct Key: Hashable, Sendable {
    var service: String
    var uuid: SampleUUID
  }

  /// What waits, in order.
  private var uploads: [Upload] = []
  /// What each service that was not forgotten was to be told last of a sample.
  private var latest: [Key: Upload] = [:]

  mutating func apply(_ change: UploadChange) {
    switch change {
    case .enqueue(let upload):
      let key = Self.key(upload)
      let former = latest[key]?.operation
      guard former != upload.operation else { return }
      latest[key] = upload
      // What is told again after the other operation need not be told before it.
      if former != nil {
        uploads.removeAll { $0.operation == upload.operation && Self.key($0) == key }
      }
      uploads.append(upload)
    case .update(let upload):
      if let index = index(of: upload) { uploads[index] = upload }
    case .acknowledge(let upload):
      if let index = index(of: upload) { uploads.remove(at: index) }
    case .forget(let service):
      uploads.removeAll { $0.service == service }
      latest = latest.filter { $0.key.service != service }
    }
  }

  func waiting(for service: String, limit: Int) -> [Upload] {
    Array(uploads.lazy.filter { $0.service == service }.prefix(limit))
  }

  /// The samples of a type of which a service is told last that they are there, in order.
  func told(to service: String, of type: ObjectType) -> [SampleUUID] {
    latest.values.filter { $0.service == service && $0.type == type && $0.operation == .add }
      .sorted { $0.number < $1.number }.map(\.uuid)
  }

  /// The changes that make this queue out of an empty one: first what was delivered, and then what
  /// waits.
  var allChanges: [UploadChange] {
    let waiting = Set(uploads.map { Number(service: $0.service, number: $0.number) })
    let delivered = latest.values.filter {
      !waiting.contains(Number(service: $0.service, number: $0.number))
    }.sorted { ($0.service, $0.number) < ($1.service, $1.number) }
    return delivered.flatMap { [.enqueue($0), .acknowledge($0)] } + uploads.map { .enqueue($0) }
  }

  private struct Number: Hashable {
    var service: String
    var number: Int64
  }

  private static func key(_ upload: Upload) -> Key {
    Key(service: upload.service, uuid: upload.uuid)
  }

  private func index(of upload: Upload) -> Int? {
    uploads.firstIndex { $0.number == upload.number && $0.service == upload.service }
  }
}
