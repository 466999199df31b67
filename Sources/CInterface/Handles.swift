internal import Bridge
internal import Scenarios
internal import Synchronization

/// The text of an answer, at a place in memory that never moves.
final class LentText: Sendable {
  /// Where its bytes begin.
  private let address: UInt
  /// How many bytes there are before the zero.
  let count: Int

  init(_ text: String) {
    let characters = Array(text.utf8)
    count = characters.count
    let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: count + 1)
    for (index, byte) in characters.enumerated() { unsafe bytes[index] = CChar(bitPattern: byte) }
    unsafe bytes[count] = 0
    address = UInt(bitPattern: bytes)
  }

  /// Its bytes, which are ended by a zero.
  var bytes: UnsafePointer<CChar>? { unsafe UnsafePointer(bitPattern: address) }

  deinit { unsafe UnsafeMutablePointer<CChar>(bitPattern: address)?.deallocate() }
}

/// A session, which one thread uses at a time.
final class Session: Sendable {
  let serve: Mutex<ServeSession>

  init() {
    serve = Mutex(
      ServeSession(
        files: MachineFiles(), version: "",
        write: { _, _ in throw NoFiles() }))
  }

  /// The library writes no files; the program does.
  private struct NoFiles: Error, CustomStringConvertible {
    var description: String { "The library writes no files; use loopsim run." }
  }
}

/// A batch, which one thread uses at a time.
final class Batch: Sendable {
  let runs: Mutex<RunBatch>

  init(_ runs: RunBatch) { self.runs = Mutex(runs) }
}

/// What a handle stands for.
enum Handled: Sendable {
  case session(Session)
  case text(LentText)
  case numbers(LentNumbers)
  case batch(Batch)
}

/// The open handles of this process.
enum Handles {
  private static let table = Mutex<(next: Int64, open: [Int64: Handled])>((1, [:]))

  static func add(_ value: Handled) -> Int64 {
    table.withLock {
      let handle = $0.next
      $0.next += 1
      $0.open[handle] = value
      return handle
    }
  }

  static subscript(handle: Int64) -> Handled? { table.withLock { $0.open[handle] } }

  static func remove(_ handle: Int64) -> Bool {
    table.withLock { $0.open.removeValue(forKey: handle) } != nil
  }

  static var count: Int64 { table.withLock { Int64($0.open.count) } }
}
