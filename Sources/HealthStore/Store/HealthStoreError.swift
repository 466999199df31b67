/// Why the store refuses a call.
///
/// HealthKit: `HKError`.
public enum HealthStoreError: Error, Hashable, Sendable {
  /// There is no health data on this device.
  case healthDataUnavailable
  /// The device is managed and does not allow health data.
  case healthDataRestricted
  /// An object, a query or a date is malformed; `object` is the index in the caller's list.
  case invalidArgument(InvalidArgument, object: Int? = nil)
  /// The client may not write or delete.
  case authorizationDenied(client: String, type: ObjectType, object: Int? = nil)
  /// The client deletes what it did not save.
  case foreignObject(client: String, uuid: SampleUUID)
  /// The client is not entitled to health data at all.
  case notEntitled(client: String)
  /// The client never asked for the type.
  case authorizationNotDetermined(client: String, type: ObjectType)
  /// The device is locked, so that nothing can be read.
  case databaseInaccessible
  /// The user left the request unanswered.
  case userCanceled
  /// Nothing matches, so that there is no figure.
  case noData(ObjectType)
  /// Another process writes to the file.
  case inUse(path: String)
  /// The file cannot be read or written; the message names the file and SQLite's reason.
  case storage(code: Int, message: String)
  /// The file was written by a newer program, or must be brought up to date first.
  case unknownSchema(path: String, version: Int, supported: Int)
  /// The file is empty, another program's database, or no database at all.
  case notAHealthStore(path: String, reason: String)
  /// A row of the file says what cannot be.
  case damaged(path: String, table: String, row: Int64, reason: String)
}

extension HealthStoreError {
  /// HealthKit's number for the error (`HKError.Code`).
  ///
  /// A file that cannot be written or read is a database that is not accessible.
  public var code: Int {
    switch self {
    case .healthDataUnavailable: 1
    case .healthDataRestricted: 2
    case .invalidArgument: 3
    case .authorizationDenied, .foreignObject, .notEntitled: 4
    case .authorizationNotDetermined: 5
    case .databaseInaccessible, .inUse, .storage, .unknownSchema, .notAHealthStore, .damaged: 6
    case .userCanceled: 7
    case .noData: 11
    }
  }

  /// The same without the place in the caller's list, which tells a person nothing.
  public var withoutPlace: Self {
    switch self {
    case .invalidArgument(let argument, _): .invalidArgument(argument)
    case .authorizationDenied(let client, let type, _):
      .authorizationDenied(client: client, type: type)
    default: self
    }
  }

  /// The exit code with which a command ends because of the error.
  public var processExitCode: Int32 {
    switch self {
    case .inUse: 75
    // What SQLite says of the content and not of the medium: a table or column is missing (1), the
    // pages are damaged (11), or an index has what its table has not (19).
    case .storage(let code, _): [1, 11, 19].contains(code & 0xff) ? 65 : 74
    default: 65
    }
  }
}

extension HealthStoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .healthDataUnavailable:
      "Health data is not available on this device. Set \"isAvailable\" to have a store."
    case .healthDataRestricted: "Health data is restricted on this device by its administrator."
    case .invalidArgument(let argument, let index?): "Object \(index): \(argument)"
    case .invalidArgument(let argument, nil): "\(argument)"
    case .authorizationDenied(let client, let type, let index):
      (index.map { "Object \($0): " } ?? "")
        + "\(client) may not write \(type). The user can allow it in the health app."
    case .foreignObject(let client, let uuid):
      "\(client) did not save \(uuid) and may not delete it. Only its source or the user may."
    case .notEntitled(let client):
      "\(client) is not entitled to health data. Register it with \"isEntitled\" set."
    case .authorizationNotDetermined(let client, let type):
      "\(client) never asked for \(type). Request authorization first."
    case .databaseInaccessible:
      "The store is locked and cannot be read. Unlock the device and ask again."
    case .userCanceled: "The user left the request for authorization unanswered."
    case .noData(let type): "No sample of \(type) matches, so there is no figure."
    case .inUse(let path):
      "\(path) is being written by another process. Wait until it has ended, or use a copy."
    case .storage(let code, let message): "\(message) (SQLite error \(code))."
    case .unknownSchema(let path, let version, let supported):
      "\(path): the file has schema version \(version); this program knows versions up to "
        + "\(supported)."
        + (version < supported ? " Bring it forward with 'loopsim store migrate'." : "")
    case .notAHealthStore(let path, let reason): "\(path): is no health store: \(reason)."
    case .damaged(let path, let table, let row, let reason):
      "\(path): the table \"\(table)\", row \(row): \(reason)."
    }
  }
}
